import type { MiddlewareHandler } from 'hono';

/** Calls that return pictures: the only ones under /api that set their own caching. */
const PICTURES = /^\/api\/(?:profile|customers\/[^/]+)\/photo$|^\/api\/wines\/[^/]+\/picture$/;

/** The Cache-Control of an answer: no-store, unless it is a picture that was found. */
export function cacheControl(path: string, { status, headers }: Response): string {
  const header = status === 200 || status === 304 ? headers.get('cache-control') : null;
  return (PICTURES.test(path) && header) || 'no-store';
}

/** Omits the picture if the browser already has it. */
export function unchangedPictures(): MiddlewareHandler {
  return async (c, next) => {
    await next();
    const { headers, status } = c.res;
    const etag = headers.get('etag');
    if (status !== 200 || !etag || !PICTURES.test(c.req.path)) return;
    if (c.req.header('if-none-match') !== etag) return;
    const header = headers.get('cache-control') ?? 'no-store';
    await c.res.body?.cancel();
    c.res = undefined;
    c.res = new Response(null, { status: 304, headers: { etag, 'cache-control': header } });
  };
}
