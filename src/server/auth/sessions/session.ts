import type { Auth } from '../better-auth.ts';
import type { SessionResult } from './session-result.ts';

/**
 * The user of a session. 'cached' trusts the session in the signed cookie for up to a minute; 'fresh' never does, and
 * renews the cookie once it has aged or says something else: docs/decisions/0007-sessions.md.
 */
export async function readSession(
  auth: Auth,
  headers: Headers,
  wanted: 'cached' | 'fresh' = 'cached',
): Promise<SessionResult> {
  const cookie = headers.get('cookie');
  if (!cookie) return { signedIn: null, cookies: [] };
  const fresh = wanted === 'fresh' ? await auth.readFresh(cookie) : null;
  if (fresh) return fresh;
  const { response, headers: answered } = await auth.api.getSession({
    headers,
    query: { disableCookieCache: wanted === 'fresh' },
    returnHeaders: true,
  });
  const cookies = answered.getSetCookie();
  if (!response) return { signedIn: null, cookies };
  const { user, session } = response;
  const role = session.role === 'staff' || session.role === 'customer' ? session.role : null;
  return {
    signedIn: {
      session_id: session.id,
      user: {
        id: user.id,
        email: user.email,
        email_verified: user.emailVerified,
        first_name: user.first_name,
        last_name: user.last_name,
        phone: user.phone ?? null,
        role,
        two_factor: user.twoFactorEnabled === true,
      },
    },
    cookies,
  };
}
