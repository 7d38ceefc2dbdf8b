import { invalid } from '../http/errors.ts';
import * as p from '../http/params.ts';
import type { Subscription } from '../http/wire.ts';
import { cardFor } from '../resources/charging.ts';
import { emit, timeOf, type World } from '../store/world.ts';
import { stop } from './stop.ts';
import { cancelNow } from './subscription-end.ts';

const WARNING_SECONDS = 3 * 86_400;

export const trialFields = {
  trial_end: p.either(p.oneOf('now'), p.integer),
  trial_settings: p.record({
    end_behavior: p.needed(
      p.record({ missing_payment_method: p.needed(p.oneOf('cancel', 'create_invoice', 'pause')) }),
    ),
  }),
};
type TrialParams = p.Params<typeof trialFields>;

/** The end of a trial, in seconds; null for none. Throws 400 for one in the past. */
export function trialEndOf(trial_end: TrialParams['trial_end'], now: number): number | null {
  if (trial_end === undefined || trial_end === 'now') return null;
  if (trial_end <= now)
    throw invalid('Invalid timestamp: must be an integer Unix time in the future.', 'trial_end');
  return trial_end;
}

export function trialSettings(
  settings: TrialParams['trial_settings'],
): NonNullable<Subscription['trial_settings']> {
  const { missing_payment_method } = settings?.end_behavior ?? { missing_payment_method: 'create_invoice' };
  return { end_behavior: { billing_cycle_anchor: null, missing_payment_method } };
}

/** Puts a subscription into a trial until `end`, or ends its trial at `at`. In seconds. */
export function setTrial(subscription: Subscription, end: number | 'ended', at: number): void {
  if (end === 'ended') {
    subscription.status = 'active';
    subscription.trial_end = at;
    return;
  }
  if (subscription.status !== 'trialing') subscription.trial_start = at;
  subscription.status = 'trialing';
  subscription.trial_end = end;
}

/** When to announce the end of a trial, in seconds: three days before, or at once if it is shorter. Null if done. */
export function warningTime(
  world: World,
  { id, status, trial_start, trial_end }: Subscription,
): number | null {
  if (status !== 'trialing' || trial_end === null) return null;
  if (world.state.trial_warnings[id] === trial_end) return null;
  return Math.max(trial_start ?? 0, trial_end - WARNING_SECONDS);
}

export function warnOfTrialEnd(world: World, subscription: Subscription): void {
  if (subscription.trial_end !== null) world.state.trial_warnings[subscription.id] = subscription.trial_end;
  emit(world, 'customer.subscription.trial_will_end', subscription);
}

/** Cancels or pauses a subscription whose trial ends without a payment method, if its settings say so. */
export function endsWithoutMethod(world: World, subscription: Subscription): boolean {
  const behavior = subscription.trial_settings?.end_behavior.missing_payment_method ?? 'create_invoice';
  if (subscription.status !== 'trialing' || behavior === 'create_invoice') return false;
  if (timeOf(world, subscription.test_clock) < (subscription.trial_end ?? 0)) return false;
  if (cardFor(world, subscription, subscription.customer)) return false;
  if (behavior === 'pause') stop(world, subscription, 'trial_end_without_payment_method');
  else cancelNow(world, subscription, 'payment_failed');
  return true;
}
