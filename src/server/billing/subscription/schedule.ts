import type { BillingDeps } from '../billing-context.ts';
import { withKey } from '../idempotency-key.ts';
import type { StoredSubscription } from '../state/local-state.ts';
import { isRefused } from '../stripe-errors.ts';
import { nextPhase, repeatPhase } from './phase-fields.ts';

type Scheduled = Pick<
  StoredSubscription,
  'stripe_subscription_id' | 'stripe_schedule_id' | 'stripe_price_id'
>;

/**
 * Puts the subscription on a schedule: its current price until the end of the paid period, then another price.
 * `key` identifies the change, so that repeating it does nothing more. Completes a schedule that an earlier call
 * left unfinished. Returns the schedule's id. Throws Stripe's errors.
 */
export async function schedulePrice(
  ctx: Pick<BillingDeps, 'db' | 'now' | 'stripe'>,
  row: Scheduled,
  price: string,
  key: string,
): Promise<string> {
  const { stripe } = ctx;
  const schedule = row.stripe_schedule_id
    ? await stripe.subscriptionSchedules.retrieve(row.stripe_schedule_id)
    : await withKey(ctx, `schedule:${key}`, (options) =>
        stripe.subscriptionSchedules.create({ from_subscription: row.stripe_subscription_id }, options),
      );
  const current = schedule.current_phase;
  if (!current) throw new Error(`Schedule has no current phase: ${schedule.id}`);
  const phase = schedule.phases.find(({ start_date }) => start_date === current.start_date);
  if (!phase) throw new Error(`Schedule has no current phase: ${schedule.id}`);
  await stripe.subscriptionSchedules.update(schedule.id, {
    end_behavior: 'release',
    phases: [repeatPhase(phase), nextPhase(phase, { from: row.stripe_price_id, to: price })],
  });
  return schedule.id;
}

/** Takes a subscription off its schedule, with no other change. Does nothing if it is already off. */
export async function releaseSchedule({ stripe }: Pick<BillingDeps, 'stripe'>, id: string): Promise<void> {
  try {
    await stripe.subscriptionSchedules.release(id);
  } catch (error) {
    // The schedule was released or completed meanwhile; the next reconciliation shows it.
    if (!isRefused(error)) throw error;
  }
}
