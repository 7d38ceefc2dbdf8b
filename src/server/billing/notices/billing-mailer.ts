import { tierLabel } from '../../../domain/tiers.ts';
import type { Tx } from '../../db/client.ts';
import { tier_definitions } from '../../db/schema.ts';
import { type MailContext, sendEmail } from '../../mail/send-email.ts';
import type { BillingNotice } from '../billing-context.ts';
import { billingEmail } from './billing-emails.ts';

/**
 * Enqueues the email about a billing notice in the transaction of its cause, so that both are committed or neither.
 * A deleted account gets none.
 */
export function billingMailer(mail: MailContext) {
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
      aboutMoney: true,
      compose: (venue, firstName) => billingEmail(notice, firstName, venue, nameOf),
    });
  };
}
