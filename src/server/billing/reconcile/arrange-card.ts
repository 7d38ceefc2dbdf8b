import { firstCardDay } from '../../../domain/membership/to-card.ts';
import { endsWithPeriod, isEnded } from '../../../domain/standing.ts';
import type { Tx } from '../../db/client.ts';
import { eq } from '../../db/orm.ts';
import { memberships } from '../../db/schema.ts';
import type { BillingDeps, BillingNotice } from '../billing-context.ts';
import { type EvaluatedSubscription, goesOnFromVenue } from '../state/evaluate.ts';
import type { LocalState, Membership } from '../state/local-state.ts';

/**
 * Joins a membership at the venue to the subscription that its member ordered to go on from it, and parts them again if that
 * has ended. A subscription that no membership waits for is reversed like any other. docs/rules/dues.md.
 */
export async function arrangeCard(
  tx: Tx,
  deps: BillingDeps,
  user_id: string,
  local: LocalState,
  evaluated: EvaluatedSubscription[],
): Promise<BillingNotice[]> {
  const membership = local.memberships.find((it) => it.status === 'active' && !it.stripe_subscription_id);
  if (!membership) return [];
  const { id, next_subscription_id: next } = membership;
  if (next !== null) {
    const one = evaluated.find(({ candidate }) => candidate.id === next);
    if (one && !isEnded(one.row.status) && !endsWithPeriod(one.row) && !one.candidate.reversed) return [];
    await change(tx, membership, { next_subscription_id: null, ends_on: null, canceled_at: null });
    const cause = `card-lost:${id}:${next}`;
    return [{ type: 'cancellation_withdrawn', cause, user_id, price_change: null }];
  }
  const one = evaluated.find(isNew);
  if (!one) return [];
  const { row } = one;
  const first_charge = row.status === 'trialing' ? row.current_period_end : deps.now();
  const ends_on = firstCardDay(membership, first_charge, deps.venue.time_zone);
  if (ends_on === null) return [];
  const next_subscription_id = row.stripe_subscription_id;
  await change(tx, membership, { next_subscription_id, ends_on, canceled_at: deps.now() });
  const { tier, amount_cents: monthly_cents, currency, tax_behavior } = row;
  const cause = `card-ordered:${next_subscription_id}`;
  const terms = { tier, monthly_cents, currency, tax_behavior };
  return [{ type: 'card_ordered', cause, user_id, ...terms, first_charge }];
}

/** Whether a subscription was ordered to take over from a membership at the venue, and none waits for it. */
export function isUnclaimed(
  { memberships: all }: LocalState,
  { fetched, candidate }: EvaluatedSubscription,
): boolean {
  if (!fetched || candidate.was_membership || !goesOnFromVenue(fetched)) return false;
  return all.every((it) => it.next_subscription_id !== candidate.id);
}

/** Just ordered: what was kept at the venue after that does not come back. */
const isNew = ({ fetched, before, row }: EvaluatedSubscription): boolean =>
  fetched !== null &&
  goesOnFromVenue(fetched) &&
  (before === null || before.status === 'incomplete') &&
  (row.status === 'active' || row.status === 'trialing');

async function change(
  tx: Tx,
  membership: Membership,
  values: Pick<Membership, 'next_subscription_id' | 'ends_on' | 'canceled_at'>,
): Promise<void> {
  await tx.update(memberships).set(values).where(eq(memberships.id, membership.id));
  Object.assign(membership, values);
}
