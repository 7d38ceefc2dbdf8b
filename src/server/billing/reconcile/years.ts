import type { ActState } from '../../../domain/billing-act.ts';
import { addMonths, localDate, startOfDay } from '../../../domain/calendar.ts';
import { nextMonthTier, YEAR_MONTHS } from '../../../domain/membership/dues.ts';
import { giftLastDay } from '../../../domain/membership/gift.ts';
import { raiseOutcome, type YearMember, yearOutcome } from '../../../domain/membership/year.ts';
import { endsAt } from '../../../domain/standing.ts';
import { venueTierObstacle } from '../../../domain/tier-change.ts';
import type { Tx } from '../../db/client.ts';
import { and, eq, gte, inArray, isNotNull, isNull, ne, or } from '../../db/orm.ts';
import {
  billing_act,
  billing_payment,
  billing_refund,
  billing_subscription,
  checkout_attempt,
  memberships,
  tier_definitions,
} from '../../db/schema.ts';
import { recordDifference, recordYear } from '../../membership/dues/dues.ts';
import { lastYear } from '../../membership/dues/tiers-up.ts';
import { setVenueTier } from '../acts/venue-tier.ts';
import type { BillingDeps, BillingNotice } from '../billing-context.ts';
import { orderReturn } from '../refunds/order-refunds.ts';
import { isBeingShortened } from '../refunds/unused-months.ts';
import { changeAct, openYear } from '../state/acts.ts';
import type { FetchedPayment, PaidYear } from '../state/fetched-invoice.ts';
import { activeMembership, type LocalState, type Membership } from '../state/local-state.ts';
import type { StripeSnapshot } from '../state/stripe-snapshot.ts';
import { activateCustomer, approveApplication, signedUpBy } from '../sync/membership.ts';

type YearPayment = FetchedPayment & { year: PaidYear };

interface CountedYears {
  notices: BillingNotice[];
  /** A membership began, or payments go back: the next look at Stripe follows from it. */
  changed: boolean;
}

/**
 * Makes the paid years of a user count: each once, as a new membership or as further months of theirs. One that cannot count
 * goes back. The payments are stored; the caller holds the user's `billing_customer` and `customers`. docs/rules/years.md.
 */
export async function countYears(
  tx: Tx,
  deps: BillingDeps,
  userId: string,
  local: LocalState,
  snapshot: StripeSnapshot,
): Promise<CountedYears> {
  const counted: CountedYears = { notices: [], changed: false };
  const years = snapshot.payments.filter((it): it is YearPayment => it.year !== null);
  if (years.length === 0) return counted;
  const open = await openYear(tx, userId);
  /** The causes of ends that a year still follows. */
  const waiting: string[] = [];
  const toCount = await uncounted(tx, years);
  // Counted before or, as by a refund in Stripe's dashboard before we heard of it, given back: nothing more comes of its page.
  const settled = years.filter((it) => !toCount.includes(it)).map(({ year }) => year.attempt_id);
  await completeOrders(tx, userId, settled);
  if (toCount.length > 0 && (await isBeingShortened(tx, userId))) return counted;
  for (const payment of toCount) {
    if (!local.monthlyPours.has(payment.year.tier)) {
      deps.log.error({ user_id: userId, tier: payment.year.tier }, 'A year was paid for an unknown tier');
      continue;
    }
    const { from_tier } = payment.year;
    const notices =
      from_tier === null
        ? await countYear(tx, deps, userId, local, payment)
        : await countDifference(tx, deps, userId, payment, from_tier);
    if (notices === null) {
      waiting.push(causeOf(payment));
      continue;
    }
    counted.notices.push(...notices);
    counted.changed = true;
    await completeOrders(tx, userId, [payment.year.attempt_id]);
  }
  // The year has begun, or its money went back.
  if (open && !waiting.includes(open.cause)) await changeAct({ ...deps, db: tx }, open, 'done');
  return counted;
}

async function completeOrders(tx: Tx, userId: string, ids: string[]): Promise<void> {
  const isOwn = and(inArray(checkout_attempt.id, ids), eq(checkout_attempt.user_id, userId));
  await tx
    .update(checkout_attempt)
    .set({ status: 'completed' })
    .where(and(isOwn, ne(checkout_attempt.status, 'completed')));
}

/** Years that are neither counted nor given back. A refund of a part by staff leaves a year. */
async function uncounted(tx: Tx, years: YearPayment[]): Promise<YearPayment[]> {
  const { stripe_invoice_id, dues_id, amount_paid_cents } = billing_payment;
  const ids = years.map((it) => it.stripe_invoice_id);
  const isReturn = and(
    eq(billing_refund.stripe_invoice_id, stripe_invoice_id),
    or(isNotNull(billing_refund.returned_because), gte(billing_refund.amount_cents, amount_paid_cents)),
  );
  const rows = await tx
    .select({ id: stripe_invoice_id })
    .from(billing_payment)
    .leftJoin(billing_refund, isReturn)
    .where(and(inArray(stripe_invoice_id, ids), isNull(dues_id), isNull(billing_refund.id)));
  return years.filter(
    (it) =>
      rows.some(({ id }) => id === it.stripe_invoice_id) && it.amount_refunded_cents < it.amount_paid_cents,
  );
}

async function countYear(
  tx: Tx,
  deps: BillingDeps,
  user_id: string,
  local: LocalState,
  payment: YearPayment,
): Promise<BillingNotice[] | null> {
  const { tier } = payment.year;
  const membership = await activeMembership(tx, user_id);
  const ordered = await orderedEnd(tx, payment);
  const is_withdrawn = ordered !== undefined && (await isTakenBack(tx, ordered, membership));
  const outcome = yearOutcome({ ...memberOf(local, membership, payment.year), is_withdrawn }, tier);
  if (outcome === 'follows' && membership) {
    return ordered ? null : await orderEnd(tx, deps, user_id, membership, payment);
  }
  if (typeof outcome === 'object') {
    await orderReturn(tx, deps, user_id, payment, outcome.returned);
    return [];
  }
  const isNew = outcome === 'begins' || !membership;
  const { id } = isNew ? await beginMembership(tx, deps, user_id, local, tier) : membership;
  const { dues_id, paid_from, paid_until } = await recordYear(
    { ...deps, club: { current: deps.rules } },
    tx,
    id,
    {
      reference: payment.number,
      amount_cents: payment.year.price_cents,
    },
  );
  await connectDues(tx, payment, dues_id);
  const day = (date: string) => startOfDay(date, deps.venue.time_zone);
  const receipt = receiptOf(user_id, payment, { start: day(paid_from), end: day(paid_until) });
  if (!isNew) return [receipt];
  const started: BillingNotice = {
    type: 'year_started',
    cause: `year-started:${payment.stripe_invoice_id}`,
    user_id,
    tier,
    monthly_pours: local.monthlyPours.get(tier) ?? 0,
    last_day: day(giftLastDay(paid_until)),
  };
  return ordered ? [started] : [started, receipt];
}

/** Gives a member the dearer tier that they paid for in the months left of their year, or orders the money back. */
async function countDifference(
  tx: Tx,
  deps: BillingDeps,
  user_id: string,
  payment: YearPayment,
  from_tier: string,
): Promise<BillingNotice[]> {
  const { tier, months, price_cents } = payment.year;
  const membership = await activeMembership(tx, user_id);
  const today = localDate(deps.now(), deps.venue.time_zone);
  const state = {
    is_member: membership !== undefined,
    year: membership ? await lastYear(tx, membership) : null,
    obstacle: membership ? venueTierObstacle(membership, tier, deps.now()) : null,
  };
  const outcome = raiseOutcome(state, { from_tier, months }, today);
  if (typeof outcome === 'object' || !membership) {
    await orderReturn(tx, deps, user_id, payment, typeof outcome === 'object' ? outcome.returned : 'closed');
    return [];
  }
  const isTier = eq(tier_definitions.tier_name, tier);
  const [definition] = await tx.select().from(tier_definitions).where(isTier);
  const monthly_cents = definition?.monthly_price_cents ?? 0;
  const { monthly_pours } = await setVenueTier(deps, tx, membership, { tier, price_cents: monthly_cents });
  const { dues_id, paid_from, paid_until } = await recordDifference(
    { ...deps, club: { current: deps.rules } },
    tx,
    membership,
    {
      ...{ request_id: deps.newId(), reference: payment.number, amount_cents: price_cents, months, tier },
      ...{ method: 'online', by: null },
    },
  );
  await connectDues(tx, payment, dues_id);
  const day = (date: string) => startOfDay(date, deps.venue.time_zone);
  const changed: BillingNotice = {
    ...{ type: 'tier_changed', cause: `tier-up:${payment.stripe_invoice_id}`, user_id, from: from_tier },
    ...{ to: tier, added_pours: 0, monthly_pours, next_billing: day(paid_from) },
  };
  return [changed, receiptOf(user_id, payment, { start: day(paid_from), end: day(paid_until) })];
}

const connectDues = (tx: Tx, { stripe_invoice_id }: YearPayment, dues_id: string) =>
  tx.update(billing_payment).set({ dues_id }).where(eq(billing_payment.stripe_invoice_id, stripe_invoice_id));

const receiptOf = (
  user_id: string,
  { stripe_invoice_id, number, hosted_url, amount_paid_cents: amount_cents, currency, year }: YearPayment,
  period: { start: Date; end: Date },
): BillingNotice => ({
  type: 'payment_received',
  cause: `paid:${stripe_invoice_id}`,
  user_id,
  invoice: number ?? stripe_invoice_id,
  invoice_url: hosted_url,
  tier: year.tier,
  period,
  amount_cents,
  currency,
});

const causeOf = ({ stripe_invoice_id }: YearPayment) => `year:${stripe_invoice_id}`;

/**
 * Whether the end before a year was taken back: here, or, once Stripe had it, by letting the subscription renew, also in the
 * dashboard.
 */
async function isTakenBack(
  tx: Tx,
  { state }: { state: ActState },
  membership: Membership | undefined,
): Promise<boolean> {
  if (state !== 'set' || !membership?.stripe_subscription_id) return state === 'withdrawn';
  const [row] = await tx
    .select()
    .from(billing_subscription)
    .where(eq(billing_subscription.stripe_subscription_id, membership.stripe_subscription_id));
  return row !== undefined && endsAt(row) === null;
}

/** The end of a subscription that was ordered for a year; undefined if none was. */
async function orderedEnd(tx: Tx, payment: YearPayment): Promise<{ state: ActState } | undefined> {
  const [act] = await tx
    .select({ state: billing_act.state })
    .from(billing_act)
    .where(eq(billing_act.cause, causeOf(payment)));
  return act;
}

/** Ends a subscription with its paid period, so that the year begins then. */
async function orderEnd(
  tx: Tx,
  deps: BillingDeps,
  user_id: string,
  { id: membership_id, stripe_subscription_id }: Membership,
  payment: YearPayment,
): Promise<BillingNotice[]> {
  const [row] = await tx
    .select()
    .from(billing_subscription)
    .where(eq(billing_subscription.stripe_subscription_id, stripe_subscription_id ?? ''));
  if (!row) throw new Error(`A membership has no subscription: ${membership_id}`);
  const { current_period_start, current_period_end } = row;
  // What was renewed since is refunded.
  const begins_at = current_period_start > payment.paid_at ? current_period_start : current_period_end;
  const created_at = deps.now();
  await tx.insert(billing_act).values({
    ...{ id: deps.newId(), kind: 'end', user_id, cause: causeOf(payment), state: 'asked', due: created_at },
    ...{ stripe_subscription_id, membership_id, ends_at: begins_at, terms: { ends: 'year' } },
    ...{ asked_by: 'member', created_at },
  });
  const { tier } = payment.year;
  const cause = `year-ordered:${payment.stripe_invoice_id}`;
  const ordered: BillingNotice = { type: 'year_ordered', cause, user_id, tier, begins_at };
  const zone = deps.venue.time_zone;
  const end = startOfDay(addMonths(localDate(begins_at, zone), YEAR_MONTHS), zone);
  return [ordered, receiptOf(user_id, payment, { start: begins_at, end })];
}

function memberOf(
  { applications, memberships: before }: LocalState,
  membership: Membership | undefined,
  { application_id }: PaidYear,
): Omit<YearMember, 'is_withdrawn'> {
  const is_rejected = before.length === 0 && applications.get(application_id) === 'rejected';
  const is_move = application_id === '';
  if (!membership) return { membership: null, is_rejected, is_move };
  const { ends_on, stripe_subscription_id, is_gift, on_the_house } = membership;
  const payer = stripe_subscription_id ? 'card' : is_gift ? 'gift' : on_the_house ? 'house' : 'dues';
  return { membership: { payer, tier: nextMonthTier(membership), ends_on }, is_rejected, is_move };
}

/** Makes the user a member from today, and approves their application. */
async function beginMembership(
  tx: Tx,
  deps: BillingDeps,
  user_id: string,
  local: LocalState,
  tier: string,
): Promise<{ id: string }> {
  const staff_id = await signedUpBy(tx, user_id);
  const customer = await activateCustomer(tx, deps, local, { user_id, tier, staff_id });
  const [definition] = await tx.select().from(tier_definitions).where(eq(tier_definitions.tier_name, tier));
  const id = deps.newId();
  const began_at = deps.now();
  await tx.insert(memberships).values({
    id,
    customer_id: customer.id,
    tier,
    start_date: localDate(began_at, deps.venue.time_zone),
    began_at,
    status: 'active',
    monthly_price_cents: definition?.monthly_price_cents ?? 0,
    recorded_by_staff_id: staff_id,
  });
  await approveApplication(tx, deps, local, user_id);
  return { id };
}
