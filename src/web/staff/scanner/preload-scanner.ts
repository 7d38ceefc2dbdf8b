/** How long the pages of staff get to settle before the scanner is fetched, where the browser cannot tell. */
const SETTLE_MS = 1500;

/**
 * Fetches page, decoder and its program while nothing else is going on, so that the first scan is not the slow
 * one. The answer calls it off.
 */
export function preloadScanner(preloadPage: () => Promise<unknown>): () => void {
  const warm = () => {
    // Only a head start: what cannot be fetched now is fetched, and complained about, when it is needed.
    preloadPage().catch(() => undefined);
    import('./decoder.ts').then(({ preloadDecoder }) => preloadDecoder()).catch(() => undefined);
  };
  if ('requestIdleCallback' in window) {
    const idle = window.requestIdleCallback(warm, { timeout: 4 * SETTLE_MS });
    return () => window.cancelIdleCallback(idle);
  }
  const timer = setTimeout(warm, SETTLE_MS);
  return () => clearTimeout(timer);
}
