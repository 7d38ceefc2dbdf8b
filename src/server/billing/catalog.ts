import { and, eq } from 'drizzle-orm';
import { tier_definitions, tier_price } from '../db/schema.ts';
import type { BillingDeps } from './billing-context.ts';
import { isMissing } from './stripe-errors.ts';

export interface PricedTier {
  tier_name: string;
  /** Per month. */
  amount_cents: number;
}

/** Includes the amount, because a changed amount is a new price at Stripe and the old one must stay findable. */
function lookupKey({ tier_name, amount_cents }: PricedTier, currency: string): string {
  return `cellar-door:${tier_name}:${currency}:${amount_cents}`;
}

/**
 * Returns the id of the Stripe price of a tier at an amount, and creates it at Stripe first if needed. Concurrent
 * calls get the same price. Throws Stripe's errors.
 */
export async function ensurePrice(deps: BillingDeps, tier: PricedTier): Promise<string> {
  const { db, stripe, currency, now } = deps;
  const [row] = await db
    .select()
    .from(tier_price)
    .where(
      and(
        eq(tier_price.tier_name, tier.tier_name),
        eq(tier_price.amount_cents, tier.amount_cents),
        eq(tier_price.currency, currency),
      ),
    );
  if (row) return row.stripe_price_id;

  const key = lookupKey(tier, currency);
  const found = await stripe.prices.list({ lookup_keys: [key], active: true, limit: 1 });
  const price =
    found.data[0] ??
    (await stripe.prices.create(
      {
        product: await ensureProduct(deps, tier.tier_name),
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

async function ensureProduct({ db, stripe }: BillingDeps, tierName: string): Promise<string> {
  const id = `cellar_door_${tierName}`;
  try {
    return (await stripe.products.retrieve(id)).id;
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  const [tier] = await db.select().from(tier_definitions).where(eq(tier_definitions.tier_name, tierName));
  const name = `${tier?.display_name ?? tierName} membership`;
  // Stripe refuses a key that is used again with other parameters, so the name is part of it.
  const idempotencyKey = `product:${id}:${name}`;
  return (await stripe.products.create({ id, name, metadata: { tier: tierName } }, { idempotencyKey })).id;
}
