import type { MiddlewareHandler } from 'hono';

const HASH = /%23/i;

/**
 * Leads a link whose # became %23 to its page: some mail gateways rewrite links so, and the token then reaches us as a part
 * of the path.
 */
export const decodeHash: MiddlewareHandler = async (c, next) => {
  const { pathname, search } = new URL(c.req.url);
  const at = pathname.search(HASH);
  if (at < 0) return next();
  // A browser takes what follows two slashes for a host.
  const page = pathname.slice(0, at).replace(/^\/+/, '/');
  return c.redirect(`${page}${search}#${pathname.slice(at).replace(HASH, '')}`, 302);
};
