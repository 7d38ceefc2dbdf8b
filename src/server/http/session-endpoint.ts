import type { Context } from 'hono';
import { mustEnrollTwoFactor } from '../api/authorize.ts';
import type { Auth } from '../auth/better-auth.ts';
import { readSession, type SessionResult } from '../auth/sessions/session.ts';
import type { MemberEvents } from '../realtime/member-events.ts';

export type ReadSession = (headers: Headers, wanted: 'cached' | 'fresh') => Promise<SessionResult>;

/** Reads a request's session; for an account that was just deleted it never trusts the signed cookie. */
export function sessionReader(auth: Auth, live: MemberEvents): ReadSession {
  return async (headers, wanted) => {
    const answer = await readSession(auth, headers, wanted);
    const deleted = answer.signedIn !== null && live.isDeleted(answer.signedIn.user.id);
    return wanted === 'cached' && deleted ? readSession(auth, headers, 'fresh') : answer;
  };
}

/** GET /api/session: the signed-in user, or null. */
export function sessionEndpoint(read: ReadSession, staffNeedTwoFactor: boolean) {
  return async (c: Context) => {
    const { signedIn, cookies } = await read(c.req.raw.headers, 'cached');
    for (const cookie of cookies) c.header('Set-Cookie', cookie, { append: true });
    const user = signedIn?.user ?? null;
    const must_enrol = user !== null && mustEnrollTwoFactor(user, staffNeedTwoFactor);
    return c.json({ user: user && { ...user, must_enrol } });
  };
}
