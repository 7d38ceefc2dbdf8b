import { type UpcomingCharges, upcomingCharges } from '../../../domain/membership/upcoming-charges.ts';
import type { Db, Tx } from '../../db/client.ts';
import { openMove } from '../acts/acts.ts';
import type { PriceChange } from '../billing-context.ts';
import type { StoredSubscription } from '../sync/local-state.ts';

type Row = Omit<StoredSubscription, 'access_until'>;

/** What a subscription is charged next, and what changes then or later, from our own copy. */
export async function comingCharges(
  { db, now }: { db: Db | Tx; now(): Date },
  row: Row,
): Promise<UpcomingCharges> {
  return upcomingCharges(row, await openMove(db, row.stripe_subscription_id), now());
}

/** The price that follows, as emails name it: only what comes after the charge at `after`, where one is given. */
export function priceChange(
  { currency, tax_behavior }: Row,
  { change }: UpcomingCharges,
  after?: Date,
): PriceChange | null {
  if (!change || (after && change.at <= after)) return null;
  const { tier, monthly_cents, at: from } = change;
  return { tier, monthly_cents, currency, tax_behavior, from };
}
