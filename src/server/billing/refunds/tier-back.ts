import { startOfDay } from '../../../domain/calendar.ts';
import type { Tx } from '../../db/client.ts';
import type { PendingTier } from '../../membership/dues/dues.ts';
import type { BillingDeps } from '../billing-context.ts';

/** Emails a member that the tier before a difference comes back, whose payment was refunded or voided. */
export const postTierBack = (
  deps: BillingDeps,
  tx: Tx,
  { user_id, payment, back }: { user_id: string; payment: string; back: PendingTier },
): Promise<void> =>
  deps.post(tx, {
    ...{ type: 'tier_change_scheduled', cause: `tier-back:${payment}`, user_id, to: back.tier },
    ...{ amount_cents: back.price_cents, currency: deps.currency, tax_behavior: 'unspecified' },
    ...{ effective_at: startOfDay(back.from, deps.venue.time_zone), by_venue: true },
  });
