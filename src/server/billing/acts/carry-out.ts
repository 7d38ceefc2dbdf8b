import { isOverdue } from '../../../domain/billing.ts';
import { OPEN_ACTS } from '../../../domain/billing-act.ts';
import { resumesAt, pauseStep as stepOfPause } from '../../../domain/membership/pause.ts';
import { moveStep as stepOfMove } from '../../../domain/price-move.ts';
import { endsAt, endsWithPeriod, isEnded } from '../../../domain/standing.ts';
import { CHANGE_TIMEOUT_MINUTES } from '../../../domain/tier-change.ts';
import { and, eq, gt, inArray, or, sql } from '../../db/orm.ts';
import { billing_act, tier_change } from '../../db/schema.ts';
import type { BillingDeps } from '../billing-context.ts';
import { ensurePrice, repairPrice } from '../catalog.ts';
import { orderReversal, overdueFrom } from '../refunds/reversal.ts';
import { CANCEL, keepParams, PAUSE_OVER, pauseParams } from '../request-params.ts';
import { type AnyAct, changeAct, type EndAct, type MoveAct, moveOf, type PauseAct } from '../state/acts.ts';
import { currentSubscription } from '../state/current-subscription.ts';
import type { StoredSubscription } from '../state/local-state.ts';
import type { StripeSnapshot } from '../state/stripe-snapshot.ts';
import { isRefused, isStripeError } from '../stripe-errors.ts';
import { releaseSchedule, schedulePrice } from '../subscription/schedule.ts';
import { clearTheWay, syncVersion } from '../subscription/subscription.ts';
import { collectionStep } from './collections.ts';

/** progress: Stripe has to be read again, because something may have changed. failed: Stripe failed or refused (logged). */
type StepResult = 'nothing' | 'progress' | 'failed';

/** Longest time until an act that only waits is looked at again. Usually another reconciliation sees its reason sooner. */
const WAIT_MS = 86_400_000;

/**
 * Makes the next step of each of a user's acts, up to the first one with progress. Uses our copy of the subscription, which
 * has just been brought in line with Stripe. Safe to repeat: each request sets a state. What Stripe fails to do is due at
 * once, for the sweeper.
 */
export async function carryOutActs(
  deps: BillingDeps,
  userId: string,
  snapshot: StripeSnapshot,
): Promise<StepResult> {
  let result: StepResult = 'nothing';
  const acts = await unsettledActs(deps, userId);
  const current = acts.length > 0 ? await currentSubscription(deps, userId) : null;
  for (const act of acts) {
    const isOurs = current?.stripe_subscription_id === act.stripe_subscription_id;
    const step = await carryOut(deps, act, isOurs ? current : null, snapshot);
    // Our copy is old now: it is fetched again before the next step.
    if (step === 'progress') return step;
    if (step === 'failed') result = step;
  }
  return result;
}

/**
 * Open acts and, while no pause is open, pauses that would not be over yet, but were withdrawn, refused, or ended by a return
 * while they were extended: a late request may have set them at Stripe.
 */
async function unsettledActs({ db, now }: BillingDeps, userId: string): Promise<AnyAct[]> {
  const { user_id, kind, state, terms, ends_at, created_at } = billing_act;
  const isOpen = inArray(state, OPEN_ACTS);
  const isReturned = and(eq(state, 'done'), sql`${terms} ->> 'extended_from' is not null`);
  const isOff = or(inArray(state, ['withdrawn', 'refused']), isReturned);
  const mayBeSet = and(eq(kind, 'pause'), isOff, gt(ends_at, now()));
  const acts = (await db
    .select()
    .from(billing_act)
    .where(and(eq(user_id, userId), or(isOpen, mayBeSet)))
    .orderBy(created_at)) as AnyAct[];
  const isPausing = acts.some((it) => it.kind === 'pause' && isOpenNow(it));
  return acts.filter((it) => isOpenNow(it) || !isPausing);
}

const isOpenNow = ({ state }: AnyAct) => OPEN_ACTS.some((it) => it === state);

async function carryOut(
  deps: BillingDeps,
  act: AnyAct,
  row: StoredSubscription | null,
  snapshot: StripeSnapshot,
): Promise<StepResult> {
  const { id, kind, user_id, due } = act;
  try {
    const step = await stepOf(deps, act, row, snapshot);
    if (step === 'nothing' && due && due <= deps.now()) {
      const later = isOpenNow(act) ? new Date(deps.now().getTime() + WAIT_MS) : null;
      // The step may have changed it.
      const isSame = and(eq(billing_act.id, id), eq(billing_act.state, act.state), eq(billing_act.due, due));
      await deps.db.update(billing_act).set({ due: later }).where(isSame);
    }
    return step;
  } catch (error) {
    if (!isStripeError(error)) throw error;
    deps.log.error(
      { err: error, user_id, act: id, kind },
      'An act on billing failed; the sweeper retries it',
    );
    await deps.db.update(billing_act).set({ due: deps.now() }).where(eq(billing_act.id, id));
    return 'failed';
  }
}

function stepOf(
  deps: BillingDeps,
  act: AnyAct,
  row: StoredSubscription | null,
  snapshot: StripeSnapshot,
): Promise<StepResult> {
  switch (act.kind) {
    case 'pause':
      return pauseStep(deps, act, row);
    case 'end':
      return endStep(deps, act, row);
    case 'price_move':
      return moveStep(deps, act, row);
    case 'collection':
      return collectionStep(deps, act, row, snapshot);
  }
}

const MINUTE_MS = 60_000;

/**
 * The next step of each kind of act, by our reconciled copy of its subscription, which is null if it is not the membership
 * any more. 'progress' if Stripe has to be read again before the next step. Throws Stripe's errors.
 */
type Step = Promise<'nothing' | 'progress'>;

/** docs/rules/membership.md, "Pausing". */
async function pauseStep(deps: BillingDeps, act: PauseAct, row: StoredSubscription | null): Step {
  const { extended_from: before, ...terms } = act.terms;
  const extended_from = before === undefined ? null : new Date(before);
  const step = stepOfPause({ ...act, extended_from }, row, deps.now());
  if (step === 'wait' || !act.stripe_subscription_id) return 'nothing';
  if (step === 'clear') {
    await deps.stripe.subscriptions.update(act.stripe_subscription_id, PAUSE_OVER);
    return 'progress';
  }
  if (step === 'shorten') return shorten(deps, act);
  if (step !== 'request') {
    await changeAct(deps, act, step, step === 'set' ? { due: act.ends_at, terms } : {});
    return 'nothing';
  }
  // The schedule of a move to another price, which is made again after the pause.
  if (row?.stripe_schedule_id) await releaseSchedule(deps, row.stripe_schedule_id);
  try {
    await deps.stripe.subscriptions.update(act.stripe_subscription_id, pauseParams(resumesAt(act.ends_at)));
  } catch (error) {
    if (isRefused(error)) await (extended_from ? shorten(deps, act) : changeAct(deps, act, 'refused'));
    throw error;
  }
  return 'progress';
}

/** Gives up an extension: the pause ends as it did before. */
async function shorten(deps: BillingDeps, act: PauseAct): Step {
  const { extended_from, ...terms } = act.terms;
  if (extended_from === undefined) return 'nothing';
  const ends_at = new Date(extended_from);
  await changeAct(deps, act, 'set', { due: ends_at, ends_at, terms: { ...terms, months: terms.months - 1 } });
  return 'nothing';
}

/** docs/rules/membership.md, "Ending by staff". */
async function endStep(deps: BillingDeps, act: EndAct, row: StoredSubscription | null): Step {
  if (act.state !== 'asked' && act.state !== 'withdrawing') return 'nothing';
  const to = act.state === 'asked' ? 'set' : 'withdrawn';
  if (row && !isEnded(row.status)) {
    const isRenewed = row.current_period_end > act.ends_at;
    if (to === 'set' && (isRenewed || isOverdue(row.status))) {
      // Stripe was not reached in time: the membership was renewed past the announced day, or its renewal is unpaid.
      await endAtOnce(deps, act, row, isRenewed ? act.ends_at : deps.now());
      return 'progress';
    }
    const isDone = to === 'set' ? endsWithPeriod(row) : endsAt(row) === null;
    if (!isDone) {
      if (await clearTheWay(deps, row)) return 'progress';
      const params = to === 'set' ? CANCEL : keepParams(row);
      await deps.stripe.subscriptions.update(row.stripe_subscription_id, params);
      return 'progress';
    }
  }
  await changeAct(deps, act, to);
  return 'nothing';
}

/** Stores a reversal, which cancels the subscription and refunds payments since `from`. */
async function endAtOnce(
  deps: BillingDeps,
  act: EndAct,
  { stripe_subscription_id, user_id }: StoredSubscription,
  from: Date,
): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const inside = { ...deps, db: tx };
    const refund_from = overdueFrom(from);
    const reason = act.terms.ends === 'year' ? 'second_subscription' : 'ended_by_staff';
    await orderReversal(inside, { stripe_subscription_id, user_id, reason, refund_from });
    await changeAct(inside, act, 'set');
  });
}

/** docs/rules/billing.md, "Prices and moves". */
async function moveStep(deps: BillingDeps, act: MoveAct, row: StoredSubscription | null): Step {
  if (act.state === 'withdrawing') return takeBack(deps, act, row);
  const step = stepOfMove(moveOf(act), row);
  if (step === 'done' || step === 'withdrawn') await changeAct(deps, act, step);
  if (step !== 'schedule' || !row || (await isTierChanging(deps, act.user_id))) return 'nothing';
  if (!act.due || act.due > deps.now()) {
    // What took the subscription off its schedule, a cancellation perhaps, may not be done yet.
    const soon = new Date(deps.now().getTime() + MINUTE_MS);
    if (!act.due || act.due > soon) await changeAct(deps, act, act.state, { due: soon });
    return 'nothing';
  }
  const { to_tier: tier_name, to_amount_cents: amount_cents } = act.terms;
  const to_price_id = await ensurePrice(deps, { tier_name, amount_cents });
  const terms = { ...act.terms, to_price_id };
  if (!(await changeAct(deps, act, act.state, { terms, due: act.due }))) return 'nothing';
  try {
    const key = `move:${act.id}:${await syncVersion(deps, act.user_id)}:${to_price_id}`;
    const stripe_schedule_id = await schedulePrice(deps, row, to_price_id, key);
    const scheduled = { ...terms, stripe_schedule_id };
    if (!(await changeAct(deps, act, 'set', { terms: scheduled }))) {
      // The move was withdrawn meanwhile, so its schedule is released.
      const withdrawn = {
        state: 'withdrawing',
        terms: scheduled,
        due: deps.now(),
        settled_at: null,
      } as const;
      await deps.db
        .update(billing_act)
        .set(withdrawn)
        .where(and(eq(billing_act.id, act.id), eq(billing_act.state, 'withdrawn')));
    }
  } catch (error) {
    // The price was archived at Stripe: the next step finds or makes one that can be sold.
    if (!isRefused(error) || !(await repairPrice(deps, to_price_id))) throw error;
  }
  return 'progress';
}

/** Whether a change of tier is being asked of Stripe, which a schedule would undo. */
async function isTierChanging({ db, now }: BillingDeps, userId: string): Promise<boolean> {
  const since = new Date(now().getTime() - CHANGE_TIMEOUT_MINUTES * MINUTE_MS);
  const { user_id, status, asked_at } = tier_change;
  const isUnderWay = and(eq(user_id, userId), eq(status, 'asked'), gt(asked_at, since));
  return (await db.$count(tier_change, isUnderWay)) > 0;
}

/** Takes a withdrawn move off the subscription, unless the schedule has become the member's own change of tier. */
async function takeBack(deps: BillingDeps, act: MoveAct, row: StoredSubscription | null): Step {
  const { stripe_schedule_id } = act.terms;
  if (stripe_schedule_id && row?.stripe_schedule_id === stripe_schedule_id && !row.pending_tier)
    await releaseSchedule(deps, stripe_schedule_id);
  await changeAct(deps, act, 'withdrawn');
  return 'progress';
}
