import { setTimeout as wait } from 'node:timers/promises';
import type Stripe from 'stripe';
import { unixSeconds } from '../../../domain/calendar.ts';
import type { BillingDeps } from '../billing-context.ts';
import { ensureProduct } from '../catalog.ts';
import { defaultMethodParams, priceParams, shownAtStripe } from '../request-params.ts';

/** The objects made at Stripe for a try-out; none of them is a member's. */
export interface Stage {
  /** Identifies this run. */
  id: string;
  /** The buyer on the payment pages; on no test clock. */
  buyer: string;
  /** Two tiers with their prices, the cheaper one first. */
  tiers: [StageTier, StageTier];
  taxed: boolean;
}

export interface StageTier {
  tier_name: string;
  amount_cents: number;
  price: string;
  product: string;
}

export type Undo = () => Promise<unknown>;

const AMOUNTS = [3900, 6900] as const;
/** Tax depends on the customer's location. */
const ADDRESS: Stripe.AddressParam = {
  line1: '510 Townsend Street',
  city: 'San Francisco',
  state: 'CA',
  postal_code: '94103',
  country: 'US',
};

/** Creates a customer like ours, whose user id belongs to no account. */
export async function makeCustomer(
  { stripe }: Pick<BillingDeps, 'stripe'>,
  id: string,
  undo: Undo[],
  test_clock?: string,
): Promise<string> {
  const shown = shownAtStripe({
    email: 'try-out@example.com',
    first_name: 'Cellar Door',
    last_name: 'try-out',
  });
  const params: Stripe.CustomerCreateParams = {
    ...shown,
    address: ADDRESS,
    metadata: { user_id: id },
    test_clock,
  };
  const customer = await stripe.customers.create(params);
  // Deleting a test clock deletes its customers.
  if (!test_clock) undo.push(() => stripe.customers.del(customer.id));
  return customer.id;
}

/** Makes the customer of the pages, and two tiers with prices. Throws Stripe's errors. */
export async function makeStage(deps: BillingDeps, id: string, undo: Undo[]): Promise<Stage> {
  const buyer = await makeCustomer(deps, id, undo);
  const [cheap, dear] = [await makeTier(deps, id, 0, undo), await makeTier(deps, id, 1, undo)];
  return { id, buyer, tiers: [cheap, dear], taxed: deps.taxBehavior !== 'unspecified' };
}

async function makeTier(deps: BillingDeps, id: string, at: 0 | 1, undo: Undo[]): Promise<StageTier> {
  const { stripe } = deps;
  const tier = { tier_name: `${id}_${at + 1}`, amount_cents: AMOUNTS[at] };
  const product = await ensureProduct(deps, tier.tier_name);
  // Stripe does not delete a product that ever had a price.
  undo.push(() => stripe.products.update(product, { active: false }));
  const price = await stripe.prices.create(priceParams(deps, tier, { product, lookup_key: tier.tier_name }));
  undo.push(() => stripe.prices.update(price.id, { active: false }));
  return { ...tier, product, price: price.id };
}

/** Makes a test clock and a customer on it with a test card. Throws Stripe's errors. */
export async function makePayer(
  { stripe, now }: Pick<BillingDeps, 'stripe' | 'now'>,
  id: string,
  undo: Undo[],
): Promise<{ clock: string; payer: string }> {
  const frozen_time = unixSeconds(now());
  const clock = await stripe.testHelpers.testClocks.create({ frozen_time, name: 'Cellar Door try-out' });
  undo.push(() => stripe.testHelpers.testClocks.del(clock.id));
  const payer = await makeCustomer({ stripe }, id, undo, clock.id);
  const card = await stripe.paymentMethods.attach('pm_card_visa', { customer: payer });
  await stripe.customers.update(payer, defaultMethodParams(card.id));
  return { clock: clock.id, payer };
}

const LOOKS = 120;
const LOOK_EVERY_MS = 1000;

/** Advances a test clock, and waits until Stripe has done everything due. Throws Stripe's errors. */
export async function advanceClock(stripe: Stripe, id: string, to: Date): Promise<void> {
  const frozen_time = unixSeconds(to);
  let clock = await stripe.testHelpers.testClocks.advance(id, { frozen_time });
  for (let looks = 0; clock.status === 'advancing' && looks < LOOKS; looks++) {
    await wait(LOOK_EVERY_MS);
    clock = await stripe.testHelpers.testClocks.retrieve(id);
  }
  if (clock.status !== 'ready') throw new Error(`the test clock is still ${clock.status}`);
}
