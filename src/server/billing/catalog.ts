import { and, eq } from 'drizzle-orm';
import { tier_definitions, tier_price } from '../db/schema.ts';
import type { BillingDeps } from './context.ts';
import { isMissing } from './stripe-errors.ts';

export interface SellableTier {
  tier_name: string;
  amount_cents: number;
}

/** Stripe's name for a tier at an amount; a changed amount is a new price, the old one stays readable. */
function lookupKey({ tier_name, amount_cents }: SellableTier, currency: string): string {
  return `cellar-door:${tier_name}:${currency}:${amount_cents}`;
}

/**
 * The Stripe price of a tier at an amount (cents per month), made at Stripe when it is not there yet.
 * Asked twice at once, both get the same price. Throws Stripe's errors.
 */
export async function priceForTier(deps: BillingDeps, tier: SellableTier): Promise<string> {
  const { db, stripe, currency, now } = deps;
  const known = and(
    eq(tier_price.tier_name, tier.tier_name),
    eq(tier_price.amount_cents, tier.amount_cents),
    eq(tier_price.currency, currency),
  );
  const [row] = await db.select().from(tier_price).where(known);
  if (row) return row.stripe_price_id;

  const key = lookupKey(tier, currency);
  const found = await stripe.prices.list({ lookup_keys: [key], active: true, limit: 1 });
  const product = `cellar_door_${tier.tier_name}`;
  const price =
    found.data[0] ??
    (await stripe.prices.create(
      {
        product: await productOf(deps, tier.tier_name, product),
        currency,
        unit_amount: tier.amount_cents,
        recurring: { interval: 'month' },
        lookup_key: key,
        transfer_lookup_key: true,
        metadata: { tier: tier.tier_name },
      },
      { idempotencyKey: `price:${key}` },
    ));
  await db
    .insert(tier_price)
    .values({
      stripe_price_id: price.id,
      stripe_product_id: typeof price.product === 'string' ? price.product : price.product.id,
      ...tier,
      currency,
      created_at: now(),
    })
    .onConflictDoNothing();
  return price.id;
}

async function productOf({ db, stripe }: BillingDeps, tierName: string, id: string): Promise<string> {
  try {
    return (await stripe.products.retrieve(id)).id;
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  const [tier] = await db.select().from(tier_definitions).where(eq(tier_definitions.tier_name, tierName));
  const name = `${tier?.display_name ?? tierName} membership`;
  // The name is part of the key: a key used again with other words is an error at Stripe.
  const idempotencyKey = `product:${id}:${name}`;
  return (await stripe.products.create({ id, name, metadata: { tier: tierName } }, { idempotencyKey })).id;
}
