import type { ReactNode } from 'react';
import { site } from '../api/site.ts';

/** A link or a button in the strip, larger to the touch than to the eye. */
export const STRIP_LINK =
  'relative font-semibold underline underline-offset-2 after:absolute after:-inset-x-1 after:-inset-y-3';

export function DemoBanner({ children }: { children?: ReactNode }) {
  if (!site.demo) return null;
  return (
    <aside
      aria-label="About this demo"
      className="demo-strip print-hidden flex flex-wrap justify-center gap-x-2 border-line border-b bg-brass-soft px-2 py-1.5 text-brass-text text-xs"
    >
      <span>
        Demo
        {/* On the narrowest phones, one line has room for the links only. */}
        <span className="max-[24rem]:sr-only">: no card is charged.</span>
      </span>
      {site.sandbox_url && (
        <a href={site.sandbox_url} className={STRIP_LINK}>
          Payments and mailbox
        </a>
      )}
      {site.start_over && children}
    </aside>
  );
}
