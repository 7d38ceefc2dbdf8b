import type { Auth } from '../better-auth.ts';
import type { SessionResult } from './session-result.ts';

/** The user of a session, as currently stored: docs/decisions/sessions.md. */
export async function readSession(auth: Auth, headers: Headers): Promise<SessionResult> {
  const cookie = headers.get('cookie');
  if (!cookie) return { signedIn: null, cookies: [] };
  const result = await auth.sessions.find(cookie);
  if (result) return result;
  const { response, headers: answerHeaders } = await auth.api.getSession({ headers, returnHeaders: true });
  const cookies = answerHeaders.getSetCookie();
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
