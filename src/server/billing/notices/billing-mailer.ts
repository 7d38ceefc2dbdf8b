import { tierLabel } from '../../../domain/tiers.ts';
import type { Tx } from '../../db/client.ts';
import { tier_definitions } from '../../db/schema.ts';
import { type MailContext, sendEmail } from '../../mail/send-email.ts';
import { openSeatOf } from '../../membership/household/seats.ts';
import type { BillingNotice } from '../billing-context.ts';
import { billingEmail, partnerEmail } from './billing-emails.ts';
import { isPartnersNews } from './partner-letters.ts';

/**
 * Enqueues the email about a billing notice, and that to the partner of a household, in the transaction of its cause, so that
 * all are committed or none.
 * A deleted account gets none. `again`: staff send it once more, to the member alone, and limited as any other email.
 */
export function billingMailer(mail: MailContext, { again } = { again: false }) {
  return async (tx: Tx, notice: BillingNotice): Promise<void> => {
    const { cause, user_id } = notice;
    const tiers = await tx
      .select({ tier_name: tier_definitions.tier_name, display_name: tier_definitions.display_name })
      .from(tier_definitions);
    const names = new Map(tiers.map((it) => [it.tier_name, it.display_name]));
    const nameOf = (tier: string) => names.get(tier) ?? tierLabel(tier);
    await sendEmail(mail, tx, {
      user_id,
      cause,
      aboutMoney: !again,
      compose: (venue, firstName) => billingEmail(notice, firstName, venue, nameOf),
    });
    if (!again) await tellPartner(mail, tx, notice);
  };
}

/** A holder who deletes the account ends the membership first. The letter about that account says all of it, and withdraws this one. */
const END_MAY_BE_A_DELETION_MS = 120_000;

/** What changes for who shares the membership: docs/rules/households.md, "Household". */
async function tellPartner(mail: MailContext, tx: Tx, notice: BillingNotice): Promise<void> {
  if (!isPartnersNews(notice)) return;
  const seat = await openSeatOf(tx, notice.user_id);
  if (!seat || seat.holder_user_id !== notice.user_id) return;
  await sendEmail(mail, tx, {
    user_id: seat.partner_user_id,
    cause: `${notice.cause}:partner`,
    aboutMoney: true,
    ...(notice.type === 'membership_ended' && { delayMs: END_MAY_BE_A_DELETION_MS }),
    compose: (venue, firstName) => partnerEmail(notice, { holder: seat.holder_name, firstName }, venue),
  });
}
