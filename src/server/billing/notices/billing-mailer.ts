import { tierLabel } from '../../../domain/tiers.ts';
import type { Tx } from '../../db/client.ts';
import { tier_definitions } from '../../db/schema.ts';
import { type MailContext, sendEmail } from '../../mail/send-email.ts';
import { openSeatOf } from '../../membership/household/seats.ts';
import type { BillingNotice } from '../billing-context.ts';
import { noticeEmail, partnerNoticeEmail } from './notice-emails.ts';

/**
 * Enqueues the emails about a billing notice, to the member and a household's partner, in the transaction of its cause, so
 * that all are committed or none. Deleted accounts get none. `again`: staff resend it to the member alone, and it counts
 * against the limit on emails.
 */
export function billingMailer(mail: MailContext, { again } = { again: false }) {
  return async (tx: Tx, notice: BillingNotice): Promise<void> => {
    const { cause, user_id } = notice;
    const tiers = await tx
      .select({ tier_name: tier_definitions.tier_name, display_name: tier_definitions.display_name })
      .from(tier_definitions);
    const names = new Map(tiers.map((it) => [it.tier_name, it.display_name]));
    const label = (tier: string) => names.get(tier) ?? tierLabel(tier);
    await sendEmail(mail, tx, { user_id, cause, aboutMoney: !again, email: noticeEmail(notice), label });
    if (!again) await emailPartner(mail, tx, notice);
  };
}

/** A deletion ends the membership first; the email about it covers both, and withdraws the one about the end. */
const END_MAY_BE_A_DELETION_MS = 120_000;

/** Emails the partner who shares the membership: docs/rules/households.md, "Household". */
async function emailPartner(mail: MailContext, tx: Tx, notice: BillingNotice): Promise<void> {
  const emailAbout = partnerNoticeEmail(notice);
  if (!emailAbout) return;
  const seat = await openSeatOf(tx, notice.user_id);
  if (!seat || seat.holder_user_id !== notice.user_id) return;
  await sendEmail(mail, tx, {
    user_id: seat.partner_user_id,
    cause: `${notice.cause}:partner`,
    aboutMoney: true,
    ...(notice.type === 'membership_ended' && { delayMs: END_MAY_BE_A_DELETION_MS }),
    email: emailAbout(seat.holder_name),
  });
}
