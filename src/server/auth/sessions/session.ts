import type { Auth } from '../better-auth.ts';

interface SessionUser {
  id: string;
  email: string;
  email_verified: boolean;
  first_name: string;
  last_name: string;
  phone: string | null;
  role: 'customer' | 'staff' | null;
  two_factor: boolean;
}

export interface SessionResult {
  signedIn: { session_id: string; user: SessionUser } | null;
  /** Cookies that renew the cached session, or remove what is no longer valid. */
  cookies: string[];
}

/**
 * The user of a session. 'cached' trusts the session in the signed cookie for up to a minute; 'fresh' never does, and
 * renews the cookie: docs/decisions/0007-sessions.md.
 */
export async function readSession(
  auth: Auth,
  headers: Headers,
  wanted: 'cached' | 'fresh' = 'cached',
): Promise<SessionResult> {
  if (!headers.get('cookie')) return { signedIn: null, cookies: [] };
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
