import { site } from '../api/site.ts';

export function DemoBanner() {
  if (!site.demo) return null;
  return (
    <aside
      aria-label="About this demo"
      className="demo-strip print-hidden border-line border-b bg-brass-soft px-5 py-1.5 text-center text-brass-text text-xs"
    >
      Demo: no real card is charged.
      {site.sandbox_url && (
        <>
          {' '}
          <a
            href={site.sandbox_url}
            className="relative font-semibold underline underline-offset-2 after:absolute after:-inset-3"
          >
            Payments and mailbox
          </a>
        </>
      )}
    </aside>
  );
}
