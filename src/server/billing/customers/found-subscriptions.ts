import type Stripe from 'stripe';
import { emailAddress } from '../../../domain/email-address.ts';
import type { FoundSubscription } from '../../../domain/imports/adoption.ts';
import { type KnownTiers, membershipItem } from '../state/membership-item.ts';
import { completeItems } from '../state/whole-lists.ts';
import { idOf, instant } from '../stripe-objects.ts';

const PAGE = 100;
const EXPAND = ['data.customer'];

const isoOf = (seconds: number) => instant(seconds).toISOString();

/** A page of the account's running subscriptions, newest first, after a given one. Throws Stripe's errors. */
export async function listRunning(
  stripe: Stripe,
  tiers: KnownTiers,
  after: string | null,
): Promise<{ found: FoundSubscription[]; last: string | null }> {
  const page = await stripe.subscriptions.list({
    limit: PAGE,
    expand: EXPAND,
    starting_after: after ?? undefined,
  });
  for (const it of page.data) await completeItems(stripe, it);
  return {
    found: page.data.flatMap((it) => toFound(it, tiers)),
    last: page.has_more ? (page.data.at(-1)?.id ?? null) : null,
  };
}

/** All subscriptions of a customer, including ended ones. Throws Stripe's errors. */
export async function listOfCustomer(
  stripe: Stripe,
  tiers: KnownTiers,
  customer: string,
): Promise<FoundSubscription[]> {
  const all = await stripe.subscriptions
    .list({ customer, status: 'all', limit: PAGE, expand: EXPAND })
    .autoPagingToArray({ limit: 10_000 });
  for (const it of all) await completeItems(stripe, it);
  return all.flatMap((it) => toFound(it, tiers));
}

/** The products' names at Stripe. Throws Stripe's errors. */
export async function namesOfProducts(stripe: Stripe, products: string[]): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  for (const id of products) names.set(id, (await stripe.products.retrieve(id)).name);
  return names;
}

/** Empty for a subscription without items, or with a deleted customer. */
function toFound(subscription: Stripe.Subscription, tiers: KnownTiers): FoundSubscription[] {
  const { customer } = subscription;
  const item = membershipItem(subscription.items.data, tiers);
  if (!item || typeof customer === 'string' || customer.deleted) return [];
  const { price } = item;
  const { interval = 'once', interval_count = 1 } = price.recurring ?? {};
  const own = idOf(subscription.default_payment_method);
  const usual = idOf(customer.invoice_settings.default_payment_method);
  return [
    {
      id: subscription.id,
      customer: customer.id,
      email: emailAddress(customer.email ?? '').toLowerCase() || null,
      name: customer.name ?? null,
      user_id: customer.metadata.user_id ?? null,
      status: subscription.status,
      price: price.id,
      product: idOf(price.product) ?? '',
      price_tier: price.metadata.tier ?? null,
      unit_cents: price.recurring?.usage_type === 'metered' ? null : price.unit_amount,
      quantity: item.quantity ?? 1,
      currency: price.currency,
      interval: interval_count === 1 ? interval : `${interval_count} ${interval}s`,
      other_prices: subscription.items.data.filter(({ id }) => id !== item.id).map((it) => it.price.id),
      invoiced: subscription.collection_method === 'send_invoice',
      scheduled: subscription.schedule !== null,
      discounted: subscription.discounts.length > 0 || item.discounts.length > 0,
      own_card: own !== null && usual !== null && own !== usual,
      other_program: subscription.application !== null,
      paused: subscription.pause_collection !== null,
      cancel_at_period_end: subscription.cancel_at_period_end,
      cancel_at: subscription.cancel_at === null ? null : isoOf(subscription.cancel_at),
      period_end: isoOf(item.current_period_end),
      started_at: isoOf(subscription.start_date),
    },
  ];
}
