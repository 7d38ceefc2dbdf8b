import { verifyJWT } from 'better-auth/crypto';
import { Refusal } from '../../contract/refusals.ts';
import { and, eq } from '../db/orm.ts';
import { profiles } from '../db/schema.ts';
import type { AuthServices } from './auth-context.ts';
import type { LibraryContext } from './library-call.ts';
import { readSession } from './sessions/session.ts';

/**
 * Refuses a link that a page sent because it was opened, unless its browser is signed in to the account: scanners of mail
 * open links too, and would confirm the account of a stranger. Elsewhere a person presses a button. Throws Refusal
 * PRESS_NEEDED.
 */
export async function assertOpenedByOwner(
  { auth, headers, setCookies }: Pick<LibraryContext, 'auth' | 'headers' | 'setCookies'>,
  user_id: string,
): Promise<void> {
  const { signedIn, cookies } = await readSession(auth, headers);
  setCookies(cookies);
  if (signedIn?.user.id !== user_id) throw new Refusal('PRESS_NEEDED');
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
