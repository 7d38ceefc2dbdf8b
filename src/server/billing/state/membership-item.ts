import type Stripe from 'stripe';
import { idOf } from '../stripe-objects.ts';

/** Our tiers, with their products and prices at Stripe. */
export interface KnownTiers {
  monthlyPours: Map<string, number>;
  tierOfPrice: Map<string, { tier_name: string; amount_cents: number }>;
  tierOfProduct: Map<string, string>;
}

/** What a price at Stripe says about its tier. */
export interface SoldPrice {
  stripe_price_id: string;
  stripe_product_id: string;
  /** The tier named in its metadata. */
  price_tier: string | null;
  is_monthly: boolean;
}

export const soldPrice = ({ id, product, metadata, recurring }: Stripe.Price): SoldPrice => ({
  stripe_price_id: id,
  stripe_product_id: idOf(product) ?? '',
  price_tier: metadata.tier ?? null,
  is_monthly: recurring?.interval === 'month' && recurring.interval_count === 1,
});

/**
 * The tier that a price sells: one that we made or took over, or a monthly one on a tier's product or with the tier in its
 * metadata. Null for any other (docs/rules/billing.md, "Billing: which tier a price buys").
 */
export function tierSold(price: SoldPrice, { tierOfPrice, tierOfProduct, monthlyPours }: KnownTiers) {
  const { stripe_price_id, stripe_product_id, price_tier, is_monthly } = price;
  const sold = tierOfPrice.get(stripe_price_id)?.tier_name;
  // A tier is a month's glasses. A yearly or weekly price would grant them once in its own period.
  if (sold || !is_monthly) return sold ?? null;
  const named = price_tier !== null && monthlyPours.has(price_tier) ? price_tier : null;
  return tierOfProduct.get(stripe_product_id) ?? named;
}

/**
 * The item that is the membership, wherever it stands: the first whose price sells a tier, otherwise the first on a tier's
 * product or with a tier in its metadata, otherwise the first. The others are add-ons. Undefined without items.
 */
export function membershipItem<I extends { price: Stripe.Price }>(
  items: I[],
  tiers: KnownTiers,
): I | undefined {
  const priced = items.map((item) => ({ item, price: soldPrice(item.price) }));
  const found =
    priced.find(({ price }) => tiers.tierOfPrice.has(price.stripe_price_id)) ??
    priced.find(({ price }) => tierSold(price, tiers) !== null) ??
    priced.find(({ price }) => price.price_tier ?? tiers.tierOfProduct.has(price.stripe_product_id)) ??
    priced[0];
  return found?.item;
}
