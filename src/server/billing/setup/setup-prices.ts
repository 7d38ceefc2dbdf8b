import { asc, eq } from 'drizzle-orm';
import type Stripe from 'stripe';
import { tier_definitions } from '../../db/schema.ts';
import type { BillingDeps } from '../billing-context.ts';
import { ensurePrice, type PricedTier, repairPrice, storedPriceId } from '../catalog.ts';
import { isMissing } from '../stripe-errors.ts';
import { type Finding, ok, type SetupStep, wrong } from './setup-report.ts';

/** The tiers that can be bought now, cheapest first. */
async function tiersOnSale({ db }: BillingDeps): Promise<PricedTier[]> {
  const rows = await db
    .select()
    .from(tier_definitions)
    .where(eq(tier_definitions.is_active, true))
    .orderBy(asc(tier_definitions.monthly_price_cents));
  return rows.map(({ tier_name, monthly_price_cents }) => ({ tier_name, amount_cents: monthly_price_cents }));
}

/** Makes product and price of every tier on sale. The server would do it when one is first bought. Throws Stripe's errors. */
export async function ensurePrices(deps: BillingDeps): Promise<SetupStep[]> {
  const steps: SetupStep[] = [];
  for (const tier of await tiersOnSale(deps)) {
    const before = await storedPriceId(deps, tier);
    // One that was archived at Stripe since gets another.
    if (before) await repairPrice(deps, before);
    const id = await ensurePrice(deps, tier);
    steps.push({ outcome: before === id ? 'unchanged' : 'made', text: `price ${id} of ${tier.tier_name}` });
  }
  return steps;
}

/** Whether every tier on sale can be bought at its price. Throws Stripe's errors. */
export async function checkPrices(deps: BillingDeps): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const tier of await tiersOnSale(deps)) {
    const about = `price of ${tier.tier_name}`;
    const id = await storedPriceId(deps, tier);
    const problem = id ? await problemOf(deps, tier, id) : 'not made yet: npm run stripe:setup';
    findings.push(
      problem ? wrong(about, problem) : ok(about, `${id} is active, monthly, and the amount is ours`),
    );
  }
  return findings;
}

/** What is wrong with a price at Stripe; null if nothing is. */
async function problemOf(
  { stripe, currency }: BillingDeps,
  { amount_cents }: PricedTier,
  id: string,
): Promise<string | null> {
  let price: Stripe.Price;
  try {
    price = await stripe.prices.retrieve(id, { expand: ['product'] });
  } catch (error) {
    if (!isMissing(error)) throw error;
    return `${id} does not exist in this Stripe account: is the key of another account?`;
  }
  const { product, recurring } = price;
  if (!price.active) return `${id} is archived at Stripe`;
  if (typeof product === 'object' && (product.deleted || !product.active))
    return `the product of ${id} is archived at Stripe`;
  const isMonthly = recurring?.interval === 'month' && recurring.interval_count === 1;
  if (price.unit_amount !== amount_cents || price.currency !== currency || !isMonthly) {
    return `${id} is ${price.unit_amount} ${price.currency} at Stripe, ours is ${amount_cents} ${currency} a month`;
  }
  return null;
}
