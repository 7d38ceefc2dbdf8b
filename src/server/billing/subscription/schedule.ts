import type Stripe from 'stripe';
import type { BillingDeps } from '../billing-context.ts';
import { withKey } from '../idempotency-key.ts';
import { isRefused } from '../stripe-errors.ts';
import type { StoredSubscription } from '../sync/local-state.ts';

type PhaseParams = Stripe.SubscriptionScheduleUpdateParams.Phase;

type Scheduled = Pick<
  StoredSubscription,
  'stripe_subscription_id' | 'stripe_schedule_id' | 'stripe_price_id' | 'tax_behavior'
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
  const kept = { ...keptOf(phase), automatic_tax: taxOf(row) };
  const items = phase.items.map(itemOf);
  await stripe.subscriptionSchedules.update(schedule.id, {
    end_behavior: 'release',
    phases: [
      {
        ...kept,
        items,
        start_date: current.start_date,
        end_date: current.end_date,
        proration_behavior: 'none',
      },
      {
        ...kept,
        items: items.map((item) => (item.price === row.stripe_price_id ? { ...item, price } : item)),
        duration: { interval: 'month', interval_count: 1 },
        proration_behavior: 'none',
      },
    ],
  });
  return schedule.id;
}

/** Without this parameter, a phase would use the account's default. */
const taxOf = ({ tax_behavior }: Scheduled): PhaseParams['automatic_tax'] =>
  tax_behavior === 'unspecified' ? undefined : { enabled: true };

const idOf = (it: string | { id: string } | null) => (typeof it === 'string' ? it : it?.id);

/** Repeats an item unchanged: the membership, or an add-on. */
function itemOf({
  price,
  quantity,
  discounts,
}: Stripe.SubscriptionSchedule.Phase.Item): Stripe.SubscriptionScheduleUpdateParams.Phase.Item {
  return { price: idOf(price), quantity: quantity ?? 1, discounts: discountsOf(discounts) };
}

/** Undefined for none: Stripe takes an empty list as a request to remove them. */
const discountsOf = (discounts: Stripe.SubscriptionSchedule.Phase.Discount[]) =>
  discounts.length > 0 ? discounts.map(repeatedDiscount) : undefined;

/** Stripe accepts one of the three ids. A running discount's comes first, so that its term does not start over. */
function repeatedDiscount({
  coupon,
  discount,
  promotion_code,
}: Stripe.SubscriptionSchedule.Phase.Discount): Stripe.SubscriptionScheduleUpdateParams.Phase.Discount {
  const running = idOf(discount);
  if (running) return { discount: running };
  const promotion = idOf(promotion_code);
  return promotion ? { promotion_code: promotion } : { coupon: idOf(coupon) };
}

/** Discounts and payment method, which an update of the phases would drop unless repeated. */
function keptOf({
  default_payment_method,
  discounts,
}: Stripe.SubscriptionSchedule.Phase): Pick<PhaseParams, 'default_payment_method' | 'discounts'> {
  return {
    default_payment_method: idOf(default_payment_method) ?? undefined,
    discounts: discountsOf(discounts),
  };
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
