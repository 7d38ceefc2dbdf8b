import { Refusal } from '../../../contract/refusals.ts';
import type { MemberEmail } from '../../../contract/staff/member-emails.ts';
import { MEMBERSHIP_EMAILS, type MembershipEmail } from '../../../domain/staff/access-email.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import type { AuthContext } from '../../auth/auth-context.ts';
import { holdAccount } from '../../auth/member-account/member-account.ts';
import { consumeResend } from '../../auth/member-account/resend-access-email.ts';
import type { Db } from '../../db/client.ts';
import { and, eq } from '../../db/orm.ts';
import { customers, deliveries } from '../../db/schema.ts';
import { billingMailer } from './billing-mailer.ts';
import { causeAgain, storedNotice } from './stored-notices.ts';

// Rules: docs/rules/members.md, "A member's account, by staff".

const DAY = 86_400;

/** The emails that staff can send a member again, and when each went out last. Throws Refusal NOT_FOUND. */
export async function listMemberEmails(
  { db }: { db: Db },
  { customer_id }: { customer_id: string },
): Promise<MemberEmail[]> {
  const [customer] = await db.select().from(customers).where(eq(customers.id, customer_id));
  if (!customer) throw new Refusal('NOT_FOUND', { what: 'customer' });
  const letters: MemberEmail[] = [];
  for (const letter of MEMBERSHIP_EMAILS) {
    const stored = await storedNotice(db, customer.user_id, letter);
    if (stored) letters.push({ letter, sent_at: stored.sent_at?.toISOString() ?? null });
  }
  return letters;
}

/**
 * Resends the last receipt or the welcome from stored data: nothing is charged, and Stripe is not asked. Throws what
 * holdAccount throws, and Refusal NOTHING_TO_SEND, EMAIL_SENDING_OFF, or TOO_MANY_ATTEMPTS: also when an unconfirmed email
 * has reached its daily limit.
 */
export async function resendNotice(
  ctx: AuthContext,
  { customer_id, letter }: { customer_id: string; letter: MembershipEmail },
): Promise<MemberEmail[]> {
  if (!ctx.outbox.sends) throw new Refusal('EMAIL_SENDING_OFF');
  await ctx.db.transaction(async (tx) => {
    const { id } = await holdAccount(tx, { customer_id });
    const stored = await storedNotice(tx, id, letter);
    if (!stored) throw new Refusal('NOTHING_TO_SEND');
    await consumeResend(ctx, tx, id);
    const cause = causeAgain(stored.notice, ctx.newId());
    await billingMailer(ctx, { again: true })(tx, { ...stored.notice, cause });
    if ((await tx.$count(deliveries, and(eq(deliveries.kind, 'email'), eq(deliveries.cause, cause)))) === 0) {
      throw new Refusal('TOO_MANY_ATTEMPTS', { retry_after_seconds: DAY });
    }
    await recordAudit(tx, ctx, { act: 'letter_sent', subject_id: id, facts: { letter } });
  });
  return listMemberEmails(ctx, { customer_id });
}
