import type { Hono } from 'hono';

export type Fetch = (url: string, init?: RequestInit) => Promise<Response>;

/** Sends requests to the app without a connection. Responses have their date, and cut requests fail, as over HTTP. */
export function fetchInProcess(app: Hono): Fetch {
  return async (url, init) => {
    const request = new Request(url, init);
    request.headers.set('host', new URL(url).host);
    const { promise: abort, reject } = Promise.withResolvers<never>();
    const destroy = () => reject(Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }));
    const response = await Promise.race([app.fetch(request, { incoming: { socket: { destroy } } }), abort]);
    response.headers.set('date', new Date().toUTCString());
    return response;
  };
}
