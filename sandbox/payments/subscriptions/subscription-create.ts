import { blank } from '../http/blank.ts';
import type {
  Invoice,
  InvoiceLine,
  PaymentMethod,
  Price,
  Subscription,
  SubscriptionItem,
  TaxRate,
} from '../http/wire.ts';
import { whole } from '../http/wire.ts';
import { redeem, type WantedDiscounts } from '../invoices/discounts.ts';
import { cycleLine, remainingLine } from '../invoices/invoice-lines.ts';
import { draftInvoice, finalize } from '../invoices/invoices.ts';
import { collect, type Outcome } from '../resources/charging.ts';
import { isMetered, planOf, type RecurringPrice } from '../resources/price-lookup.ts';
import { clockOf, emit, newId, timeOf, type World } from '../store/world.ts';
import { firstEnd, intervalEnding, nextBoundary } from './periods.ts';

import { trialSettings } from './trials.ts';

export interface NewSubscription {
  customer: string;
  items: {
    price: RecurringPrice;
    /** None for a metered price. */
    quantity: number | undefined;
    metadata?: Record<string, string>;
    tax_rates?: TaxRate[];
  }[];
  metadata: Record<string, string>;
  default_payment_method?: string | null;
  /** Seconds. Periods end on boundaries counted from here; absent means now. */
  anchor?: number;
  /** False makes the time up to the anchor free. */
  prorate?: boolean;
  trial_end?: number | null;
  trial_settings?: Subscription['trial_settings'];
  /** Days until a sent invoice is due; absent if invoices are charged. */
  days_until_due?: number;
  cancel_at_period_end?: boolean;
  cancel_at?: number | null;
  discounts?: WantedDiscounts;
  backdate?: number;
  automatic_tax?: boolean;
  default_tax_rates?: TaxRate[];
}

export function automaticTax(isEnabled: boolean): Subscription['automatic_tax'] {
  return { disabled_reason: null, enabled: isEnabled, liability: isEnabled ? { type: 'self' } : null };
}

export function newItem(
  subscription: string,
  price: Price,
  quantity: number | undefined,
  period: { start: number; end: number },
  created: number,
  { metadata = {}, tax_rates = [] }: { metadata?: Record<string, string>; tax_rates?: TaxRate[] } = {},
): SubscriptionItem {
  return {
    ...blank('subscription_item'),
    id: newId('si', 14),
    created,
    current_period_end: period.end,
    current_period_start: period.start,
    metadata,
    plan: planOf(price),
    price,
    ...(quantity === undefined ? {} : { quantity }),
    subscription,
    tax_rates,
  };
}

function statusOf({ trial_end, days_until_due }: NewSubscription): Subscription['status'] {
  if (trial_end) return 'trialing';
  return days_until_due === undefined ? 'incomplete' : 'active';
}

/**
 * Builds a subscription without storing it: in its trial, or incomplete until its first invoice is paid. Its period starts
 * now, or at the backdated start.
 */
function buildSubscription(world: World, input: NewSubscription): Subscription {
  const clock = clockOf(world, input.customer);
  const now = timeOf(world, clock);
  const id = newId('sub');
  const trialEnd = input.trial_end ?? null;
  const anchor = input.anchor ?? trialEnd ?? input.backdate ?? now;
  const items = input.items.map(({ price, quantity, ...chosen }) => {
    const end = trialEnd ?? nextBoundary(anchor, price.recurring, now);
    return newItem(id, price, quantity, { start: input.backdate ?? now, end }, now, chosen);
  });
  const scheduledEnd = input.cancel_at_period_end ? firstEnd(items) : (input.cancel_at ?? null);
  return {
    ...blank('subscription'),
    id,
    automatic_tax: automaticTax(input.automatic_tax ?? false),
    billing_cycle_anchor: anchor,
    billing_mode: { flexible: { proration_discounts: 'included' }, type: 'flexible', updated_at: now },
    cancel_at: scheduledEnd,
    cancel_at_period_end: input.cancel_at_period_end ?? false,
    canceled_at: scheduledEnd === null ? null : now,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
    collection_method: input.days_until_due === undefined ? 'charge_automatically' : 'send_invoice',
    created: now,
    currency: input.items[0]?.price.currency ?? 'usd',
    customer: input.customer,
    days_until_due: input.days_until_due ?? null,
    default_payment_method: input.default_payment_method ?? null,
    default_tax_rates: input.default_tax_rates ?? [],
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: { type: 'self' },
    },
    items: whole(items, `/v1/subscription_items?subscription=${id}`),
    metadata: input.metadata,
    payment_settings: {
      payment_method_options: null,
      payment_method_types: null,
      save_default_payment_method: 'off',
    },
    start_date: input.backdate ?? now,
    status: statusOf(input),
    test_clock: clock,
    trial_end: trialEnd,
    trial_settings: input.trial_settings ?? trialSettings(undefined),
    trial_start: trialEnd === null ? null : now,
  };
}

/** Stores a subscription with its first invoice, collects it unless `leaveOpen`, and returns the payment's outcome. */
export function startSubscription(
  world: World,
  input: NewSubscription,
  options: { method?: PaymentMethod; authenticated?: boolean; leaveOpen?: boolean } = {},
): { subscription: Subscription; invoice: Invoice; outcome: Outcome } {
  const subscription = buildSubscription(world, input);
  subscription.discounts = redeem(world, subscription, input.discounts ?? null);
  world.state.subscriptions[subscription.id] = subscription;
  const lines = firstLines(world, subscription, input);
  const invoice = draftInvoice(world, subscription, 'subscription_create', lines);
  subscription.latest_invoice = invoice.id;
  const customer = world.state.customers[input.customer];
  if (customer) customer.currency = subscription.currency;
  emit(world, 'customer.subscription.created', subscription);
  finalize(world, invoice);
  if (options.leaveOpen && invoice.amount_due > 0)
    return { subscription, invoice, outcome: { paid: false, reason: 'no_card' } };
  const outcome = collect(world, invoice, options);
  return { subscription, invoice, outcome };
}

/** The lines of the first invoice. A first period that a chosen anchor shortens is prorated, or free if requested. */
function firstLines(world: World, subscription: Subscription, input: NewSubscription): InvoiceLine[] {
  const isFree = subscription.status === 'trialing';
  return subscription.items.data.flatMap((item) => {
    const { current_period_start: start, current_period_end: end } = item;
    // Usage is charged after its period.
    if (isMetered(item.price)) return [];
    if (isFree || input.anchor === undefined || !item.price.recurring)
      return [cycleLine(world, subscription.id, item, { start, end }, isFree)];
    const period = intervalEnding(input.anchor, item.price.recurring, end);
    return input.prorate === false ? [] : [remainingLine(world, subscription.id, item, period, start)];
  });
}
