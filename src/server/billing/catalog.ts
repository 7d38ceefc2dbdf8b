import type Stripe from 'stripe';
import type { TaxBehavior } from '../../domain/money.ts';
import { and, eq, isNotNull, isNull } from '../db/orm.ts';
import { tier_definitions, tier_price } from '../db/schema.ts';
import type { BillingDeps } from './billing-context.ts';
import { withKey } from './idempotency-key.ts';
import { priceParams } from './request-params.ts';
import { isRefused, unlessMissing } from './stripe-errors.ts';
import { idOf } from './stripe-objects.ts';

export interface PricedTier {
  tier_name: string;
  /** The price of a month. */
  amount_cents: number;
}

/**
 * The key names everything about a price that Stripe never changes, so that a changed price is created beside the old one.
 */
function lookupKey({ tier_name, amount_cents }: PricedTier, currency: string, tax: TaxBehavior): string {
  const key = `cellar-door:${tier_name}:${currency}:${amount_cents}`;
  return tax === 'unspecified' ? key : `${key}:${tax}`;
}

/** The id of a tier's product at Stripe, the same in every installation. */
export const productId = (tierName: string) => `cellar_door_${tierName}`;

const pricesOf = ({ currency, taxBehavior }: BillingDeps, { tier_name, amount_cents }: PricedTier) =>
  and(
    eq(tier_price.tier_name, tier_name),
    eq(tier_price.amount_cents, amount_cents),
    eq(tier_price.currency, currency),
    eq(tier_price.tax_behavior, taxBehavior),
  );

/** The id of our price for a tier at an amount, if it can be sold as far as we know; null if there is none. */
export async function storedPriceId(deps: BillingDeps, tier: PricedTier): Promise<string | null> {
  const [row] = await deps.db
    .select()
    .from(tier_price)
    .where(and(pricesOf(deps, tier), isNull(tier_price.archived_at)));
  return row?.stripe_price_id ?? null;
}

/** A tier's price at Stripe, created if needed. Concurrent calls get the same. Throws Stripe's errors. */
export async function ensurePrice(deps: BillingDeps, tier: PricedTier): Promise<string> {
  const { db, stripe, currency, taxBehavior, now } = deps;
  const stored = await storedPriceId(deps, tier);
  if (stored) return stored;

  const key = lookupKey(tier, currency, taxBehavior);
  const found = await stripe.prices.list({ lookup_keys: [key], active: true, limit: 1 });
  const price = found.data[0] ?? (await createPrice(deps, tier, key));
  const [added] = await db
    .insert(tier_price)
    .values({
      stripe_price_id: price.id,
      stripe_product_id: idOf(price.product) ?? '',
      tier_name: tier.tier_name,
      amount_cents: tier.amount_cents,
      currency,
      tax_behavior: taxBehavior,
      created_at: now(),
    })
    // Another process may record it at the same moment, which either unique index can notice first.
    .onConflictDoNothing()
    .returning({ id: tier_price.stripe_price_id });
  // A price archived at Stripe is active again.
  const isArchived = and(eq(tier_price.stripe_price_id, price.id), isNotNull(tier_price.archived_at));
  if (!added) await db.update(tier_price).set({ archived_at: null }).where(isArchived);
  return price.id;
}

async function createPrice(deps: BillingDeps, tier: PricedTier, key: string): Promise<Stripe.Price> {
  const { db, stripe } = deps;
  const replaced = await db.$count(tier_price, and(pricesOf(deps, tier), isNotNull(tier_price.archived_at)));
  const product = await ensureProduct(deps, tier.tier_name);
  // A repeated key returns the earlier price, so a price that replaces others needs a key of its own.
  return withKey(deps, replaced > 0 ? `price:${key}:${replaced}` : `price:${key}`, (options) =>
    stripe.prices.create(priceParams(deps, tier, { product, lookup_key: key }), options),
  );
}

/**
 * Runs work at Stripe that needs a tier's price, such as opening a checkout page. If Stripe refuses because the price or
 * its product was archived or deleted there, runs it once more with a price that can be sold. If `work` uses a key
 * (withKey), its name must contain the price. Throws Stripe's errors.
 */
export async function withPrice<T>(
  deps: BillingDeps,
  tier: PricedTier,
  work: (price: string) => Promise<T>,
): Promise<T> {
  const price = await ensurePrice(deps, tier);
  try {
    return await work(price);
  } catch (error) {
    if (!isRefused(error) || !(await repairPrice(deps, price))) throw error;
    return work(await ensurePrice(deps, tier));
  }
}

/** Whether a price of ours can be sold, as repairPrice would find it. Throws Stripe's errors. */
export async function priceState(
  stripe: Stripe,
  id: string,
): Promise<'sells' | 'product_archived' | 'archived'> {
  const price = await fetchPrice(stripe, id);
  if (!price?.active || typeof price.product === 'string' || price.product.deleted) return 'archived';
  return price.product.active ? 'sells' : 'product_archived';
}

/**
 * Asks Stripe whether a price of ours can be sold. Reactivates an archived product, because tiers are retired here, not at
 * Stripe. Marks a price that is archived or gone at Stripe, so that the next ensurePrice makes or finds another. True if
 * something was wrong. Throws Stripe's errors.
 */
export async function repairPrice({ db, stripe, log, now }: BillingDeps, id: string): Promise<boolean> {
  const price = await fetchPrice(stripe, id);
  const product = price && typeof price.product !== 'string' && !price.product.deleted ? price.product : null;
  if (price?.active && product?.active) return false;
  if (product && !product.active) {
    log.warn({ product: product.id }, 'The product of a tier was archived at Stripe and is active again');
    await activate(stripe, product);
  }
  if (price?.active && product) return true;
  log.warn({ price: id }, 'A price of a tier can no longer be sold at Stripe; a new one is created');
  await db.update(tier_price).set({ archived_at: now() }).where(eq(tier_price.stripe_price_id, id));
  return true;
}

/** A price with its product; null if this Stripe account has no such price. */
export const fetchPrice = (stripe: Stripe, id: string): Promise<Stripe.Price | null> =>
  unlessMissing(stripe.prices.retrieve(id, { expand: ['product'] }));

const activate = (stripe: Stripe, { id }: Stripe.Product) => stripe.products.update(id, { active: true });

export async function ensureProduct(deps: BillingDeps, tierName: string): Promise<string> {
  const { db, stripe } = deps;
  const id = productId(tierName);
  const known = await unlessMissing(stripe.products.retrieve(id));
  if (known) return known.active ? known.id : (await activate(stripe, known)).id;
  const [tier] = await db.select().from(tier_definitions).where(eq(tier_definitions.tier_name, tierName));
  const name = `${tier?.display_name ?? tierName} membership`;
  const product: Stripe.ProductCreateParams = { id, name, metadata: { tier: tierName } };
  // Stripe refuses a reused key with other parameters, so the name is part of it.
  await withKey(deps, `product:${id}:${name}`, (options) => stripe.products.create(product, options));
  return id;
}
