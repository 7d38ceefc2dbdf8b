import { eq } from 'drizzle-orm';
import { tierLabel } from '../../../domain/tiers.ts';
import type { Tx } from '../../db/client.ts';
import { profiles, tier_definitions } from '../../db/schema.ts';
import type { Venue } from '../../mail/email.ts';
import type { Outbox } from '../../mail/outbox.ts';
import type { BillingNotice } from '../billing-context.ts';
import { billingEmail } from './billing-emails.ts';

/** Enqueues the email about a billing notice in the transaction of its cause, so that both are committed or neither. */
export function billingMailer({ outbox, venue }: { outbox: Outbox; venue: Venue }) {
  return async (tx: Tx, notice: BillingNotice): Promise<void> => {
    const [profile] = await tx
      .select({ email: profiles.email, first_name: profiles.first_name })
      .from(profiles)
      .where(eq(profiles.id, notice.user_id));
    if (!profile) return;
    const tiers = await tx
      .select({ tier_name: tier_definitions.tier_name, display_name: tier_definitions.display_name })
      .from(tier_definitions);
    const names = new Map(tiers.map((it) => [it.tier_name, it.display_name]));
    const email = billingEmail(
      notice,
      profile.first_name,
      venue,
      (tier) => names.get(tier) ?? tierLabel(tier),
    );
    await outbox.enqueue(tx, notice.cause, { user_id: notice.user_id, email: profile.email }, email);
  };
}
