import type { Subscription, YearPayment } from '../../../contract/functions.ts';
import { Refusal } from '../../../contract/refusals.ts';
import { isOverdue } from '../../../domain/billing.ts';
import { unixSeconds } from '../../../domain/calendar.ts';
import {
  type Charge,
  chargeIfCanceled,
  monthlyCents,
  returnCents,
} from '../../../domain/membership/upcoming-charges.ts';
import { canPayYear } from '../../../domain/membership/year.ts';
import type { LeavingReason } from '../../../domain/reports/leaving-reason.ts';
import { endsAt, endsWithPeriod, isEnded, isPausedAt } from '../../../domain/standing.ts';
import { and, eq, isNull } from '../../db/orm.ts';
import { billing_customer, billing_reversal, memberships } from '../../db/schema.ts';
import { duesPricesOf } from '../../membership/dues/dues.ts';
import type { BillingCall, BillingContext, BillingDeps } from '../billing-context.ts';
import { orderReversal, overdueFrom } from '../refunds/reversal.ts';
import { CANCEL, keepParams } from '../request-params.ts';
import { type CollectionAct, latestCollection, leaveToMember, openYear } from '../state/acts.ts';
import { isPeriodPaid } from '../state/card-periods.ts';
import { comingCharges } from '../state/coming-charges.ts';
import { currentSubscription } from '../state/current-subscription.ts';
import type { StoredSubscription } from '../state/local-state.ts';
import { activeMembership } from '../state/local-state.ts';
import { isRefused, orUnavailable } from '../stripe-errors.ts';
import { noteCardLeavingReason } from './leaving-reason.ts';
import { releaseSchedule } from './schedule.ts';
import { readYearPayment } from './year-payment.ts';

/**
 * The account page's subscription, from our own copy, and a year that is being paid; null if there is none. Amounts in cents,
 * times in epoch seconds.
 */
export async function getSubscriptionDetails({
  billing,
  actor,
}: BillingCall): Promise<{ subscription: Subscription | null; year_payment: YearPayment | null }> {
  return {
    subscription: await readSubscription(billing, actor.user_id),
    year_payment: await readYearPayment(billing, actor.user_id),
  };
}

/** As getSubscriptionDetails, for any user. */
export async function readSubscription(ctx: BillingContext, userId: string): Promise<Subscription | null> {
  const row = await currentSubscription(ctx, userId);
  if (!row) return null;
  const { pending_tier, approval_tier, approval_until } = row;
  const ends = endsAt(row);
  const { next, change } = await comingCharges(ctx, row);
  const ifCanceled = chargeIfCanceled(row, ctx.now());
  const changed = change && { tier: change.tier, from: unixSeconds(change.at), amount: change.monthly_cents };
  return {
    status: row.status,
    cancel_at_period_end: endsWithPeriod(row),
    ends_at: ends && unixSeconds(ends),
    ended_on: await endedOn(ctx, row),
    current_period_end: unixSeconds(row.current_period_end),
    next_charge: next && chargeShown(next),
    charge_if_kept: await chargeIfKept(ctx, row),
    charge_if_canceled: ifCanceled && chargeShown(ifCanceled),
    amount: monthlyCents(row),
    currency: row.currency,
    tax_behavior: row.tax_behavior,
    tier: row.tier,
    pending_tier: pending_tier ? changed : null,
    approval:
      approval_tier && approval_until && approval_until > ctx.now()
        ? { tier: approval_tier, until: unixSeconds(approval_until) }
        : null,
    price_move: pending_tier ? null : changed,
    pause: pauseShown(row, ctx.now()),
    return_amount: isPausedAt(row, ctx.now()) ? returnCents(row) : null,
    grace_until: row.grace_until && unixSeconds(row.grace_until),
    ...(await yearShown(ctx, row)),
    is_charging: isCharging(ctx, row),
    collection: isOverdue(row.status) ? collectionShown(await latestCollection(ctx.db, row)) : null,
    payment_method: row.payment_method_type
      ? {
          type: row.payment_method_type,
          brand: row.card_brand,
          last4: row.card_last4,
          exp_month: row.card_exp_month,
          exp_year: row.card_exp_year,
          wallet: row.card_wallet,
        }
      : null,
  };
}

/** The year that follows the paid month, or what one would cost. */
async function yearShown(
  { db, now }: BillingContext,
  row: StoredSubscription,
): Promise<Pick<Subscription, 'year_cents' | 'year_from'>> {
  const year = await openYear(db, row.user_id);
  if (year) return { year_cents: null, year_from: unixSeconds(year.ends_at) };
  const membership = canPayYear(row, now()) ? await activeMembership(db, row.user_id) : undefined;
  const prices = membership?.stripe_subscription_id ? await duesPricesOf(db, membership) : null;
  return { year_cents: prices?.year_cents ?? null, year_from: null };
}

/** A renewal takes an hour from its date to its charge, or longer until Stripe's webhook about it has come. */
function isCharging({ now }: BillingContext, row: StoredSubscription): boolean {
  if (row.status !== 'active' || isPausedAt(row, now())) return false;
  return row.charging_cents !== null || (endsAt(row) === null && row.current_period_end <= now());
}

/** What came of charging a new payment method; null if nothing was charged. */
function collectionShown(act: CollectionAct | null): Subscription['collection'] {
  if (!act) return null;
  const { method, failure } = act.terms;
  if (act.state === 'asked' || act.state === 'set') return { state: 'under_way', code: null, method };
  return failure && { state: failure.why, code: failure.code, method };
}

/** A coming or running pause; null otherwise. */
export function pauseShown(row: StoredSubscription, now: Date): Subscription['pause'] {
  const { status, paused_from, paused_until } = row;
  if (!paused_from || isEnded(status) || (paused_until && paused_until <= now)) return null;
  return {
    from: unixSeconds(paused_from),
    until: paused_until && unixSeconds(paused_until),
    begun: isPausedAt(row, now),
  };
}

/** The day the subscription's membership ended; null while it is active, or if there is none. */
async function endedOn({ db }: BillingContext, row: StoredSubscription): Promise<string | null> {
  const [membership] = await db
    .select({ end_date: memberships.end_date })
    .from(memberships)
    .where(eq(memberships.stripe_subscription_id, row.stripe_subscription_id));
  return membership?.end_date ?? null;
}

/** The charge that resuming agrees to, perhaps at a price announced before; null while it renews. */
async function chargeIfKept(
  ctx: BillingContext,
  row: StoredSubscription,
): Promise<Subscription['charge_if_kept']> {
  const ends = endsAt(row);
  if (!ends || !endsWithPeriod(row) || ends <= ctx.now()) return null;
  const { next } = await comingCharges(ctx, { ...row, cancel_at: null, cancel_at_period_end: false });
  return next && chargeShown(next);
}

const chargeShown = ({ at, tier, amount_cents }: Charge) => ({
  at: unixSeconds(at),
  tier,
  amount: amount_cents,
});

/**
 * Cancels the subscription at the end of the paid period, also one that would end on a later day; access stays until then.
 * Drops a scheduled tier change.
 * While the payment of the running period is overdue, it ends at once and its open invoices are voided.
 * A repeated call returns the same result. `cancel_at` is in epoch seconds.
 * Throws Refusal NO_SUBSCRIPTION or PAYMENTS_UNAVAILABLE.
 */
export async function cancelSubscription(
  { billing: ctx, actor: { user_id } }: BillingCall,
  { reason }: { reason?: LeavingReason | undefined } = {},
): Promise<{ cancel_at: number }> {
  const canceled = await cancelAtStripe(ctx, user_id);
  await leaveToMember(ctx, user_id);
  if (reason) await noteCardLeavingReason(ctx, user_id, reason);
  return canceled;
}

async function cancelAtStripe(ctx: BillingContext, userId: string): Promise<{ cancel_at: number }> {
  const endedAt = await endOverdue(ctx, userId);
  if (endedAt) return { cancel_at: unixSeconds(endedAt) };
  const row = await changeSubscription(ctx, userId, 'cancel', {
    isDone: endsWithPeriod,
    request: (row, idempotencyKey) =>
      ctx.stripe.subscriptions.update(row.stripe_subscription_id, CANCEL, { idempotencyKey }),
  });
  return { cancel_at: unixSeconds(endsAt(row) ?? row.current_period_end) };
}

/**
 * Ends an overdue subscription at once and returns when; null if there is none. The decision is stored before the
 * request to Stripe, so that the sweeper or the next call completes it.
 */
async function endOverdue(ctx: BillingContext, userId: string): Promise<Date | null> {
  const { db, log, now } = ctx;
  const undone = and(
    eq(billing_reversal.user_id, userId),
    eq(billing_reversal.reason, 'canceled_overdue'),
    isNull(billing_reversal.done_at),
  );
  return orUnavailable(log, 'cancel', async () => {
    const [decided] = await db.select().from(billing_reversal).where(undone);
    const fetchedAt = now();
    const { open } = await ctx.reconcile(userId);
    if (decided) return open.includes('reversals') ? refuse() : now();
    const row = await currentSubscription(ctx, userId);
    // In a month that is paid, something else is overdue: it ends with that month.
    if (!row || !isOverdue(row.status) || (await isPeriodPaid(ctx.db, row))) return null;
    const { stripe_subscription_id, user_id } = row;
    const refund_from = overdueFrom(fetchedAt);
    await orderReversal(ctx, { stripe_subscription_id, user_id, reason: 'canceled_overdue', refund_from });
    return (await ctx.reconcile(userId)).open.includes('reversals') ? refuse() : now();
  });
}

function refuse(): never {
  throw new Refusal('PAYMENTS_UNAVAILABLE');
}

/** Withdraws a cancellation. Throws Refusal NO_SUBSCRIPTION (also if it has already ended) or PAYMENTS_UNAVAILABLE. */
export async function resumeSubscription(call: BillingCall): Promise<{ subscription: Subscription | null }> {
  const { billing: ctx, actor } = call;
  await leaveToMember(ctx, actor.user_id);
  await changeSubscription(ctx, actor.user_id, 'resume', {
    isDone: (row) => endsAt(row) === null,
    request: (row, idempotencyKey) =>
      ctx.stripe.subscriptions.update(row.stripe_subscription_id, keepParams(row), { idempotencyKey }),
  });
  return getSubscriptionDetails(call);
}

/**
 * Withdraws a tier change that is scheduled, or waits for the bank's approval. Throws Refusal NO_SUBSCRIPTION or
 * PAYMENTS_UNAVAILABLE.
 */
export async function cancelTierChange(call: BillingCall): Promise<{ subscription: Subscription | null }> {
  // Nothing to request: changeSubscription drops scheduled changes first.
  await changeSubscription(call.billing, call.actor.user_id, 'cancel tier change', {
    // A schedule without a tier change is a price move, which the member cannot cancel.
    isDone: (row) => row.pending_tier === null && row.approval_tier === null,
    request: async () => undefined,
  });
  return getSubscriptionDetails(call);
}

interface SubscriptionChange {
  isDone(row: StoredSubscription): boolean;
  request(row: StoredSubscription, idempotencyKey: string): Promise<unknown>;
}

const MAX_ROUNDS = 4;

/** Reconciles, and requests the change at Stripe until our copy shows it. */
async function changeSubscription(
  ctx: BillingContext,
  userId: string,
  name: string,
  { isDone, request }: SubscriptionChange,
): Promise<StoredSubscription> {
  const { log } = ctx;
  return orUnavailable(log, name, async () => {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      await ctx.reconcile(userId);
      const row = await currentSubscription(ctx, userId);
      if (!row || isEnded(row.status)) throw new Refusal('NO_SUBSCRIPTION');
      if (isDone(row)) return row;
      // Right before the request, so that no reconciliation puts a move on a schedule in between.
      await clearTheWay(ctx, row);
      // The version changes with each reconciliation, so that only a retry of this request reuses its key.
      const version = await syncVersion(ctx, userId);
      await request(row, `${name}:${row.stripe_subscription_id}:${version}`);
    }
    log.error({ user_id: userId, change: name }, 'Subscription change had no effect');
    throw new Refusal('PAYMENTS_UNAVAILABLE');
  });
}

/**
 * Drops a scheduled change, or one that waits for the bank: Stripe refuses to cancel or resume a subscription that has one.
 * True if there was one. Throws Stripe's errors.
 */
export async function clearTheWay(
  deps: Pick<BillingDeps, 'stripe' | 'log'>,
  row: StoredSubscription,
): Promise<boolean> {
  if (row.stripe_schedule_id) await releaseSchedule(deps, row.stripe_schedule_id);
  else if (row.approval_tier) await withdrawApproval(deps, row);
  else return false;
  return true;
}

/** Voids the invoice awaiting the bank's approval, so that Stripe discards the change. */
async function withdrawApproval(
  { stripe, log }: Pick<BillingDeps, 'stripe' | 'log'>,
  row: StoredSubscription,
): Promise<void> {
  const { pending_update, latest_invoice: latest } = await stripe.subscriptions.retrieve(
    row.stripe_subscription_id,
    { expand: ['latest_invoice'] },
  );
  if (!pending_update || !latest || typeof latest === 'string') return;
  try {
    await stripe.invoices.voidInvoice(latest.id);
  } catch (error) {
    if (!isRefused(error)) throw error;
    // The member approved the payment in the meantime; the next reconciliation shows it.
    log.warn({ invoice: latest.id, err: error }, 'Tier change could not be withdrawn');
  }
}

/**
 * The version of our copy of a user, which each reconciliation raises: part of the key of a request that may be made again
 * after the next one.
 */
export async function syncVersion({ db }: Pick<BillingDeps, 'db'>, userId: string): Promise<number> {
  const [row] = await db
    .select({ version: billing_customer.sync_version })
    .from(billing_customer)
    .where(eq(billing_customer.user_id, userId));
  return row?.version ?? 0;
}
