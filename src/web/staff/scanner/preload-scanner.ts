/** The time the page gets to settle, in browsers that cannot report when they are idle. */
const SETTLE_MS = 1500;

/**
 * Fetches the scanner's page, decoder and WebAssembly while the browser is idle, so that the first scan is fast.
 * Returns a function that cancels it.
 */
export function preloadScanner(preloadPage: () => Promise<unknown>): () => void {
  const preload = () => {
    // Ignore failures: missing files are fetched again when needed, and failures reported then.
    preloadPage().catch(() => undefined);
    import('./decoder.ts').then(({ preloadDecoder }) => preloadDecoder()).catch(() => undefined);
  };
  if ('requestIdleCallback' in window) {
    const idle = window.requestIdleCallback(preload, { timeout: 4 * SETTLE_MS });
    return () => window.cancelIdleCallback(idle);
  }
  const timer = setTimeout(preload, SETTLE_MS);
  return () => clearTimeout(timer);
}
