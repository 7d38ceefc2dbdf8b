import type { EndOffer } from '../../../contract/staff/membership-end.ts';
import { isOverdue } from '../../../domain/billing.ts';
import { startOfDay } from '../../../domain/calendar.ts';
import { type EndFacts, endObstacle, venueEndIfCanceled } from '../../../domain/membership/end.ts';
import { chargeIfCanceled } from '../../../domain/membership/upcoming-charges.ts';
import { endsAt, endsWithPeriod, isEnded, isPausedAt } from '../../../domain/standing.ts';
import type { Db, Tx } from '../../db/client.ts';
import { and, desc, eq } from '../../db/orm.ts';
import { billing_reversal, customers, memberships } from '../../db/schema.ts';
import { userOfMember } from '../../pours/member-user.ts';
import type { BillingCall, BillingDeps } from '../billing-context.ts';
import { type EndAct, openEnd, openYear } from '../state/acts.ts';
import { currentSubscription } from '../state/current-subscription.ts';
import type { StoredSubscription } from '../state/local-state.ts';

type Membership = typeof memberships.$inferSelect;

/** A membership that can be ended; without a subscription, it is paid at the venue. */
export interface Endable extends EndFacts {
  membership: Membership;
  subscription: StoredSubscription | null;
  /** The end already set; null if the membership continues. */
  ends_at: Date | null;
  period_end: Date;
  begun: EndAct | null;
  /** The end was set by the member; otherwise by staff, or from the beginning, as for a gift. */
  by_member: boolean;
}

type Reader = Pick<BillingDeps, 'now' | 'venue'> & { db: Db | Tx };

/** The membership of a user, from our own copy; null if there is none, or it has ended or is being reversed. */
export async function readEndable(ctx: Reader, user_id: string): Promise<Endable | null> {
  const { db, now, venue } = ctx;
  const subscription = await currentSubscription(ctx, user_id);
  const bySubscription = subscription
    ? eq(memberships.stripe_subscription_id, subscription.stripe_subscription_id)
    : eq(memberships.status, 'active');
  const [row] = await db
    .select({ membership: memberships })
    .from(memberships)
    .innerJoin(customers, eq(customers.id, memberships.customer_id))
    .where(and(eq(customers.user_id, user_id), bySubscription))
    .orderBy(desc(memberships.start_date))
    .limit(1);
  if (!row) return null;
  const { membership } = row;
  const begun = await openEnd(db, membership.id);
  if (!subscription) {
    const ends_at = membership.ends_on ? startOfDay(membership.ends_on, venue.time_zone) : null;
    const { at, overdue } = venueEndIfCanceled(membership, now(), venue.time_zone);
    const [is_ending, by_member] = [ends_at !== null, membership.canceled_at !== null];
    const period_end = ends_at ?? at;
    return { membership, subscription: null, ends_at, is_ending, overdue, period_end, begun, by_member };
  }
  const { stripe_subscription_id, status, current_period_end } = subscription;
  const ends_at = endsAt(subscription);
  const reversed = eq(billing_reversal.stripe_subscription_id, stripe_subscription_id);
  const isOver = isEnded(status) || (ends_at && ends_at <= now());
  if (isOver || (await db.$count(billing_reversal, reversed)) > 0) return null;
  return {
    membership,
    subscription,
    ends_at,
    is_ending: endsWithPeriod(subscription),
    overdue: isOverdue(status),
    period_end: current_period_end,
    begun,
    by_member: begun === null && ends_at !== null,
  };
}

function lastCharged(row: StoredSubscription, now: Date): EndOffer['last_charge'] {
  const charge = chargeIfCanceled(row, now);
  return charge && { amount: charge.amount_cents, currency: row.currency, tax_behavior: row.tax_behavior };
}

function chargingNow({ status, charging_cents, currency, tax_behavior }: StoredSubscription) {
  if (status !== 'active' || charging_cents === null) return null;
  return { amount: charging_cents, currency, tax_behavior };
}

/** The current choices for ending a membership, for staff. Throws Refusal NOT_FOUND. */
export async function getEndOffer(
  { billing }: BillingCall,
  { customer_id }: { customer_id: string },
): Promise<EndOffer> {
  return readEndOffer(billing, await userOfMember(billing.db, customer_id));
}

/** As getEndOffer, for any user. */
export async function readEndOffer(ctx: Reader, user_id: string): Promise<EndOffer> {
  const found = await readEndable(ctx, user_id);
  if (!found) {
    const none = { paid_by: null, period_end: null, paused: false, last_charge: null };
    return { ...none, charging: null, ending: null, obstacle: 'no_membership' };
  }
  const { subscription, period_end, begun } = found;
  const asked_for = begun?.state === 'asked' ? begun.ends_at : null;
  const at = asked_for ?? found.ends_at;
  return {
    paid_by: subscription ? 'card' : 'venue',
    obstacle: endObstacle({ ...found, is_ending: found.is_ending || asked_for !== null }, 'period_end'),
    period_end: period_end.toISOString(),
    paused: subscription !== null && isPausedAt(subscription, ctx.now()),
    last_charge: subscription && lastCharged(subscription, ctx.now()),
    charging: subscription && chargingNow(subscription),
    ending: at && {
      at: at.toISOString(),
      by: await endedBy(ctx, user_id, found),
      under_way: begun?.state === 'asked' || begun?.state === 'withdrawing',
    },
  };
}

/** The person who set an end, or what follows it. */
async function endedBy(
  { db }: Reader,
  user_id: string,
  { membership, begun, by_member }: Endable,
): Promise<NonNullable<EndOffer['ending']>['by']> {
  if (membership.next_subscription_id) return 'card';
  if (begun) return 'venue';
  if (membership.stripe_subscription_id && (await openYear(db, user_id))) return 'year';
  return by_member ? 'member' : 'given';
}
