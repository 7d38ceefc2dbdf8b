import type Stripe from 'stripe';
import type { BillingDeps } from '../billing-context.ts';

/** A subscription as fetched from Stripe. */
export interface FetchedSubscription {
  id: string;
  status: string;
  created_at: Date;
  ended_at: Date | null;
  cancel_at_period_end: boolean;
  cancel_at: Date | null;
  current_period_start: Date;
  current_period_end: Date;
  amount_cents: number;
  currency: string;
  stripe_price_id: string;
  /** The tier named in the price's metadata. */
  price_tier: string | null;
  card: { brand: string; last4: string; exp_month: number; exp_year: number } | null;
  /** The schedule it is on, and the price that comes next. */
  schedule: { id: string; next: { stripe_price_id: string; starts_at: Date } | null } | null;
  /** Set when the payment page was created (checkout/checkout-attempts.ts). */
  metadata: { tier?: string; application_id?: string; attempt_id?: string };
}

/** A paid invoice of a subscription. */
export interface FetchedPayment {
  stripe_invoice_id: string;
  stripe_subscription_id: string;
  payment_intents: string[];
  amount_paid_cents: number;
  amount_refunded_cents: number;
  disputed: boolean;
  currency: string;
  paid_at: Date;
  /** The subscription's periods whose regular charge it paid, each with its price. */
  periods: PaidPeriod[];
}

export interface PaidPeriod {
  start: Date;
  end: Date;
  stripe_price_id: string | null;
}

export interface StripeSnapshot {
  /** Just before it was fetched, by our clock. */
  fetched_at: Date;
  subscriptions: FetchedSubscription[];
  payments: FetchedPayment[];
}

const ALL_PAGES = { limit: 10_000 };
const PAGE_SIZE = 100;

const instant = (seconds: number) => new Date(seconds * 1000);
const idOf = (it: string | { id: string } | null | undefined) =>
  typeof it === 'string' ? it : (it?.id ?? null);

/**
 * Fetches everything about a Stripe customer that decides the membership. Amounts in cents, instants in UTC.
 * Throws Stripe's errors.
 */
export async function fetchSnapshot(
  { stripe, now }: Pick<BillingDeps, 'stripe' | 'now'>,
  customer: string,
): Promise<StripeSnapshot> {
  const fetched_at = now();
  const [subscriptions, invoices, charges] = await Promise.all([
    stripe.subscriptions
      .list({
        customer,
        status: 'all',
        limit: PAGE_SIZE,
        expand: [
          'data.default_payment_method',
          'data.customer.invoice_settings.default_payment_method',
          'data.schedule',
        ],
      })
      .autoPagingToArray(ALL_PAGES),
    stripe.invoices
      .list({ customer, status: 'paid', limit: PAGE_SIZE, expand: ['data.payments'] })
      .autoPagingToArray(ALL_PAGES),
    stripe.charges.list({ customer, limit: PAGE_SIZE }).autoPagingToArray(ALL_PAGES),
  ]);
  return {
    fetched_at,
    subscriptions: subscriptions.map(readSubscription).filter((it) => it !== null),
    payments: invoices.map((invoice) => readPayment(invoice, charges)).filter((it) => it !== null),
  };
}

function cardOf(subscription: Stripe.Subscription): FetchedSubscription['card'] {
  const customer = subscription.customer;
  const fallback =
    typeof customer === 'string' || customer.deleted
      ? null
      : customer.invoice_settings.default_payment_method;
  for (const method of [subscription.default_payment_method, fallback]) {
    if (!method || typeof method === 'string' || !method.card) continue;
    const { brand, last4, exp_month, exp_year } = method.card;
    return { brand, last4, exp_month, exp_year };
  }
  return null;
}

function scheduleOf({ schedule }: Stripe.Subscription): FetchedSubscription['schedule'] {
  if (!schedule) return null;
  if (typeof schedule === 'string') return { id: schedule, next: null };
  const currentStart = schedule.current_phase?.start_date ?? 0;
  const phase = schedule.phases.find(({ start_date }) => start_date > currentStart);
  const price = idOf(phase?.items[0]?.price);
  const next = phase && price ? { stripe_price_id: price, starts_at: instant(phase.start_date) } : null;
  return { id: schedule.id, next };
}

/** Null for a subscription without items: checkout never creates one. */
function readSubscription(subscription: Stripe.Subscription): FetchedSubscription | null {
  const item = subscription.items.data[0];
  if (!item) return null;
  const { tier, application_id, attempt_id } = subscription.metadata;
  const start = instant(item.current_period_start);
  const end = instant(item.current_period_end);
  return {
    id: subscription.id,
    status: subscription.status,
    created_at: instant(subscription.created),
    ended_at: subscription.ended_at === null ? null : instant(subscription.ended_at),
    cancel_at_period_end: subscription.cancel_at_period_end,
    cancel_at: subscription.cancel_at === null ? null : instant(subscription.cancel_at),
    current_period_start: start,
    current_period_end: end > start ? end : new Date(start.getTime() + 1000),
    amount_cents: (item.price.unit_amount ?? 0) * (item.quantity ?? 1),
    currency: item.price.currency,
    stripe_price_id: item.price.id,
    price_tier: item.price.metadata.tier ?? null,
    card: cardOf(subscription),
    schedule: scheduleOf(subscription),
    metadata: { tier, application_id, attempt_id },
  };
}

function readPayment(invoice: Stripe.Invoice, charges: Stripe.Charge[]): FetchedPayment | null {
  const subscription = idOf(invoice.parent?.subscription_details?.subscription);
  if (!subscription || !invoice.id) return null;
  const intents = (invoice.payments?.data ?? [])
    .map(({ payment }) => idOf(payment.payment_intent))
    .filter((it) => it !== null);
  const ours = charges.filter(({ payment_intent }) => intents.includes(idOf(payment_intent) ?? ''));
  return {
    stripe_invoice_id: invoice.id,
    stripe_subscription_id: subscription,
    payment_intents: intents,
    amount_paid_cents: invoice.amount_paid,
    amount_refunded_cents: ours.reduce((sum, charge) => sum + charge.amount_refunded, 0),
    disputed: ours.some((charge) => charge.disputed),
    currency: invoice.currency,
    paid_at: instant(invoice.status_transitions.paid_at ?? invoice.created),
    periods: invoice.lines.data
      .filter(({ parent }) => parent?.subscription_item_details?.proration === false)
      .map(({ period, pricing }) => ({
        start: instant(period.start),
        end: instant(period.end),
        stripe_price_id: idOf(pricing?.price_details?.price),
      })),
  };
}
