import { and, count, eq, like, max } from 'drizzle-orm';
import { type AccessLetter, accessLetter } from '../../../domain/staff/access-letter.ts';
import type { Db, Tx } from '../../db/client.ts';
import { accounts, deliveries, passkeys, profiles } from '../../db/schema.ts';
import { sendEmail } from '../../mail/send-email.ts';
import type { AuthContext } from '../auth-context.ts';
import { authEmails } from '../auth-emails.ts';
import type { LibraryContext } from '../library-call.ts';
import { createFirstPasswordLink, FIRST_PASSWORD_HOURS } from '../password/password-reset.ts';

type Ctx = Pick<AuthContext, 'db' | 'now' | 'newId' | 'newSecret' | 'outbox' | 'venue'> &
  Pick<LibraryContext, 'auth'>;

/** The letter that lets a user in, or proves their inbox; null where neither is needed. */
export async function accessLetterFor(
  { auth, outbox }: Pick<Ctx, 'auth' | 'outbox'>,
  db: Db | Tx,
  user_id: string,
): Promise<AccessLetter | null> {
  const [user] = await db
    .select({ confirmed: profiles.emailVerified, erased_at: profiles.erased_at })
    .from(profiles)
    .where(eq(profiles.id, user_id));
  if (!user || user.erased_at || !outbox.sends) return null;
  const ways =
    (await db.$count(accounts, eq(accounts.userId, user_id))) +
    (await db.$count(passkeys, eq(passkeys.userId, user_id)));
  return accessLetter({ ways, confirmed: user.confirmed }, Boolean(auth.options.emailVerification));
}

/** Sends it, with a new link; those sent before stay good until they expire. Returns which it was. */
export async function sendAccessLetter(ctx: Ctx, user_id: string): Promise<AccessLetter | null> {
  const letter = await accessLetterFor(ctx, ctx.db, user_id);
  if (letter === 'password') {
    await ctx.db.transaction(async (tx) => {
      const link = await createFirstPasswordLink(ctx, tx, user_id);
      await sendEmail(ctx, tx, {
        user_id,
        cause: `first-password:${ctx.newId()}`,
        email: authEmails.choose_password.about({ link, hours: FIRST_PASSWORD_HOURS }),
      });
    });
  }
  if (letter === 'confirmation') {
    const [user] = await ctx.db
      .select({ email: profiles.email })
      .from(profiles)
      .where(eq(profiles.id, user_id));
    if (user) await ctx.auth.api.sendVerificationEmail({ body: { email: user.email } });
  }
  return letter;
}

const CAUSES: Record<AccessLetter, string> = { password: 'first-password:%', confirmation: 'address:%' };

/** How many such letters were written to the user, and when the last one was; null for never. */
export async function lettersTo(
  db: Db | Tx,
  user_id: string,
  letter: AccessLetter,
): Promise<{ count: number; last: Date | null }> {
  const { created_at, cause } = deliveries;
  const [row] = await db
    .select({ count: count(), last: max(created_at) })
    .from(deliveries)
    .where(and(eq(deliveries.user_id, user_id), eq(deliveries.kind, 'email'), like(cause, CAUSES[letter])));
  return row ?? { count: 0, last: null };
}
