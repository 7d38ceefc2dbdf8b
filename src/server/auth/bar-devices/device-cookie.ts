import { hashOfSecret } from '../../platform/secret-link.ts';
import { cookiePrefix, cookieValue } from '../sessions/session-cookie.ts';

/** The longest that browsers store a cookie; the row in the database says whether it still counts. */
const MAX_AGE_SECONDS = 400 * 86_400;

const nameOf = (publicUrl: string) => `${cookiePrefix(publicUrl)}.bar_device`;

/** The Set-Cookie line that makes a browser this tablet. No script reads it, and no other site sends it. */
export function deviceCookie(publicUrl: string, token: string): string {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  return `${nameOf(publicUrl)}=${token}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${MAX_AGE_SECONDS}${secure}`;
}

/** The hash of the request's device token; null if there is none, or more than one. */
export function readDeviceCookie(publicUrl: string, cookieHeader: string | null): string | null {
  const token = cookieValue(cookieHeader, nameOf(publicUrl));
  return token && /^[\w-]{43}$/.test(token) ? hashOfSecret(token) : null;
}
