/// <reference lib="webworker" />

import type { ToServiceWorker } from '../api/device/register-service-worker.ts';

// Shows notifications, and lets the app open without a network. Caches the page and the files of the member pages, those of
// the bar where staff work, and never anything of /api. The build adds the lists of files, and a version that changes with
// them.
declare const __SHELL__: { version: string; files: string[]; staffFiles: string[] };

const worker = self as unknown as ServiceWorkerGlobalScope;
const PAGE = '/';
/** The page without a user: the cache outlives the session. The HTTP cache may hold the page of another release. */
const BARE_PAGE = new Request('/index.html', { cache: 'reload', credentials: 'omit' });
const PREFIX = 'shell-';
const CURRENT = PREFIX + __SHELL__.version;
/** Milliseconds without a response after which the cached page opens: the member may be standing at the bar. */
const TIMEOUT_MS = 4_000;

worker.addEventListener('install', (event) => {
  const fill = async () => {
    const cache = await caches.open(CURRENT);
    const [page] = await Promise.all([fetch(BARE_PAGE), cache.addAll(__SHELL__.files)]);
    if (!page.ok) throw new TypeError(`The page could not be kept: ${page.status}`);
    await cache.put(PAGE, page);
    await worker.skipWaiting();
  };
  event.waitUntil(fill());
});

worker.addEventListener('message', (event) => {
  if (event.data !== ('keep staff pages' satisfies ToServiceWorker)) return;
  const fill = async () => {
    const cache = await caches.open(CURRENT);
    const paths = new Set((await cache.keys()).map(({ url }) => new URL(url).pathname));
    await cache.addAll(__SHELL__.staffFiles.filter((file) => !paths.has(file)));
  };
  event.waitUntil(fill());
});

worker.addEventListener('activate', (event) => {
  const clear = async () => {
    const shells = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== CURRENT);
    // Keep the previous cache: open pages may need its files.
    for (const name of shells.slice(0, -1)) await caches.delete(name);
    // The browser requests the page while this worker is still starting, with a header. The server then names no scripts in
    // it, because the browser does not use preloads of a page through a worker.
    // Not in Firefox, which shows its own error when a preload fails, whatever the worker answers (seen in 140).
    if (!navigator.userAgent.includes('Firefox/')) await worker.registration.navigationPreload?.enable();
    await worker.clients.claim();
  };
  event.waitUntil(clear());
});

worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== worker.location.origin) return;
  if (url.pathname.startsWith('/api/')) {
    // A return from a sign-in provider works only once, and by default the browser would request it again after the
    // preload.
    if (request.mode === 'navigate') event.respondWith(askedAhead(event));
    return;
  }
  if (request.mode === 'navigate') event.respondWith(freshPage(event));
  else if (url.pathname.startsWith('/assets/')) event.respondWith(cachedFile(request));
});

/** The valid content of a message from any sender (PushMessage in src/domain/push/push-message.ts). */
function readMessage(data: PushMessageData | null) {
  const message = (data?.json() ?? {}) as Record<string, unknown>;
  const text = (key: string) => (typeof message[key] === 'string' ? message[key] : '');
  return { title: text('title'), body: text('body'), tag: text('tag'), path: text('path') };
}

worker.addEventListener('push', (event) => {
  const { title, path, ...rest } = readMessage(event.data);
  const icon = '/icons/icon-192.png';
  event.waitUntil(worker.registration.showNotification(title, { ...rest, icon, badge: icon, data: path }));
});

worker.addEventListener('notificationclick', (event) => {
  event.notification.close();
  // Always a page of this app, whatever the message says.
  const url = new URL(String(event.notification.data), worker.location.origin);
  event.waitUntil(open(url.origin === worker.location.origin ? url.href : '/'));
});

async function open(url: string): Promise<void> {
  const [window] = await worker.clients.matchAll({ type: 'window' });
  if (!window) {
    await worker.clients.openWindow(url);
    return;
  }
  await window.focus();
  await window.navigate(url);
}

async function cachedPage(): Promise<Response | undefined> {
  return (await caches.open(CURRENT)).match(PAGE);
}

async function freshPage(event: FetchEvent): Promise<Response> {
  const response = askedAhead(event);
  // Even if the cached page is faster: otherwise the browser warns of an unused preload.
  event.waitUntil(response.catch(() => undefined));
  const usable = response.then((answer) => (answer.status < 500 ? answer : null)).catch(() => null);
  const timedOut = new Promise<null>((resolve) => setTimeout(resolve, TIMEOUT_MS, null));
  return (await Promise.race([usable, timedOut])) ?? (await cachedPage()) ?? response;
}

/** The response of the navigation preload, if any, or else of the request. */
async function askedAhead(event: FetchEvent): Promise<Response> {
  return ((await event.preloadResponse) as Response | undefined) ?? fetch(event.request);
}

async function cachedFile(request: Request): Promise<Response> {
  return (await caches.match(request)) ?? fetch(request);
}
