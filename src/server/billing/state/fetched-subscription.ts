import type Stripe from 'stripe';
import type { StoredPreview } from '../../../domain/membership/upcoming-charges.ts';
import { TAX_BEHAVIORS, type TaxBehavior } from '../../../domain/money.ts';
import { idOf, instant } from '../stripe-objects.ts';
import { type KnownTiers, membershipItem, type SoldPrice, soldPrice, tierSold } from './membership-item.ts';

export interface FetchedMethod {
  id: string;
  /** The id with the expiration date (methodKey). */
  key: string;
  created_at: Date;
  /** Stripe's name for it: 'card', 'link', 'sepa_debit', ... */
  type: string;
  /** Null if it is not a card. `wallet`: the wallet holding the card, such as 'apple_pay'. */
  card: { brand: string; last4: string; exp_month: number; exp_year: number; wallet: string | null } | null;
}

export interface FetchedSubscription extends SoldPrice {
  id: string;
  status: string;
  created_at: Date;
  ended_at: Date | null;
  cancel_at_period_end: boolean;
  cancel_at: Date | null;
  canceled_at: Date | null;
  /** Stripe gave up collecting a payment, and canceled it. */
  gave_up: boolean;
  current_period_start: Date;
  current_period_end: Date;
  /** How many memberships are charged: 1, unless someone changed a quantity or added another tier's price at Stripe. */
  quantity: number;
  /** The cost of a period: the membership's price and the add-ons. */
  amount_cents: number;
  add_ons_cents: number;
  currency: string;
  /** 'unspecified' unless Stripe calculates tax for it. */
  tax_behavior: TaxBehavior;
  /** The membership's item, for requests about it. */
  item: { id: string; quantity: number };
  /** The subscription's own payment method, which Stripe charges before the customer's default. */
  pinned: FetchedMethod | null;
  /** The subscription's own payment method is one of the older sources. */
  has_source: boolean;
  customer_default: FetchedMethod | null;
  schedule: { id: string; next: { stripe_price_id: string; starts_at: Date } | null } | null;
  /** A change of the price that waits until its invoice is paid. */
  pending_update: { stripe_price_id: string; expires_at: Date } | null;
  /** Set while Stripe does not collect payments for it; `resumes_at` is null for a pause without an end. */
  pause: { resumes_at: Date | null } | null;
  /** Why and when Stripe itself stopped it, with status `paused`: no charges and no new periods. */
  stop: { reason: string; at: Date } | null;
  /** The cents that the latest invoice still asks for; null if it is not open. */
  open_cents: number | null;
  /** Stripe sends its invoices, and charges no payment method. */
  is_sent: boolean;
  /** Discounts or the customer's balance make a charge differ from the price. */
  is_reduced: boolean;
  /** Prorations or other items may wait for the next invoice. */
  has_pending: boolean;
  /** The result of addPreviews: null if none is needed, undefined if Stripe has none; our stored one stays then. */
  preview?: StoredPreview | null | undefined;
  /** Set when the payment page was created (checkout/checkout-attempts.ts). */
  metadata: { tier?: string; application_id?: string; attempt_id?: string; from_venue?: string };
}

/** What few subscriptions need, and Stripe does not embed. */
export interface Extras {
  /** Older sources that are charged, as payment methods, by id. */
  sources: Map<string, Stripe.PaymentMethod>;
  /** What a quantity of a price costs in the subscription's currency, in cents, where its unit amount does not say; by id. */
  amounts: Map<string, (quantity: number) => number>;
  /** The subscriptions that pending invoice items are for, null for any; unknown to a key that may not read them. */
  waiting: (string | null)[] | 'unknown';
}

/** Fields that fetchSnapshot must expand for readSubscription. */
export const EXPANDED_IN_SUBSCRIPTIONS = [
  'data.default_payment_method',
  'data.customer.invoice_settings.default_payment_method',
  'data.schedule',
  'data.latest_invoice',
];

/**
 * Names a payment method with its expiration date: banks replace an expired card under the same id, and the new one has not
 * been tried.
 */
export const methodKey = (
  id: string,
  card: { exp_month: number | null; exp_year: number | null } | null | undefined,
): string => (card ? `${id}:${card.exp_month}/${card.exp_year}` : id);

/**
 * Stripe's subscription as the sync reads it: amounts in cents, instants in UTC. Null for one without items, which
 * checkout never creates.
 */
export function readSubscription(
  subscription: Stripe.Subscription,
  tiers: KnownTiers,
  extras: Extras,
): FetchedSubscription | null {
  const item = membershipItem(subscription.items.data, tiers);
  if (!item) return null;
  const addOns = subscription.items.data.filter(({ id }) => id !== item.id);
  const { tier, application_id, attempt_id, from_venue } = subscription.metadata;
  const start = instant(item.current_period_start);
  const end = instant(item.current_period_end);
  const add_ons_cents = addOns
    .filter((it) => isBilledWith(it, item))
    .reduce((sum, it) => sum + costOf(it, subscription.currency, extras), 0);
  return {
    id: subscription.id,
    status: subscription.status,
    created_at: instant(subscription.created),
    ended_at: subscription.ended_at === null ? null : instant(subscription.ended_at),
    cancel_at_period_end: subscription.cancel_at_period_end,
    cancel_at: subscription.cancel_at === null ? null : instant(subscription.cancel_at),
    canceled_at: subscription.canceled_at === null ? null : instant(subscription.canceled_at),
    gave_up: subscription.cancellation_details?.reason === 'payment_failed',
    current_period_start: start,
    current_period_end: end > start ? end : new Date(start.getTime() + 1000),
    quantity: (item.quantity ?? 1) + tiersAmong(addOns, tiers),
    amount_cents: costOf(item, subscription.currency, extras) + add_ons_cents,
    add_ons_cents,
    currency: subscription.currency,
    tax_behavior: taxBehaviorOf(subscription, item.price),
    item: { id: item.id, quantity: item.quantity ?? 1 },
    ...soldPrice(item.price),
    pinned: methodOf(subscription.default_payment_method) ?? sourceOf(subscription.default_source, extras),
    has_source: Boolean(subscription.default_source),
    customer_default: customerDefault(subscription, extras),
    schedule: scheduleOf(subscription, new Set(addOns.map(({ price }) => price.id)), tiers),
    pending_update: pendingUpdateOf(subscription, tiers),
    pause: pauseOf(subscription),
    stop: stopOf(subscription),
    open_cents: openCents(subscription),
    is_sent: subscription.collection_method === 'send_invoice',
    is_reduced: isReduced(subscription),
    has_pending:
      extras.waiting === 'unknown' || extras.waiting.some((it) => it === null || it === subscription.id),
    metadata: { tier, application_id, attempt_id, from_venue },
  };
}

function openCents({ latest_invoice: latest }: Stripe.Subscription): number | null {
  return latest && typeof latest !== 'string' && latest.status === 'open' ? latest.amount_remaining : null;
}

function isReduced({ discounts, items, customer }: Stripe.Subscription): boolean {
  if (discounts.length > 0 || items.data.some((item) => item.discounts.length > 0)) return true;
  return typeof customer !== 'string' && !customer.deleted && Boolean(customer.discount || customer.balance);
}

function taxBehaviorOf({ automatic_tax }: Stripe.Subscription, { tax_behavior }: Stripe.Price): TaxBehavior {
  const known = TAX_BEHAVIORS.find((it) => it === tax_behavior);
  return (automatic_tax.enabled && known) || 'unspecified';
}

/** How many more memberships the add-ons charge. */
const tiersAmong = (addOns: Stripe.SubscriptionItem[], tiers: KnownTiers): number =>
  addOns
    .filter(({ price }) => tierSold(soldPrice(price), tiers) !== null)
    .reduce((sum, { quantity }) => sum + (quantity ?? 0), 0);

/** The cost of a period in cents of the subscription's currency; none for usage, which is billed afterward. */
function costOf({ price, quantity }: Stripe.SubscriptionItem, currency: string, { amounts }: Extras): number {
  if (price.recurring?.usage_type === 'metered') return 0;
  const count = quantity ?? 1;
  return (
    amounts.get(price.id)?.(count) ?? (price.currency === currency ? (price.unit_amount ?? 0) : 0) * count
  );
}

/** Whether an add-on is charged as often as the membership, so that its price is part of the same amount. */
function isBilledWith(
  { price: addOn }: Stripe.SubscriptionItem,
  { price }: Stripe.SubscriptionItem,
): boolean {
  return (
    addOn.recurring?.interval === price.recurring?.interval &&
    addOn.recurring?.interval_count === price.recurring?.interval_count
  );
}

function methodOf(method: string | Stripe.PaymentMethod | null): FetchedMethod | null {
  if (!method || typeof method === 'string') return null;
  const { id, created, type, card } = method;
  const common = { id, key: methodKey(id, card), created_at: instant(created), type };
  if (!card) return { ...common, card: null };
  const { brand, last4, exp_month, exp_year, wallet } = card;
  return { ...common, card: { brand, last4, exp_month, exp_year, wallet: wallet?.type ?? null } };
}

function customerDefault({ customer }: Stripe.Subscription, extras: Extras): FetchedMethod | null {
  if (typeof customer === 'string' || customer.deleted) return null;
  return (
    methodOf(customer.invoice_settings.default_payment_method) ?? sourceOf(customer.default_source, extras)
  );
}

const sourceOf = (source: string | { id: string } | null, { sources }: Extras): FetchedMethod | null =>
  methodOf(sources.get(idOf(source) ?? '') ?? null);

function scheduleOf(
  { schedule }: Stripe.Subscription,
  addOnPrices: Set<string>,
  { tierOfPrice }: KnownTiers,
): FetchedSubscription['schedule'] {
  if (!schedule) return null;
  if (typeof schedule === 'string') return { id: schedule, next: null };
  const currentStart = schedule.current_phase?.start_date ?? 0;
  const phase = schedule.phases.find(({ start_date }) => start_date > currentStart);
  const prices = phase?.items.map((item) => idOf(item.price)).filter((id) => id !== null) ?? [];
  const price = prices.find((id) => tierOfPrice.has(id)) ?? prices.find((id) => !addOnPrices.has(id));
  const next = phase && price ? { stripe_price_id: price, starts_at: instant(phase.start_date) } : null;
  return { id: schedule.id, next };
}

function pauseOf({ pause_collection: pause }: Stripe.Subscription): FetchedSubscription['pause'] {
  return pause && { resumes_at: pause.resumes_at === null ? null : instant(pause.resumes_at) };
}

function stopOf({ status, status_details }: Stripe.Subscription): FetchedSubscription['stop'] {
  const paused = status === 'paused' ? status_details?.paused : undefined;
  return paused ? { reason: paused.subscription.type, at: instant(paused.transitioned_at) } : null;
}

function pendingUpdateOf(
  { pending_update }: Stripe.Subscription,
  tiers: KnownTiers,
): FetchedSubscription['pending_update'] {
  const item = pending_update?.subscription_items && membershipItem(pending_update.subscription_items, tiers);
  if (!pending_update || !item) return null;
  return { stripe_price_id: item.price.id, expires_at: instant(pending_update.expires_at) };
}
