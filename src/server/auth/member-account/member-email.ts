import type { InputOf } from '../../../contract/base.ts';
import { Refusal } from '../../../contract/refusals.ts';
import type { MemberAccount, memberAccount } from '../../../contract/staff/member-account.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import type { Tx } from '../../db/client.ts';
import { and, eq, ne } from '../../db/orm.ts';
import { refusing } from '../../db/results.ts';
import { email_change, profiles } from '../../db/schema.ts';
import { composeEmail } from '../../mail/email.ts';
import { deleteRefusedEmails } from '../../membership/refused-email.ts';
import { CLIENT_IP_HEADER } from '../../platform/client-ip.ts';
import { consumeRateLimit } from '../../platform/rate-limit.ts';
import { logAuthEvent } from '../audit-log.ts';
import type { AuthContext } from '../auth-context.ts';
import { authEmails } from '../auth-emails.ts';
import { EMAIL_CHANGES, storeEmailChange } from '../email-change.ts';
import type { LibraryContext } from '../library-call.ts';
import { revokeAccess } from '../revoke-access.ts';
import { sendAccessEmail } from './access-email.ts';
import { getMemberAccount, holdAccount, type Profile } from './member-account.ts';

type Ctx = AuthContext & LibraryContext;

type NewEmail = InputOf<typeof memberAccount.changeEmail>;

/**
 * Changes a member's email. A confirmed one changes when the link in the new inbox is followed, as when members ask
 * (auth/email-change). One that never was confirmed is corrected at once: nobody proved that it is theirs. Either way the
 * old address gets an email. Throws what holdAccount throws, and Refusal EMAIL_UNCHANGED, EMAIL_IN_USE, EMAIL_SENDING_OFF,
 * TOO_MANY_ATTEMPTS.
 */
export async function changeMemberEmail(ctx: Ctx, input: NewEmail): Promise<MemberAccount> {
  const { db, log } = ctx;
  const from = ctx.headers.get(CLIENT_IP_HEADER);
  // Someone may make an account with this email at the same moment.
  const refusals = { profiles_email_unique: new Refusal('EMAIL_IN_USE') };
  const outcome = await refusing(refusals, () => db.transaction((tx) => changeEmail(ctx, tx, input)));
  logAuthEvent(log, `email ${outcome.how} by staff`, { user_id: outcome.user_id, from });
  if (outcome.how === 'corrected') await sendAccessEmail(ctx, outcome.user_id);
  return getMemberAccount(ctx, input);
}

async function changeEmail(ctx: Ctx, tx: Tx, input: NewEmail) {
  const account = await holdAccount(tx, input);
  const new_email = input.email.toLowerCase();
  if (account.email === new_email) throw new Refusal('EMAIL_UNCHANGED');
  // Reveals nothing new: staff can look up who has an email at any time.
  if ((await tx.$count(profiles, eq(profiles.email, new_email))) > 0) throw new Refusal('EMAIL_IN_USE');
  const outcome = account.emailVerified ? ('change asked for' as const) : ('corrected' as const);
  if (outcome === 'corrected') await correctEmail(ctx, tx, account, new_email);
  else await askForChange(ctx, tx, account, new_email);
  const facts = { how: outcome === 'corrected' ? ('corrected' as const) : ('link sent' as const) };
  await recordAudit(tx, ctx, { act: 'member_email_changed', subject_id: account.id, facts });
  return { user_id: account.id, how: outcome };
}

async function askForChange(ctx: Ctx, tx: Tx, account: Profile, new_email: string): Promise<void> {
  if (!ctx.outbox.sends) throw new Refusal('EMAIL_SENDING_OFF');
  await consumeRateLimit({ ...ctx, db: tx }, `email-change|${account.id}`, EMAIL_CHANGES);
  const request = { asked_by_staff_id: ctx.actor.user_id };
  await storeEmailChange(ctx, tx, { own: account, new_email, asked: request });
}

/** Replaces the email, ends sessions and every link that went to the old inbox, and writes there once more. */
async function correctEmail(ctx: Ctx, tx: Tx, account: Profile, new_email: string): Promise<void> {
  const { outbox, venue, now, newId } = ctx;
  await tx.update(profiles).set({ email: new_email, updatedAt: now() }).where(eq(profiles.id, account.id));
  await revokeAccess(tx, { user_id: account.id, cause: 'email_changed' });
  await deleteRefusedEmails(tx, account.id);
  const to = { user_id: account.id, email: account.email, limited: true };
  const email = composeEmail(venue, authEmails.email_corrected.about(), null);
  await outbox.enqueue(tx, `email-corrected:${newId()}`, to, email);
}

/** Withdraws a change that waits for its link, by the member or by staff. Throws Refusal NOT_FOUND, STAFF_ACCOUNT. */
export async function withdrawMemberEmail(
  ctx: Ctx,
  { customer_id }: { customer_id: string },
): Promise<MemberAccount> {
  await ctx.db.transaction(async (tx) => {
    const account = await holdAccount(tx, { customer_id });
    const { user_id, new_email } = email_change;
    const filter = and(eq(user_id, account.id), ne(new_email, account.email));
    const rows = await tx.delete(email_change).where(filter).returning();
    if (rows.length === 0) return;
    await recordAudit(tx, ctx, {
      act: 'member_email_changed',
      subject_id: account.id,
      facts: { how: 'withdrawn' },
    });
  });
  return getMemberAccount(ctx, { customer_id });
}
