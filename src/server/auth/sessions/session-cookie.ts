/**
 * Prefix of our cookie names. Over HTTPS a browser accepts `__Host-` only from this very host, with Secure and for all
 * paths, so that a neighboring subdomain cannot plant a session. Plain HTTP does not allow the prefix.
 */
export const cookiePrefix = (publicUrl: string) =>
  `${publicUrl.startsWith('https:') ? '__Host-' : ''}cellar-door`;

/** The value of a cookie of a request; null if there is none, or more than one. */
export function cookieValue(header: string | null, name: string): string | null {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim());
  const [pair, ...rest] = pairs.filter((it) => it.startsWith(`${name}=`));
  return pair === undefined || rest.length > 0 ? null : pair.slice(name.length + 1);
}

/** The name of one of the auth library's cookies. */
export const cookieName = (publicUrl: string, name: 'session_token' | 'two_factor' | 'device') =>
  `${cookiePrefix(publicUrl)}.${name}`;
