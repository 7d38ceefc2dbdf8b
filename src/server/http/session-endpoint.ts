import type { Context } from 'hono';
import { mustEnrollTwoFactor } from '../api/authorize.ts';
import type { Auth } from '../auth/better-auth.ts';
import { readSession } from '../auth/sessions/session.ts';
import type { SessionResult } from '../auth/sessions/session-result.ts';
import { listPermissions } from '../auth/team/permissions.ts';
import type { Db } from '../db/client.ts';
import type { MemberEvents } from '../realtime/member-events.ts';

export type ReadSession = (headers: Headers, wanted: 'cached' | 'fresh') => Promise<SessionResult>;

/** Reads a request's session; it never trusts the copy of a session in a cookie that may have just ended. */
export function sessionReader(auth: Auth, live: MemberEvents): ReadSession {
  return async (headers, wanted) => {
    const answer = await readSession(auth, headers, wanted);
    const mayHaveEnded = answer.signedIn !== null && live.mayHaveEnded(answer.signedIn);
    return wanted === 'cached' && mayHaveEnded ? readSession(auth, headers, 'fresh') : answer;
  };
}

/** GET /api/session: the signed-in user, or null. Staff learn what they may do, so that screens offer nothing else. */
export function sessionEndpoint(
  read: ReadSession,
  { db, staffNeedTwoFactor }: { db: Db; staffNeedTwoFactor: boolean },
) {
  return async (c: Context) => {
    const { signedIn, cookies } = await read(c.req.raw.headers, 'cached');
    for (const cookie of cookies) c.header('Set-Cookie', cookie, { append: true });
    const user = signedIn?.user ?? null;
    const must_enrol = user !== null && mustEnrollTwoFactor(user, staffNeedTwoFactor);
    const permissions = user?.role === 'staff' ? await listPermissions({ db }, user.id) : undefined;
    return c.json({ user: user && { ...user, must_enrol, ...(permissions && { permissions }) } });
  };
}
