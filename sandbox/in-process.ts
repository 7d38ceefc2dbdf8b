import type { Hono } from 'hono';

export type Fetch = (url: string, init?: RequestInit) => Promise<Response>;

/** Sends requests to the app without a connection. Where it would cut one, the request fails as over HTTP. */
export function fetchInProcess(app: Hono): Fetch {
  return async (url, init) => {
    const request = new Request(url, init);
    request.headers.set('host', new URL(url).host);
    const { promise: cut, reject } = Promise.withResolvers<never>();
    const destroy = () => reject(Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }));
    return Promise.race([app.fetch(request, { incoming: { socket: { destroy } } }), cut]);
  };
}
