import { localDate } from '../../../domain/calendar.ts';
import { recurringCents } from '../../../domain/membership/upcoming-charges.ts';
import type { Tx } from '../../db/client.ts';
import { and, eq, isNotNull, isNull } from '../../db/orm.ts';
import {
  customers,
  household_seat,
  membership_applications,
  memberships,
  payment_link,
} from '../../db/schema.ts';
import { allowanceOf } from '../../pours/allowance.ts';
import type { BillingDeps, BillingNotice, LocalStatus } from '../billing-context.ts';
import { failureNotice, membershipNotices } from '../notices/membership-notices.ts';
import { changeAct, openEnd } from '../state/acts.ts';
import { comingCharges, priceChange } from '../state/coming-charges.ts';
import type { EvaluatedSubscription } from '../state/evaluate.ts';
import type { LocalState, Membership } from '../state/local-state.ts';
import type { StripeSnapshot } from '../state/stripe-snapshot.ts';
import { lastChargeOf } from './closing.ts';
import { storeAllowance, storeLastMonth } from './paid-periods.ts';

export interface MembershipChange {
  changed: boolean;
  localStatus: LocalStatus;
  notices: BillingNotice[];
}

/** Makes the subscription the user's membership, or updates the membership that it already is. */
export async function grantMembership(
  tx: Tx,
  deps: BillingDeps,
  local: LocalState,
  snapshot: StripeSnapshot,
  subscription: EvaluatedSubscription,
): Promise<MembershipChange> {
  const { user_id, tier, stripe_subscription_id } = subscription.row;
  const previous =
    local.memberships.find((it) => it.stripe_subscription_id === stripe_subscription_id) ?? null;
  const today = localDate(deps.now(), deps.venue.time_zone);
  for (const other of local.memberships) {
    if (other.status === 'active' && other !== previous) await endMembership(tx, other, today);
  }
  const staff_id = previous ? null : await signedUpBy(tx, user_id);
  const customer = await activateCustomer(tx, deps, local, { user_id, tier, staff_id });
  const membership = await storeMembership(tx, deps, customer.id, subscription, { previous, staff_id });
  const allowance = await storeAllowance(
    tx,
    deps,
    local,
    snapshot,
    { id: membership.id, customer_id: customer.id },
    subscription,
  );
  const isApproved = await approveApplication(tx, deps, local, user_id);
  // The member heard of it when they chose the card.
  const goesOn = local.memberships.some((it) => it.next_subscription_id === stripe_subscription_id);
  const notices = [
    ...membershipNotices(subscription, previous, allowance, local.customer !== null, deps.now()).filter(
      ({ type }) => !(goesOn && type === 'membership_started'),
    ),
    ...(await failureNotices(tx, deps, customer.id, subscription)),
  ];
  return {
    changed: customer.changed || membership.changed || allowance.changed || isApproved,
    localStatus: 'active',
    notices: previous
      ? await withPrice(tx, deps, subscription, await withVenue(tx, deps, previous.id, notices))
      : notices,
  };
}

/** One notice if a renewal failed since our last copy, otherwise none. */
async function failureNotices(
  tx: Tx,
  deps: BillingDeps,
  customer_id: string,
  subscription: EvaluatedSubscription,
): Promise<BillingNotice[]> {
  const { row, before } = subscription;
  if (!row.grace_until || before?.grace_until) return [];
  const has = await allowanceOf({ ...deps, db: tx }, 'id', customer_id);
  return has ? [failureNotice(subscription, row.grace_until, has)] : [];
}

/** The payment approves the user's application, if one is pending. */
export async function approveApplication(
  tx: Tx,
  { now }: BillingDeps,
  { applications }: LocalState,
  user_id: string,
): Promise<boolean> {
  if (![...applications.values()].includes('pending')) return false;
  const approved = await tx
    .update(membership_applications)
    .set({ status: 'approved', reviewed_at: now(), updated_at: now() })
    .where(and(eq(membership_applications.user_id, user_id), eq(membership_applications.status, 'pending')))
    .returning({ id: membership_applications.id });
  return approved.length > 0;
}

/** A cancellation records whether staff requested it; withdrawing it anywhere clears that. */
async function withVenue(
  tx: Tx,
  deps: BillingDeps,
  membership_id: string,
  notices: BillingNotice[],
): Promise<BillingNotice[]> {
  const changes = notices.filter(({ type }) => type.startsWith('cancellation_'));
  if (changes.length === 0) return notices;
  const end = await openEnd(tx, membership_id);
  const isWithdrawn = changes.some(({ type }) => type === 'cancellation_withdrawn');
  if (end?.state === 'set' && isWithdrawn) await changeAct({ ...deps, db: tx }, end, 'withdrawn');
  return notices.map((it) => (it.type === 'cancellation_scheduled' ? { ...it, by_venue: end !== null } : it));
}

/** The email about resuming names the coming price: a waiting move is in force again. */
async function withPrice(
  tx: Tx,
  { now }: BillingDeps,
  { row }: EvaluatedSubscription,
  notices: BillingNotice[],
): Promise<BillingNotice[]> {
  if (!notices.some((it) => 'price_change' in it)) return notices;
  const price_change = priceChange(row, await comingCharges({ db: tx, now }, row));
  return notices.map((it) => ('price_change' in it ? { ...it, price_change } : it));
}

/** The staff member who signed the user up at the bar; null if the user applied alone. */
export async function signedUpBy(tx: Tx, user_id: string): Promise<string | null> {
  const [link] = await tx
    .select({ staff_id: payment_link.created_by_staff_id })
    .from(payment_link)
    .innerJoin(membership_applications, eq(membership_applications.id, payment_link.application_id))
    .where(
      and(
        eq(payment_link.user_id, user_id),
        isNotNull(payment_link.continued_at),
        eq(membership_applications.status, 'pending'),
      ),
    );
  return link?.staff_id ?? null;
}

export async function activateCustomer(
  tx: Tx,
  { now, newId, venue }: BillingDeps,
  { customer }: LocalState,
  { user_id, tier, staff_id }: { user_id: string; tier: string; staff_id: string | null },
): Promise<{ id: string; changed: boolean }> {
  if (!customer) {
    const id = newId();
    const member_since = localDate(now(), venue.time_zone);
    await tx.insert(customers).values({
      id,
      user_id,
      tier,
      status: 'active',
      member_since,
      signed_up_by_staff_id: staff_id,
      created_at: now(),
    });
    return { id, changed: true };
  }
  const { id } = customer;
  if (customer.status === 'active' && customer.tier === tier) return { id, changed: false };
  await tx
    .update(customers)
    .set({ status: 'active', tier, signed_up_by_staff_id: staff_id ?? undefined })
    .where(eq(customers.id, id));
  return { id, changed: true };
}

async function storeMembership(
  tx: Tx,
  { now, newId, venue }: BillingDeps,
  customer_id: string,
  { row }: EvaluatedSubscription,
  { previous, staff_id }: { previous: Membership | null; staff_id: string | null },
): Promise<{ id: string; changed: boolean }> {
  const { tier, stripe_subscription_id } = row;
  const monthly_price_cents = recurringCents(row, now());
  const terms = { status: 'active' as const, tier, monthly_price_cents, end_date: null };
  if (!previous) {
    const [id, began_at] = [newId(), now()];
    await tx.insert(memberships).values({
      id,
      customer_id,
      start_date: localDate(began_at, venue.time_zone),
      began_at,
      stripe_subscription_id,
      recorded_by_staff_id: staff_id,
      ...terms,
    });
    return { id, changed: true };
  }
  const isSame =
    previous.status === 'active' &&
    previous.tier === tier &&
    previous.monthly_price_cents === monthly_price_cents;
  if (!isSame) await tx.update(memberships).set(terms).where(eq(memberships.id, previous.id));
  return { id: previous.id, changed: !isSame };
}

const sharesMembership = async (tx: Tx, customer_id: string): Promise<boolean> =>
  (await tx.$count(
    household_seat,
    and(eq(household_seat.customer_id, customer_id), isNull(household_seat.ended_at)),
  )) > 0;

/**
 * Ends the membership of a user whose subscriptions give no access; it resumes if Stripe reports a payment later. A
 * membership paid at the venue, or shared in a household, is left alone.
 */
export async function withdrawMembership(
  tx: Tx,
  deps: BillingDeps,
  local: LocalState,
  snapshot: StripeSnapshot,
  evaluated: EvaluatedSubscription[],
): Promise<MembershipChange> {
  const { customer } = local;
  const active = local.memberships.find((it) => it.status === 'active');
  const unchanged: MembershipChange = {
    changed: false,
    localStatus: customer?.status ?? 'none',
    notices: [],
  };
  if (!customer || (active && !active.stripe_subscription_id)) return unchanged;
  const everPaidByCard = local.memberships.some((it) => it.stripe_subscription_id);
  if (!everPaidByCard || (!active && customer.status === 'inactive')) return unchanged;
  // Active through a household.
  if (!active && (await sharesMembership(tx, customer.id))) return unchanged;
  const subscription = evaluated.find(
    ({ row }) => row.stripe_subscription_id === active?.stripe_subscription_id,
  );
  if (active) {
    if (subscription) await storeLastMonth(tx, deps, local, snapshot, active, subscription);
    const endedAt = subscription?.fetched?.ended_at ?? deps.now();
    await endMembership(tx, active, localDate(endedAt, deps.venue.time_zone));
  }
  await tx.update(customers).set({ status: 'inactive' }).where(eq(customers.id, customer.id));
  // A year may begin now.
  customer.status = 'inactive';
  // A reversal is announced once Stripe can charge nothing more (recordOutcome in reversal.ts).
  if (subscription?.candidate.reversed) return { changed: true, localStatus: 'inactive', notices: [] };
  const id = `${active?.stripe_subscription_id}:${localDate(deps.now(), deps.venue.time_zone)}`;
  const { user_id } = customer;
  const notice: BillingNotice =
    subscription?.standing === 'ended'
      ? {
          type: 'membership_ended',
          why: null,
          last_charge: lastChargeOf(subscription, snapshot),
          user_id,
          cause: `ended:${id}`,
        }
      : { type: 'membership_suspended', user_id, cause: `suspended:${id}` };
  return { changed: true, localStatus: 'inactive', notices: [notice] };
}

/** Ends a membership with a day, 'YYYY-MM-DD', or with its first day if that is later. */
export async function endMembership(
  tx: Tx,
  { id, start_date }: Pick<Membership, 'id' | 'start_date'>,
  day: string,
): Promise<void> {
  const end_date = day < start_date ? start_date : day;
  await tx.update(memberships).set({ status: 'ended', end_date }).where(eq(memberships.id, id));
}
