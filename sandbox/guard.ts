import { isIP } from 'node:net';
import type { Context, MiddlewareHandler } from 'hono';

const hostOf = (c: Context) => c.req.header('host') ?? '';

/**
 * Accepts changes only from the sandbox's own pages: another page in the same browser could otherwise move the clock or
 * empty the mailbox. Programs, such as the product or a test, send none of the headers that a browser adds. Also refuses
 * host names that merely point to this computer (DNS rebinding), and display in a frame.
 */
export function guard(publicUrl: string): MiddlewareHandler {
  const ownUrl = new URL(publicUrl);
  return async (c, next) => {
    if (!isOwnHost(hostOf(c), ownUrl.hostname))
      return refuse(c, 'The sandbox does not answer under this name.');
    const changes = c.req.method !== 'GET' && c.req.method !== 'HEAD';
    if (changes && isForeign(c, ownUrl.origin)) {
      return refuse(c, 'Another web page asked for this. Use the pages of the sandbox.');
    }
    await next();
    c.header('X-Frame-Options', 'SAMEORIGIN');
  };
}

const refuse = (c: Context, error: string) => c.json({ error }, 403);

/** An IP address, localhost or the configured name; other names are refused. */
function isOwnHost(host: string, ownName: string): boolean {
  if (!URL.canParse(`http://${host}`)) return false;
  const { hostname } = new URL(`http://${host}`);
  return hostname === 'localhost' || hostname === ownName || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
}

function isForeign(c: Context, ownOrigin: string): boolean {
  const origin = c.req.header('origin');
  if (origin !== undefined) return origin !== ownOrigin && origin !== `http://${hostOf(c)}`;
  const site = c.req.header('sec-fetch-site');
  return site !== undefined && site !== 'same-origin' && site !== 'none';
}
