/// <reference lib="webworker" />

// Opens the app without network: the page and the files of the member's side are kept, nothing of /api ever is.
// The build puts in which files, and a name that changes whenever one of them does.
declare const __SHELL__: { version: string; files: string[] };

const worker = self as unknown as ServiceWorkerGlobalScope;
const page = '/';
const prefix = 'shell-';
const current = prefix + __SHELL__.version;
/** A slow answer is no answer when somebody stands at the bar. */
const patienceMs = 4_000;

worker.addEventListener('install', (event) => {
  const keep = async () => {
    const cache = await caches.open(current);
    // The page past the browser's own cache: the one there may be of another release than the files.
    await cache.addAll([new Request(page, { cache: 'reload' }), ...__SHELL__.files]);
    await worker.skipWaiting();
  };
  event.waitUntil(keep());
});

worker.addEventListener('activate', (event) => {
  const clear = async () => {
    const shells = (await caches.keys()).filter((name) => name.startsWith(prefix) && name !== current);
    // The one before stays: pages that are still open may yet ask for its files.
    for (const name of shells.slice(0, -1)) await caches.delete(name);
    await worker.clients.claim();
  };
  event.waitUntil(clear());
});

worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== worker.location.origin) return;
  if (url.pathname.startsWith('/api/')) return;
  if (request.mode === 'navigate') event.respondWith(freshPage(request));
  else if (url.pathname.startsWith('/assets/')) event.respondWith(keptFile(request));
});

async function keptPage(): Promise<Response | undefined> {
  return (await caches.open(current)).match(page);
}

async function freshPage(request: Request): Promise<Response> {
  const asked = fetch(request);
  const usable = asked.then((answer) => (answer.status < 500 ? answer : null)).catch(() => null);
  const tired = new Promise<null>((resolve) => setTimeout(resolve, patienceMs, null));
  return (await Promise.race([usable, tired])) ?? (await keptPage()) ?? asked;
}

async function keptFile(request: Request): Promise<Response> {
  return (await caches.match(request)) ?? fetch(request);
}
