import { blank } from '../http/blank.ts';
import { invalid } from '../http/errors.ts';
import type { Schedule, SchedulePhase, Subscription } from '../http/wire.ts';
import { changed, emit, newId, timeOf, type World } from '../store/world.ts';
import { firstEnd } from './periods.ts';
import { automaticTax } from './subscription-create.ts';

export const NO_DISCOUNT = { coupon: null, discount: null, promotion_code: null };

type Chosen = Pick<SchedulePhase, 'proration_behavior' | 'metadata' | 'default_payment_method' | 'discounts'>;

/** Builds one phase of a schedule: these prices from `start` to `end` (seconds). */
export function phase(
  items: { price: string; quantity: number; metadata?: Record<string, string> }[],
  start: number,
  end: number,
  currency: string,
  chosen: Partial<Chosen> = {},
): SchedulePhase {
  return {
    add_invoice_items: [],
    application_fee_percent: null,
    billing_cycle_anchor: null,
    billing_thresholds: null,
    collection_method: null,
    currency,
    default_payment_method: chosen.default_payment_method ?? null,
    default_tax_rates: [],
    description: null,
    discounts: chosen.discounts ?? [],
    end_date: end,
    invoice_settings: null,
    items: items.map((item) => ({
      billing_thresholds: null,
      discounts: [],
      metadata: item.metadata ?? {},
      plan: item.price,
      price: item.price,
      quantity: item.quantity,
      tax_rates: [],
    })),
    metadata: chosen.metadata ?? {},
    on_behalf_of: null,
    proration_behavior: chosen.proration_behavior ?? 'create_prorations',
    start_date: start,
    transfer_data: null,
    trial_end: null,
  };
}

/**
 * Creates a schedule for a subscription, with its current period as the only phase. Throws 400 if it has a schedule
 * or has ended.
 */
export function createFrom(
  world: World,
  subscription: Subscription,
  metadata: Record<string, string>,
): Schedule {
  if (subscription.ended_at !== null)
    throw invalid(
      'You cannot migrate a subscription that is in the `canceled` state to a schedule.',
      'from_subscription',
    );
  if (subscription.schedule)
    throw invalid(
      `You cannot migrate a subscription that is already attached to a schedule: ${subscription.schedule}`,
      'from_subscription',
    );
  const end = firstEnd(subscription.items.data);
  const item = subscription.items.data.find((entry) => entry.current_period_end === end);
  const start = item?.current_period_start ?? subscription.start_date;
  const schedule: Schedule = {
    ...blank('subscription_schedule'),
    id: newId('sub_sched'),
    billing_mode: subscription.billing_mode,
    created: timeOf(world, subscription.test_clock),
    current_phase: { start_date: start, end_date: end },
    customer: subscription.customer,
    default_settings: {
      application_fee_percent: null,
      automatic_tax: automaticTax(false),
      billing_cycle_anchor: 'automatic',
      billing_thresholds: null,
      collection_method: 'charge_automatically',
      default_payment_method: subscription.default_payment_method,
      description: subscription.description,
      invoice_settings: {
        account_tax_ids: null,
        custom_fields: null,
        days_until_due: null,
        description: null,
        footer: null,
        issuer: { type: 'self' },
      },
      on_behalf_of: null,
      transfer_data: null,
    },
    end_behavior: 'release',
    metadata,
    phases: [
      {
        ...phase(
          subscription.items.data.map((entry) => ({ price: entry.price.id, quantity: entry.quantity ?? 1 })),
          start,
          end,
          subscription.currency,
          { discounts: subscription.discounts.map((discount) => ({ ...NO_DISCOUNT, discount })) },
        ),
        automatic_tax: subscription.automatic_tax,
      },
    ],
    status: 'active',
    subscription: subscription.id,
    test_clock: subscription.test_clock,
  };
  world.state.schedules[schedule.id] = schedule;
  changed(world, 'customer.subscription.updated', subscription, () => {
    subscription.schedule = schedule.id;
  });
  emit(world, 'subscription_schedule.created', schedule);
  return schedule;
}
