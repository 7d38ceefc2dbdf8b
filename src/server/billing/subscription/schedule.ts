import type { BillingContext } from '../context.ts';
import { isFinal } from '../stripe-errors.ts';
import type { StoredSubscription } from '../sync/evaluate.ts';

/**
 * Puts the subscription on a schedule: its price until the end of the paid period, another one after that.
 * `key` names the agreement, so that the same one is ordered once. A schedule left half made is finished.
 * Throws Stripe's errors.
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
  const present = schedule.current_phase;
  if (!present) throw new Error('A running subscription is in a phase of its schedule');
  await stripe.subscriptionSchedules.update(
    schedule.id,
    {
      end_behavior: 'release',
      phases: [
        {
          items: [{ price: row.stripe_price_id, quantity: 1 }],
          start_date: present.start_date,
          end_date: present.end_date,
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

/** Takes a subscription off its schedule; it goes on as it is. One that is off already stays so. */
export async function releaseSchedule({ stripe }: BillingContext, id: string): Promise<void> {
  try {
    await stripe.subscriptionSchedules.release(id, {}, { idempotencyKey: `release:${id}` });
  } catch (error) {
    // Released, or run out, in the meantime: the convergence that follows shows it.
    if (!isFinal(error)) throw error;
  }
}
