import { chooseMembership, endsMembership } from '../../../domain/billing.ts';
import { lookAgainAt } from '../../../domain/membership/look-again.ts';
import { accessUntil } from '../../../domain/standing.ts';
import { isUuid } from '../../../domain/uuid.ts';
import type { Tx } from '../../db/client.ts';
import { and, eq, inArray, ne } from '../../db/orm.ts';
import { hasValues, violatedConstraint } from '../../db/results.ts';
import { billing_customer, billing_subscription, checkout_attempt } from '../../db/schema.ts';
import { postStaffNotice } from '../../membership/staff-notices.ts';
import { carryOutActs } from '../acts/carry-out.ts';
import { askCollection } from '../acts/collections.ts';
import type { BillingDeps, BillingNotice, Reconciliation } from '../billing-context.ts';
import { lookAtGifts, refundGifts, type SeenGift, storeGifts } from '../gifts/gift-payment.ts';
import { carryOutRefunds } from '../refunds/carry-out-refunds.ts';
import { orderRefunds } from '../refunds/order-refunds.ts';
import { executeReversals, orderReversal, overdueFrom } from '../refunds/reversal.ts';
import { openYear } from '../state/acts.ts';
import { isPeriodPaid } from '../state/card-periods.ts';
import { type EvaluatedSubscription, evaluate, refundFrom } from '../state/evaluate.ts';
import type { FetchedSubscription } from '../state/fetched-subscription.ts';
import { type LocalState, localStatusOf, type Reversal, readLocalState } from '../state/local-state.ts';
import { unpinPaymentMethod } from '../state/payment-method.ts';
import { addPreviews } from '../state/previews.ts';
import { fetchSnapshot, type StripeSnapshot } from '../state/stripe-snapshot.ts';
import { longTrial, multiplePayments, unmatchedPayments } from '../state/tier-matching.ts';
import { isStripeError } from '../stripe-errors.ts';
import { closings, type NewReversal, reportKeptPayments } from '../sync/closing.ts';
import { grantMembership, type MembershipChange, withdrawMembership } from '../sync/membership.ts';
import { reportMissingCustomer } from '../sync/missing-customer.ts';
import { markPaidPeriods } from '../sync/paid-periods.ts';
import { storePayments } from '../sync/payments.ts';
import { arrangeCard, isUnclaimed } from './arrange-card.ts';
import { countYears } from './years.ts';

/** Another process reconciled this user, or staff reviewed their application, during the calls to Stripe. */
const OVERTAKEN = Symbol('overtaken');
const MAX_TRIES = 25;
/** Most rounds of fetching and carrying out: what one round did at Stripe is fetched by the next. */
const MAX_ROUNDS = 6;
const WORK = ['reversals', 'returns', 'refunds', 'gifts', 'acts'] as const;

/**
 * Brings our copy of one user in line with Stripe. Only this and an adoption write snapshots. A snapshot is written only if
 * no other was written since before it was fetched, so it is never older than what it replaces (docs/decisions/billing.md).
 * Throws Stripe's and the database's errors; then either nothing or one complete snapshot was written.
 */
export async function reconcile(deps: BillingDeps, userId: string): Promise<Reconciliation> {
  let changed = false;
  let rounds = 0;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const [account] = await deps.db
      .select()
      .from(billing_customer)
      .where(eq(billing_customer.user_id, userId));
    if (!account) return { changed: false, localStatus: await localStatusOf(deps, userId), open: [] };
    const snapshot = await addPreviews(deps, await fetchSnapshot(deps, account.stripe_customer_id));
    const gifts = await lookAtGifts(deps, userId, snapshot.charges);
    const written = await writeIfCurrent(deps, userId, account.sync_version, snapshot, gifts);
    if (written === OVERTAKEN) continue;
    changed ||= written.changed;
    for (const notice of written.notices) deps.log.info({ notice }, 'Billing notice');
    if (written.membership) {
      const { stripe_customer_id, sync_version } = account;
      await unpinPaymentMethod(deps, stripe_customer_id, written.membership, sync_version);
    }
    const attempt = (work: () => Promise<boolean>) => attemptAtStripe(deps, userId, work);
    const reversals = await attempt(() => executeReversals(deps, written.reversals, snapshot));
    const refund = (by: 'staff' | 'reversals') => attempt(() => carryOutRefunds(deps, userId, by, snapshot));
    const done = {
      reversals,
      // Nothing can be charged first.
      returns: reversals === 'failed' ? 'nothing' : await refund('reversals'),
      refunds: await refund('staff'),
      gifts: await attempt(() => refundGifts(deps, gifts)),
      // A subscription beside a year that has just begun is canceled.
      years: written.years ? 'progress' : 'nothing',
      // What was just canceled is fetched first.
      acts: reversals === 'progress' ? 'nothing' : await carryOutActs(deps, userId, snapshot),
    };
    rounds += 1;
    if (!Object.values(done).includes('progress') || rounds === MAX_ROUNDS) {
      const open = WORK.filter((it) => done[it] === 'failed');
      return { changed, localStatus: written.localStatus, open };
    }
    // Fetch once more, so that our copy shows what was just done, and the next steps follow from it.
  }
  throw new Error(`Billing of user ${userId} was overtaken ${MAX_TRIES} times`);
}

/**
 * Does work that is true if Stripe has to be read again. 'failed': Stripe failed, or refused for now (logged); what is left
 * is in committed rows.
 */
async function attemptAtStripe(
  { log }: BillingDeps,
  user_id: string,
  work: () => Promise<boolean>,
): Promise<'nothing' | 'progress' | 'failed'> {
  try {
    return (await work()) ? 'progress' : 'nothing';
  } catch (error) {
    if (!isStripeError(error)) throw error;
    log.error({ user_id, err: error }, 'A reversal or refund failed; the sweeper retries it');
    return 'failed';
  }
}

interface Written extends MembershipChange {
  membership: FetchedSubscription | null;
  reversals: Reversal[];
  /** A year has begun, or goes back. */
  years: boolean;
}

async function writeIfCurrent(
  deps: BillingDeps,
  userId: string,
  version: number,
  snapshot: StripeSnapshot,
  gifts: SeenGift[],
): Promise<Written | typeof OVERTAKEN> {
  try {
    return await deps.db.transaction(async (tx) => {
      // Locks the row too: of two simultaneous writers, the later waits here and finds another version.
      const [held] = await tx
        .update(billing_customer)
        .set({ sync_version: version + 1, synced_at: deps.now() })
        .where(and(eq(billing_customer.user_id, userId), eq(billing_customer.sync_version, version)))
        .returning({ version: billing_customer.sync_version });
      if (!held) return OVERTAKEN;
      const written = await writeSnapshot(tx, deps, userId, snapshot);
      // Gifts last: the lock order of redeeming.
      written.notices.push(...(await storeGifts(tx, deps, gifts)));
      for (const notice of written.notices) await deps.post(tx, notice);
      return written;
    });
  } catch (error) {
    // Staff approved the application at the same moment; the next try sees it.
    const constraint = violatedConstraint(error);
    if (constraint === 'customers_one_per_user' || constraint === 'memberships_one_active') return OVERTAKEN;
    throw error;
  }
}

/**
 * Writes a snapshot, in the caller's transaction, which holds the user's `billing_customer`. `adopted`: what ended before the
 * club took the customer over is not ours to close or to ask about.
 */
export async function writeSnapshot(
  tx: Tx,
  deps: BillingDeps,
  userId: string,
  snapshot: StripeSnapshot,
  { adopted } = { adopted: false },
): Promise<Written> {
  const local = await readLocalState(tx, userId, snapshot);
  const evaluated = evaluate(deps, userId, local, snapshot);
  const moves = await arrangeCard(tx, deps, userId, local, evaluated);
  const atVenue = local.memberships.find((it) => it.status === 'active' && !it.stripe_subscription_id);
  const choice = chooseMembership(
    evaluated.map((one) => ({ ...one.candidate, is_unclaimed: isUnclaimed(local, one) })),
    atVenue ? { next: atVenue.next_subscription_id } : null,
  );

  await reportMissingCustomer(tx, deps, userId, local, snapshot);
  for (const { stripe_price_id, ...facts } of unmatchedPayments(deps, userId, local, snapshot)) {
    const cause = `payment_unmatched:${facts.stripe_subscription_id}:${stripe_price_id}`;
    await postStaffNotice(tx, { kind: 'payment_unmatched', cause, user_id: userId, facts, at: deps.now() });
  }
  for (const facts of multiplePayments(local, snapshot)) {
    const cause = `paid_more_than_once:${facts.stripe_subscription_id}:${facts.quantity}`;
    await postStaffNotice(tx, { kind: 'paid_more_than_once', cause, user_id: userId, facts, at: deps.now() });
  }
  const chosenReversals = choice.reversals.flatMap(({ id, reason }) => {
    const one = evaluated.find(({ candidate }) => candidate.id === id);
    if (!one) return [];
    const refund_from = endsMembership(reason)
      ? overdueFrom(snapshot.fetched_at)
      : refundFrom(one, local, deps);
    return [{ one, reason, refund_from }];
  });
  const ended = adopted ? [] : closings(deps, local, evaluated, snapshot);
  const reversals = [...chosenReversals, ...ended];
  await storeReversals(tx, deps, userId, local, reversals);
  const isNews = await storeSubscriptions(tx, snapshot.fetched_at, evaluated);
  if (!adopted) await reportKeptPayments(tx, deps, local, evaluated, snapshot);
  const receipts = await storePayments(tx, userId, local, evaluated, snapshot);
  await orderRefunds(tx, deps, local, snapshot);
  await completeAttempts(tx, userId, local, snapshot);
  await markPaidPeriods(tx, deps, local, snapshot);

  const chosen = evaluated.find(({ candidate }) => candidate.id === choice.membership);
  const { changed, notices, ...card } = chosen
    ? await grantMembership(tx, deps, local, snapshot, chosen)
    : await withdrawMembership(tx, deps, local, snapshot, evaluated);
  const trial = chosen?.fetched && longTrial(chosen.fetched, chosen.row.tier);
  if (trial) {
    const cause = `long_trial:${trial.stripe_subscription_id}:${trial.ends_at}`;
    await postStaffNotice(tx, { kind: 'long_trial', cause, user_id: userId, facts: trial, at: deps.now() });
  }
  const years = await countYears(tx, deps, userId, local, snapshot);
  const localStatus = years.changed ? await localStatusOf({ ...deps, db: tx }, userId) : card.localStatus;
  if (chosen) await reportUnfinalized(tx, deps, chosen, snapshot);
  const due = chosen ?? (localStatus === 'active' ? null : onHold(evaluated));
  if (due) await askCollection(tx, deps, due, snapshot);
  await storeNextLooks(tx, snapshot.fetched_at, evaluated);
  return {
    changed: reversals.length > 0 || isNews || moves.length > 0 || changed || years.changed,
    localStatus,
    notices: [...moves, ...(await withoutEnd(tx, userId, years, notices)), ...receipts, ...years.notices],
    membership: chosen?.fetched ?? null,
    reversals: local.reversals,
    years: years.changed,
  };
}

const ENDS: BillingNotice['type'][] = ['cancellation_scheduled', 'membership_ended'];

/** A member whose year follows does not read that the membership ends. */
async function withoutEnd(
  tx: Tx,
  userId: string,
  years: { changed: boolean },
  notices: BillingNotice[],
): Promise<BillingNotice[]> {
  const isNamed = notices.some(({ type }) => ENDS.includes(type));
  const isFollowed = isNamed && (years.changed || (await openYear(tx, userId)) !== null);
  return isFollowed ? notices.filter(({ type }) => !ENDS.includes(type)) : notices;
}

/** Sets when each subscription is looked at again. */
async function storeNextLooks(tx: Tx, fetched_at: Date, evaluated: EvaluatedSubscription[]): Promise<void> {
  for (const { row, before } of evaluated) {
    const { status, current_period_start, paused_from, stripe_subscription_id } = row;
    const isRunning = status === 'active' || status === 'trialing';
    // A period that began in a pause has no charge.
    const isCharged = isRunning && !(paused_from && paused_from <= current_period_start);
    const is_unpaid = isCharged && (await isPeriodPaid(tx, row)) === false;
    const look_again_at = lookAgainAt(row, { is_unpaid }, fetched_at);
    if (look_again_at?.getTime() === before?.look_again_at?.getTime()) continue;
    await tx
      .update(billing_subscription)
      .set({ look_again_at })
      .where(eq(billing_subscription.stripe_subscription_id, stripe_subscription_id));
  }
}

/** Notifies staff of a membership's invoices that Stripe could not finalize, and so does not charge. */
async function reportUnfinalized(
  tx: Tx,
  { log, now }: BillingDeps,
  { row: { user_id, stripe_subscription_id } }: EvaluatedSubscription,
  { due }: StripeSnapshot,
): Promise<void> {
  for (const { finalization_error: why, ...invoice } of due) {
    if (!why || invoice.stripe_subscription_id !== stripe_subscription_id) continue;
    const { amount_cents, currency, stripe_invoice_id } = invoice;
    log.error({ user_id, invoice: stripe_invoice_id }, 'Stripe could not finalize an invoice');
    const facts = { amount_cents, currency, stripe_invoice_id, why };
    const cause = `invoice_not_finalized:${stripe_invoice_id}`;
    await postStaffNotice(tx, { kind: 'invoice_not_finalized', cause, user_id, facts, at: now() });
  }
}

/** The membership that Stripe gave up collecting for, which a payment brings back; null without one. */
function onHold(evaluated: EvaluatedSubscription[]): EvaluatedSubscription | null {
  const held = evaluated
    .filter(({ row, candidate }) => row.status === 'unpaid' && candidate.was_membership)
    .filter(({ candidate }) => !candidate.reversed);
  return held.sort((a, b) => b.row.created_at.getTime() - a.row.created_at.getTime())[0] ?? null;
}

/** Adds new reversals to `local`. */
async function storeReversals(
  tx: Tx,
  deps: BillingDeps,
  userId: string,
  local: LocalState,
  reversals: NewReversal[],
): Promise<void> {
  for (const { one, reason, refund_from } of reversals) {
    const { id } = one.candidate;
    one.candidate.reversed = true;
    deps.log.warn(
      { user_id: userId, subscription: id, reason, refund_from },
      'Subscription must be reversed',
    );
    const reversal = { stripe_subscription_id: id, user_id: userId, reason, refund_from };
    local.reversals.push(...(await orderReversal({ ...deps, db: tx }, reversal)));
  }
}

/** Stores new and changed subscriptions, and when all were fetched. True if any differs. */
async function storeSubscriptions(
  tx: Tx,
  synced_at: Date,
  evaluated: EvaluatedSubscription[],
): Promise<boolean> {
  const { stripe_subscription_id } = billing_subscription;
  const same: string[] = [];
  let isNews = false;
  for (const { row, candidate, before } of evaluated) {
    const { synced_at: _, ...shown } = row;
    const values = { ...shown, access_until: candidate.reversed ? null : accessUntil(row, synced_at) };
    isNews ||= !before || !hasValues(before, shown);
    const set = { ...values, synced_at };
    if (before && hasValues(before, set)) continue;
    if (before && hasValues(before, values)) {
      same.push(row.stripe_subscription_id);
    } else {
      await tx
        .insert(billing_subscription)
        .values(set)
        .onConflictDoUpdate({ target: stripe_subscription_id, set });
    }
  }
  if (same.length > 0)
    await tx.update(billing_subscription).set({ synced_at }).where(inArray(stripe_subscription_id, same));
  return isNews;
}

/**
 * Completes the attempts behind the subscriptions, except while the first payment is open. A subscription stored with its
 * first payment has completed its attempt before.
 */
async function completeAttempts(
  tx: Tx,
  userId: string,
  { subscriptions: stored }: LocalState,
  { subscriptions: fetched }: StripeSnapshot,
): Promise<void> {
  const isBegun = ({ status }: { status: string }) =>
    status !== 'incomplete' && status !== 'incomplete_expired';
  const known = new Set(stored.filter(isBegun).map((it) => it.stripe_subscription_id));
  const ids = fetched
    .filter((it) => isBegun(it) && !known.has(it.id))
    .map(({ metadata }) => metadata.attempt_id)
    .filter((id) => id !== undefined && isUuid(id));
  if (ids.length === 0) return;
  await tx
    .update(checkout_attempt)
    .set({ status: 'completed' })
    .where(
      and(
        inArray(checkout_attempt.id, ids as string[]),
        eq(checkout_attempt.user_id, userId),
        ne(checkout_attempt.status, 'completed'),
      ),
    );
}
