/** The message from a page to the worker. Only a type, because the worker is a single file without imports. */
export type ToServiceWorker = 'keep staff pages';

const unavailable = (error: unknown) => console.warn('The app will not open offline:', error);

/** Lets the app open without a network from the next visit on. Off in development, where files change constantly. */
export function registerServiceWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  navigator.serviceWorker.register('/service-worker.js', { updateViaCache: 'none' }).catch(unavailable);
}

/** Registers for the bar, whose files members' devices do not need. Returns a function that stops it. */
export function registerForStaff(): (() => void) | undefined {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  registerServiceWorker();
  const workers = navigator.serviceWorker;
  const ask = () => {
    const message: ToServiceWorker = 'keep staff pages';
    workers.ready.then(({ active }) => active?.postMessage(message)).catch(unavailable);
  };
  ask();
  // The worker of a new release caches its own files.
  workers.addEventListener('controllerchange', ask);
  return () => workers.removeEventListener('controllerchange', ask);
}
