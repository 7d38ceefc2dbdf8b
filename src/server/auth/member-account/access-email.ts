import { type AccessEmail, accessEmail } from '../../../domain/staff/access-email.ts';
import type { Db, Tx } from '../../db/client.ts';
import { and, count, eq, like, max } from '../../db/orm.ts';
import { accounts, deliveries, passkeys, profiles } from '../../db/schema.ts';
import type { AuthContext } from '../auth-context.ts';
import type { LibraryContext } from '../library-call.ts';
import { emailFirstPassword } from '../password/password-reset.ts';

type Ctx = Pick<AuthContext, 'db' | 'now' | 'newId' | 'newSecret' | 'outbox' | 'venue'> &
  Pick<LibraryContext, 'auth'>;

/**
 * The email that lets a user sign in for the first time, or confirms their address; null if neither is needed, or none can
 * be sent.
 */
export async function accessEmailFor(
  { auth, outbox }: Pick<Ctx, 'auth' | 'outbox'>,
  db: Db | Tx,
  user_id: string,
): Promise<AccessEmail | null> {
  const [user] = await db
    .select({ confirmed: profiles.emailVerified, erased_at: profiles.erased_at })
    .from(profiles)
    .where(eq(profiles.id, user_id));
  if (!user || user.erased_at || !outbox.sends) return null;
  const ways =
    (await db.$count(accounts, eq(accounts.userId, user_id))) +
    (await db.$count(passkeys, eq(passkeys.userId, user_id)));
  return accessEmail({ ways, confirmed: user.confirmed }, Boolean(auth.options.emailVerification));
}

/**
 * Sends the access email with a new link; earlier links stay valid until they expire. Returns its kind; null if none is
 * sent.
 */
export async function sendAccessEmail(ctx: Ctx, user_id: string): Promise<AccessEmail | null> {
  const kind = await accessEmailFor(ctx, ctx.db, user_id);
  if (kind === 'password') {
    await ctx.db.transaction((tx) => emailFirstPassword(ctx, tx, user_id, 'choose_password'));
  }
  if (kind === 'confirmation') {
    const [user] = await ctx.db
      .select({ email: profiles.email })
      .from(profiles)
      .where(eq(profiles.id, user_id));
    if (user) await ctx.auth.api.sendVerificationEmail({ body: { email: user.email } });
  }
  return kind;
}

const CAUSES: Record<AccessEmail, string> = { password: 'first-password:%', confirmation: 'address:%' };

/** Number of access emails of this kind written to the user, and when the last one was (null if never). */
export async function emailsTo(
  db: Db | Tx,
  user_id: string,
  kind: AccessEmail,
): Promise<{ count: number; last: Date | null }> {
  const { created_at, cause } = deliveries;
  const [row] = await db
    .select({ count: count(), last: max(created_at) })
    .from(deliveries)
    .where(and(eq(deliveries.user_id, user_id), eq(deliveries.kind, 'email'), like(cause, CAUSES[kind])));
  return row ?? { count: 0, last: null };
}
