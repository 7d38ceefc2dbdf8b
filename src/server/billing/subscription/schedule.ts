import type { BillingContext } from '../billing-context.ts';
import { isFinal } from '../stripe-errors.ts';
import type { StoredSubscription } from '../sync/evaluate.ts';

/**
 * Puts the subscription on a schedule: its current price until the end of the paid period, then another price.
 * `key` identifies the change, so that repeating it does nothing more. Completes a schedule that an earlier call
 * left unfinished. Throws Stripe's errors.
 */
export async function schedulePrice(
  { stripe }: BillingContext,
  row: StoredSubscription,
  price: string,
  key: string,
): Promise<void> {
  const schedule = row.stripe_schedule_id
    ? await stripe.subscriptionSchedules.retrieve(row.stripe_schedule_id)
    : await stripe.subscriptionSchedules.create(
        { from_subscription: row.stripe_subscription_id },
        { idempotencyKey: `schedule:${key}` },
      );
  const current = schedule.current_phase;
  if (!current) throw new Error(`Schedule has no current phase: ${schedule.id}`);
  await stripe.subscriptionSchedules.update(
    schedule.id,
    {
      end_behavior: 'release',
      phases: [
        {
          items: [{ price: row.stripe_price_id, quantity: 1 }],
          start_date: current.start_date,
          end_date: current.end_date,
          proration_behavior: 'none',
        },
        {
          items: [{ price, quantity: 1 }],
          duration: { interval: 'month', interval_count: 1 },
          proration_behavior: 'none',
        },
      ],
    },
    { idempotencyKey: `phases:${key}` },
  );
}

/** Takes a subscription off its schedule, with no other change. Does nothing if it is off already. */
export async function releaseSchedule({ stripe }: BillingContext, id: string): Promise<void> {
  try {
    await stripe.subscriptionSchedules.release(id, {}, { idempotencyKey: `release:${id}` });
  } catch (error) {
    // It was released or completed in the meantime; the next reconciliation shows it.
    if (!isFinal(error)) throw error;
  }
}
