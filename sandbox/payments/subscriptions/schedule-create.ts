import { blank } from '../http/blank.ts';
import { invalid } from '../http/errors.ts';
import type { Schedule, SchedulePhase, Subscription, TaxRate } from '../http/wire.ts';
import { changed, emit, newId, timeOf, type World } from '../store/world.ts';
import { firstEnd, type Period } from './periods.ts';
import { automaticTax } from './subscription-create.ts';

export const NO_DISCOUNT = { coupon: null, discount: null, promotion_code: null };

interface PhaseItem {
  price: string;
  quantity?: number | undefined;
  metadata?: Record<string, string>;
  tax_rates?: TaxRate[] | null;
}

/** Builds one phase of a schedule: these prices from `start` to `end` (seconds), and otherwise only what is chosen. */
export function phase(
  items: PhaseItem[],
  { start, end }: Period,
  currency: string,
  choice: Partial<SchedulePhase> = {},
): SchedulePhase {
  return {
    add_invoice_items: [],
    application_fee_percent: null,
    billing_cycle_anchor: null,
    billing_thresholds: null,
    collection_method: null,
    currency,
    default_payment_method: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    end_date: end,
    invoice_settings: null,
    items: items.map((item) => ({
      billing_thresholds: null,
      discounts: [],
      metadata: item.metadata ?? {},
      plan: item.price,
      price: item.price,
      ...(item.quantity === undefined ? {} : { quantity: item.quantity }),
      tax_rates: item.tax_rates ?? [],
    })),
    metadata: {},
    on_behalf_of: null,
    proration_behavior: 'create_prorations',
    start_date: start,
    transfer_data: null,
    trial_end: null,
    ...choice,
  };
}

/** The invoice settings of a schedule or a phase. */
export function invoiceSettings(days_until_due: number | null) {
  return {
    account_tax_ids: null,
    custom_fields: null,
    days_until_due,
    description: null,
    footer: null,
    issuer: { type: 'self' as const },
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
      collection_method: subscription.collection_method,
      default_payment_method: subscription.default_payment_method,
      description: subscription.description,
      invoice_settings: invoiceSettings(subscription.days_until_due),
      on_behalf_of: null,
      transfer_data: null,
    },
    end_behavior: 'release',
    metadata,
    phases: [phaseOf(subscription, { start, end })],
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

/** A phase that continues a subscription as it is. */
function phaseOf(subscription: Subscription, period: Period): SchedulePhase {
  const items = subscription.items.data.map(({ price, quantity, metadata, tax_rates }) => ({
    price: price.id,
    quantity,
    metadata,
    tax_rates,
  }));
  return phase(items, period, subscription.currency, {
    automatic_tax: subscription.automatic_tax,
    default_tax_rates: subscription.default_tax_rates ?? [],
    discounts: subscription.discounts.map((discount) => ({ ...NO_DISCOUNT, discount })),
    trial_end: subscription.status === 'trialing' ? subscription.trial_end : null,
  });
}
