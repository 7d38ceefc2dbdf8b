import { createHmac } from 'node:crypto';
import { readAccessToken } from '../api-clients/access-tokens.ts';
import type { AuthServices } from '../auth-context.ts';
import type { Auth } from '../better-auth.ts';
import { cookieName } from '../sessions/session-cookie.ts';
import type { SessionResult } from '../sessions/session-result.ts';
import { verifyToken } from '../signing-keys/signed-tokens.ts';
import { readTicket, readUserToken } from './user-tokens.ts';

type ApiClientActor = NonNullable<Awaited<ReturnType<typeof readAccessToken>>>;

/**
 * The caller named by `Authorization: Bearer`. `cookie`: the auth library's cookie for the same session. `ended`: a token of
 * ours, whose session or client is gone.
 */
export type Bearer =
  | { kind: 'none' }
  | { kind: 'unknown'; ended: boolean }
  | { kind: 'api client'; actor: ApiClientActor }
  | { kind: 'session'; signedIn: NonNullable<SessionResult['signedIn']>; cookie: string }
  | { kind: 'second step'; cookie: string };

/** The request's bearer token, valid or not; null if there is none. */
export function bearerToken(headers: Headers): string | null {
  const header = headers.get('authorization') ?? '';
  return /^Bearer(?= |$)/i.test(header) ? header.slice('Bearer '.length).trim() : null;
}

/** Checks in the database each time that the session or client behind the token has not ended. */
export async function readBearer(
  auth: Auth,
  { db }: Pick<AuthServices, 'db'>,
  headers: Headers,
): Promise<Bearer> {
  const token = bearerToken(headers);
  if (token === null) return { kind: 'none' };
  const verification = await verifyToken(auth, token);
  switch (verification?.kind) {
    case 'api client': {
      const actor = await readAccessToken({ db }, verification.claims);
      return actor ? { kind: 'api client', actor } : { kind: 'unknown', ended: true };
    }
    case 'session': {
      const session = await readUserToken(db, verification.claims);
      if (!session) return { kind: 'unknown', ended: true };
      const cookie = signedCookie(auth, 'session_token', session.token);
      return { kind: 'session', signedIn: session.signedIn, cookie };
    }
    case 'second step': {
      const ticket = readTicket(verification.claims);
      return ticket
        ? { kind: 'second step', cookie: signedCookie(auth, 'two_factor', ticket) }
        : { kind: 'unknown', ended: true };
    }
    default:
      return { kind: 'unknown', ended: false };
  }
}

/** A cookie as the auth library signs it. */
function signedCookie({ options }: Auth, name: 'session_token' | 'two_factor', value: string): string {
  const signature = createHmac('sha256', options.secret).update(value).digest('base64');
  return `${cookieName(options.baseURL, name)}=${encodeURIComponent(`${value}.${signature}`)}`;
}

/**
 * Replaces the cookies of a request with a token, except the known device's, with that of the token's session or waiting
 * sign-in, if any. Verbs then find it as they find a browser's.
 */
export function useBearer(headers: Headers, bearer: Bearer, publicUrl: string): void {
  if (bearer.kind === 'none') return;
  const device = deviceCookie(headers, publicUrl);
  const cookie = 'cookie' in bearer ? bearer.cookie : null;
  const cookies = [device, cookie].filter((it) => it !== null);
  if (cookies.length > 0) headers.set('cookie', cookies.join('; '));
  else headers.delete('cookie');
}

export function deviceCookie(headers: Headers, publicUrl: string): string | null {
  const start = `${cookieName(publicUrl, 'device')}=`;
  const cookies = (headers.get('cookie') ?? '').split(/;\s*/);
  return cookies.find((it) => it.startsWith(start)) ?? null;
}

/** The Set-Cookie lines of the known device: a session never leaves in a cookie beside a token. */
export const deviceLines = (lines: string[], publicUrl: string): string[] =>
  lines.filter((line) => line.startsWith(`${cookieName(publicUrl, 'device')}=`));

export function signedValueIn(
  lines: string[],
  publicUrl: string,
  name: 'session_token' | 'two_factor',
): string | null {
  const start = `${cookieName(publicUrl, name)}=`;
  const line = lines.findLast((it) => it.startsWith(start));
  const value = decodeURIComponent(line?.slice(start.length).split(';')[0] ?? '');
  return value ? value.slice(0, value.lastIndexOf('.')) : null;
}
