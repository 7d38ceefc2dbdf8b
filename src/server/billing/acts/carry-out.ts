import { OPEN_ACTS } from '../../../domain/billing-act.ts';
import { and, eq, gt, inArray, or } from '../../db/orm.ts';
import { billing_act } from '../../db/schema.ts';
import type { BillingDeps } from '../billing-context.ts';
import { isStripeError } from '../stripe-errors.ts';
import { currentSubscription } from '../subscription/current-subscription.ts';
import type { StoredSubscription } from '../sync/local-state.ts';
import { endStep, moveStep, pauseStep } from './act-steps.ts';
import type { AnyAct } from './acts.ts';

/** progress: something changed at Stripe. failed: Stripe failed or refused (logged). */
type StepResult = 'nothing' | 'progress' | 'failed';

/** When what only waits is looked at again: what it waits for is seen by another reconciliation, usually. */
const WAIT_MS = 86_400_000;

/**
 * Makes the next step of each of a user's acts, by our copy of the subscription, which has just been brought in line with
 * Stripe. Safe to repeat: each request sets a state. What Stripe fails to do is due at once, for the sweeper.
 */
export async function carryOutActs(deps: BillingDeps, userId: string): Promise<StepResult> {
  let result: StepResult = 'nothing';
  const acts = await unsettledActs(deps, userId);
  const current = acts.length > 0 ? await currentSubscription(deps, userId) : null;
  for (const act of acts) {
    const isOurs = current?.stripe_subscription_id === act.stripe_subscription_id;
    const step = await carryOut(deps, act, isOurs ? current : null);
    // Our copy is old now: it is fetched again before the next step.
    if (step === 'progress') return step;
    if (step === 'failed') result = step;
  }
  return result;
}

/** Open acts, and withdrawn or refused pauses, which a late request may have set all the same. */
async function unsettledActs({ db, now }: BillingDeps, userId: string): Promise<AnyAct[]> {
  const { user_id, kind, state, ends_at, created_at } = billing_act;
  const isOpen = inArray(state, OPEN_ACTS);
  const mayBeSet = and(eq(kind, 'pause'), inArray(state, ['withdrawn', 'refused']), gt(ends_at, now()));
  const acts = (await db
    .select()
    .from(billing_act)
    .where(and(eq(user_id, userId), or(isOpen, mayBeSet)))
    .orderBy(created_at)) as AnyAct[];
  const isPausing = acts.some((it) => it.kind === 'pause' && isOpenNow(it));
  return acts.filter((it) => isOpenNow(it) || !isPausing);
}

const isOpenNow = ({ state }: AnyAct) => OPEN_ACTS.some((it) => it === state);

async function carryOut(deps: BillingDeps, act: AnyAct, row: StoredSubscription | null): Promise<StepResult> {
  const { id, kind, user_id, due } = act;
  try {
    const step = await stepOf(deps, act, row);
    if (step === 'nothing' && due && due <= deps.now()) {
      const later = isOpenNow(act) ? new Date(deps.now().getTime() + WAIT_MS) : null;
      // Unless the step has settled it.
      await setDue(deps, act, later);
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

async function setDue({ db }: BillingDeps, { id, state, due }: AnyAct, to: Date | null): Promise<void> {
  const isSame = and(eq(billing_act.state, state), eq(billing_act.due, due ?? new Date(0)));
  await db
    .update(billing_act)
    .set({ due: to })
    .where(and(eq(billing_act.id, id), isSame));
}

function stepOf(deps: BillingDeps, act: AnyAct, row: StoredSubscription | null): Promise<StepResult> {
  switch (act.kind) {
    case 'pause':
      return pauseStep(deps, act, row);
    case 'end':
      return endStep(deps, act, row);
    case 'price_move':
      return moveStep(deps, act, row);
  }
}
