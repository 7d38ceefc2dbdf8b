export function SkipLink() {
  return (
    <a
      href="#main"
      className="target sr-only rounded-md bg-accent px-5 font-semibold text-accent-ink focus:not-sr-only focus:fixed focus:top-3 focus:left-3 focus:z-50 focus:inline-flex focus:items-center"
    >
      Skip to content
    </a>
  );
}
