/** From the next visit on, the app opens without a network. Off in development, where files change all the time. */
export function registerServiceWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  navigator.serviceWorker
    .register('/service-worker.js', { updateViaCache: 'none' })
    .catch((error: unknown) => console.warn('The app will not open offline:', error));
}
