import {
  type Charge,
  type UpcomingCharges,
  upcomingCharges,
} from '../../../domain/membership/upcoming-charges.ts';
import type { Db, Tx } from '../../db/client.ts';
import type { NamedCharge, PriceChange } from '../billing-context.ts';
import { openMove } from './acts.ts';
import type { StoredSubscription } from './local-state.ts';

type Row = Omit<StoredSubscription, 'access_until' | 'look_again_at'>;

/** A subscription's next charge, and the changes then or later, from our own copy. */
export async function comingCharges(
  { db, now }: { db: Db | Tx; now(): Date },
  row: Row,
): Promise<UpcomingCharges> {
  return upcomingCharges(row, await openMove(db, row.stripe_subscription_id), now());
}

/** A charge in the form emails name it. */
export const namedCharge = ({ currency, tax_behavior }: Row, charge: Charge | null): NamedCharge | null =>
  charge && { amount_cents: charge.amount_cents, currency, tax_behavior };

/** The coming price in the form emails show it; given `after`, only a change following that charge. */
export function priceChange(
  { currency, tax_behavior }: Row,
  { change }: UpcomingCharges,
  after?: Date,
): PriceChange | null {
  if (!change || (after && change.at <= after)) return null;
  const { tier, monthly_cents, at: from } = change;
  return { tier, monthly_cents, currency, tax_behavior, from };
}
