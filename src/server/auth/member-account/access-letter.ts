import { eq } from 'drizzle-orm';
import type { Db, Tx } from '../../db/client.ts';
import { accounts, passkeys, profiles } from '../../db/schema.ts';
import { sendEmail } from '../../mail/send-email.ts';
import type { AuthContext } from '../auth-context.ts';
import { choosePasswordEmail } from '../auth-emails.ts';
import type { LibraryContext } from '../library-call.ts';
import { createFirstPasswordLink, FIRST_PASSWORD_HOURS } from '../password/password-reset.ts';

/** password: a link to choose the first one, which also confirms the email. confirmation: a link that confirms it. */
type AccessLetter = 'password' | 'confirmation';

type Ctx = Pick<AuthContext, 'db' | 'now' | 'newId' | 'newSecret' | 'outbox' | 'venue'> &
  Pick<LibraryContext, 'auth'>;

/** The letter that lets a user in, or proves their inbox; null where neither is needed. */
async function accessLetterFor(
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
  if (ways === 0) return 'password';
  return !user.confirmed && auth.options.emailVerification ? 'confirmation' : null;
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
        compose: (venue, firstName) => choosePasswordEmail(venue, firstName, link, FIRST_PASSWORD_HOURS),
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
