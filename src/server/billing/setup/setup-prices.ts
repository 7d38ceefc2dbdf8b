import { formatAmount } from '../../../domain/money.ts';
import { asc, eq } from '../../db/orm.ts';
import { tier_definitions } from '../../db/schema.ts';
import type { BillingDeps } from '../billing-context.ts';
import {
  ensurePrice,
  fetchPrice,
  type PricedTier,
  priceState,
  repairPrice,
  storedPriceId,
} from '../catalog.ts';
import { type Finding, failing, type PlannedStep, type SetupStep, toSetUp, well } from './setup-report.ts';

/** The tiers that can be bought now, cheapest first. */
export async function tiersOnSale({ db }: BillingDeps): Promise<PricedTier[]> {
  const rows = await db
    .select()
    .from(tier_definitions)
    .where(eq(tier_definitions.is_active, true))
    .orderBy(asc(tier_definitions.monthly_price_cents));
  return rows.map(({ tier_name, monthly_price_cents }) => ({ tier_name, amount_cents: monthly_price_cents }));
}

/** The planned steps for prices. Throws Stripe's errors. */
export async function planPrices(deps: BillingDeps): Promise<PlannedStep[]> {
  const steps: PlannedStep[] = [];
  for (const tier of await tiersOnSale(deps)) {
    const id = await storedPriceId(deps, tier);
    const state = id ? await priceState(deps.stripe, id) : 'archived';
    const amount = formatAmount(tier.amount_cents, deps.currency);
    steps.push(
      state === 'sells'
        ? { outcome: 'unchanged', text: `price of ${tier.tier_name} (${id})` }
        : state === 'product_archived'
          ? { outcome: 'change', text: `product of ${tier.tier_name} (price ${id}): active again` }
          : { outcome: 'make', text: `a price of ${tier.tier_name}: ${amount} a month` },
    );
  }
  return steps;
}

/** Makes the prices of the tiers on sale, which their first purchase would make otherwise. Throws Stripe's errors. */
export async function ensurePrices(deps: BillingDeps): Promise<SetupStep[]> {
  const steps: SetupStep[] = [];
  for (const tier of await tiersOnSale(deps)) {
    const before = await storedPriceId(deps, tier);
    // Replaces a price that was archived at Stripe.
    if (before) await repairPrice(deps, before);
    const id = await ensurePrice(deps, tier);
    steps.push({ outcome: before === id ? 'unchanged' : 'made', text: `price of ${tier.tier_name} (${id})` });
  }
  return steps;
}

/** Whether every tier on sale can be bought at its price. Throws Stripe's errors. */
export async function checkPrices(deps: BillingDeps): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const tier of await tiersOnSale(deps)) {
    const about = `price of ${tier.tier_name}`;
    const id = await storedPriceId(deps, tier);
    const problem = id && (await problemOf(deps, tier, id));
    if (problem) findings.push(problem);
    else if (id) findings.push(well(about, `${id} is active, monthly, and the amount is ours`));
    else findings.push(toSetUp(about, 'not created yet'));
  }
  return findings;
}

async function problemOf(
  { stripe, currency }: BillingDeps,
  { tier_name, amount_cents }: PricedTier,
  id: string,
): Promise<Finding | null> {
  const about = `price of ${tier_name}`;
  const price = await fetchPrice(stripe, id);
  if (!price) {
    return toSetUp(about, `${id} does not exist in this Stripe account: is the key of another account?`);
  }
  const { product, recurring } = price;
  if (!price.active) return toSetUp(about, `${id} is archived at Stripe`);
  if (typeof product === 'object' && (product.deleted || !product.active))
    return toSetUp(about, `the product of ${id} is archived at Stripe`);
  const isMonthly = recurring?.interval === 'month' && recurring.interval_count === 1;
  if (price.unit_amount !== amount_cents || price.currency !== currency || !isMonthly) {
    const ours = `ours is ${amount_cents} ${currency} a month`;
    return failing(about, `${id} is ${price.unit_amount} ${price.currency} at Stripe, ${ours}`);
  }
  return null;
}
