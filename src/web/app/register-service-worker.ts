/** The message from a page to the worker; only a type, because the worker is a single file without imports. */
export type ToServiceWorker = 'keep staff pages';

const unavailable = (error: unknown) => console.warn('The app will not open offline:', error);

/** From the next visit on, the app opens without a network. Off in development, where files change all the time. */
export function registerServiceWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  navigator.serviceWorker.register('/service-worker.js', { updateViaCache: 'none' }).catch(unavailable);
}

/** The same for the bar, whose files no member's device needs. Returns a function that stops it. */
export function registerForStaff(): (() => void) | undefined {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  registerServiceWorker();
  const workers = navigator.serviceWorker;
  const ask = () => {
    const message: ToServiceWorker = 'keep staff pages';
    workers.ready.then(({ active }) => active?.postMessage(message)).catch(unavailable);
  };
  ask();
  // A new release's worker caches its own files.
  workers.addEventListener('controllerchange', ask);
  return () => workers.removeEventListener('controllerchange', ask);
}
