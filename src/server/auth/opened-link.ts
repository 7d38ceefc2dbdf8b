import { verifyJWT } from 'better-auth/crypto';
import { and, eq } from '../db/orm.ts';
import { profiles } from '../db/schema.ts';
import type { AuthServices } from './auth-context.ts';
import type { LibraryContext } from './library-call.ts';
import { readSession } from './sessions/session.ts';

/** The answer to an opened link that did nothing yet. */
export const PRESS = { ok: true, press: true } as const;

/**
 * Whether a link may act because its page was opened: in a browser signed in to the account. Scanners of mail open links
 * too, and would confirm the account of a stranger, so elsewhere a person presses a button.
 */
export async function isOpenedByOwner(
  { auth, headers, setCookies }: Pick<LibraryContext, 'auth' | 'headers' | 'setCookies'>,
  user_id: string,
): Promise<boolean> {
  const { signedIn, cookies } = await readSession(auth, headers);
  setCookies(cookies);
  return signedIn?.user.id === user_id;
}

/** The user whose email a valid link would confirm; null if there is none, or it is confirmed already. */
export async function unconfirmedUserOf(
  { auth, db }: Pick<LibraryContext, 'auth'> & Pick<AuthServices, 'db'>,
  token: string,
): Promise<string | null> {
  const link = await verifyJWT<{ email: string }>(token, (await auth.$context).secret);
  if (!link) return null;
  const { id, email, emailVerified } = profiles;
  const [user] = await db
    .select({ id })
    .from(profiles)
    .where(and(eq(email, link.email), eq(emailVerified, false)));
  return user?.id ?? null;
}
