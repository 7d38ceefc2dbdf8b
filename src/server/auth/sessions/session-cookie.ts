/**
 * What the names of our cookies begin with. Over HTTPS a browser takes `__Host-` only from this very host, with Secure
 * and for all paths, so that a neighboring subdomain cannot plant a session. It takes no such name over plain HTTP.
 */
export const cookiePrefix = (publicUrl: string) =>
  `${publicUrl.startsWith('https:') ? '__Host-' : ''}cellar-door`;

/** The name of one of the auth library's cookies. */
export const cookieName = (publicUrl: string, name: 'session_token' | 'two_factor' | 'device') =>
  `${cookiePrefix(publicUrl)}.${name}`;

const SESSION_COPY = /(?<=^|;\s*)(?:__Host-)?cellar-door\.session_data[^=]*=[^;]*;?/g;

/** The same headers, without the signed copy of the session: docs/decisions/0007-sessions.md. */
export function withoutSessionCache(original: Headers): Headers {
  const headers = new Headers(original);
  headers.set('cookie', (headers.get('cookie') ?? '').replaceAll(SESSION_COPY, ''));
  return headers;
}
