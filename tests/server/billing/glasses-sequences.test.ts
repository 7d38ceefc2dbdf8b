import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { ensurePrice } from '../../../src/server/billing/catalog.ts';
import { tier_definitions, tier_rollover } from '../../../src/server/db/schema.ts';
import { openSharedDatabase } from '../../support/billing/databases.ts';
import { glassesBought, glassesOf, pourGlasses } from '../../support/billing/glasses.ts';
import { stripeCustomerId } from '../../support/billing/member-state.ts';
import { openVenue, type Venue } from '../../support/billing/venue.ts';

beforeAll(openSharedDatabase);

/** For more runs: SEQUENCES=500 npx vitest run --project server tests/server/billing/glasses-sequences.test.ts */
const RUNS = Number(process.env.SEQUENCES ?? 12);
/** The largest tier's: 7 of 30 days, of 20. */
const ONE_GRACE_SHARE = 5;
/** Stripe rounds each line to the cent. */
const ROUNDING = 0.1;

const TIERS = ['select', 'premier', 'elite', 'household'];
const tier = fc.constantFrom(...TIERS);
const action = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('change' as const), tier }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('change_at_stripe' as const), tier }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('pour' as const), most: fc.constantFrom(1, 3, 100) }) },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('days' as const), days: fc.integer({ min: 1, max: 20 }) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('near_end' as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('card' as const), good: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('rejoin' as const), tier }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('cancel' as const, 'resume' as const, 'keep_tier' as const, 'verify' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('lose_webhooks' as const), lose: fc.boolean() }) },
);
type Action = typeof action extends fc.Arbitrary<infer A> ? A : never;

interface Member {
  user: string;
  poured: number;
}

async function act(venue: Venue, member: Member, it: Action): Promise<void> {
  const { billing } = venue;
  const { user } = member;
  if (it.do === 'change') await billing.changeTier(user, (await billing.previewTier(user, it.tier)).id);
  if (it.do === 'change_at_stripe') await upgradeAtStripe(venue, user, it.tier);
  if (it.do === 'pour') member.poured += await pourGlasses(venue, user, it.most);
  if (it.do === 'days') {
    await venue.advance({ days: it.days });
    await billing.sweep();
  }
  if (it.do === 'near_end') {
    const end = (await venue.state(user)).subscriptions.at(-1)?.current_period_end ?? venue.clock.now();
    const minutes = Math.floor((end.getTime() - venue.clock.now().getTime()) / 60_000) - 60;
    if (minutes > 0) await venue.advance({ minutes });
  }
  if (it.do === 'card') await venue.changeCard(user, it.good ? 'pm_card_visa' : 'pm_card_chargeCustomerFail');
  if (it.do === 'rejoin') {
    await billing.reconcile(user);
    if ((await venue.state(user)).customer?.status === 'active') return;
    const application = await venue.reapply(user, it.tier);
    await venue.pay(await venue.checkout({ user, application }, it.tier));
    await venue.delivered();
    await billing.reconcile(user);
  }
  if (it.do === 'cancel') await billing.cancelSubscription(user);
  if (it.do === 'resume') await billing.resumeSubscription(user);
  if (it.do === 'keep_tier') await billing.cancelTierChange(user);
  if (it.do === 'verify') await billing.reconcile(user);
  if (it.do === 'lose_webhooks') await venue.webhooks(it.lose ? 'drop' : 'normal');
}

/** Only upward: after a change down that Stripe credits, glasses may be poured already. */
async function upgradeAtStripe({ stripe, db }: Venue, user: string, to: string): Promise<void> {
  const customer = await stripeCustomerId(db, user);
  const [subscription] = (await stripe.subscriptions.list({ customer, limit: 1 })).data;
  const item = subscription?.items.data[0];
  const { data } = await stripe.prices.list({ limit: 100 });
  const price = data.find(({ metadata }) => metadata.tier === to);
  if (!subscription || !item || !price || (price.unit_amount ?? 0) <= (item.price.unit_amount ?? 0)) return;
  await stripe.subscriptions.update(subscription.id, {
    items: [{ id: item.id, price: price.id }],
    proration_behavior: 'always_invoice',
    payment_behavior: 'error_if_incomplete',
  });
}

/** Otherwise a tier has a price at Stripe only when its first member joins. */
async function priceEveryTier({ deps, db }: Venue): Promise<void> {
  for (const { tier_name, monthly_price_cents } of await db.select().from(tier_definitions)) {
    await ensurePrice(deps, { tier_name, amount_cents: monthly_price_cents });
  }
}

test('over any sequence of tier changes, payments, failures and rejoining, no more is poured than paid for, and one share of grace', async () => {
  const venue = await openVenue();
  const settings = fc.record({
    dunning_days: fc.constantFrom([3], [3, 5, 7], [3, 20]),
    dunning_end: fc.constantFrom('canceled', 'unpaid', 'past_due'),
    draft_seconds: fc.constantFrom(0, 3600),
  });
  await fc.assert(
    fc.asyncProperty(
      settings,
      tier,
      fc.array(action, { minLength: 6, maxLength: 24 }),
      async (set, first, actions) => {
        await venue.reset();
        await venue.control('settings', set);
        await venue.webhooks('normal');
        await priceEveryTier(venue);
        // What rolls over was paid for in the period that gave it.
        for (const tier_name of ['premier', 'household']) {
          const row = { tier_name, since: new Date(0), glasses: 3 };
          await venue.db.insert(tier_rollover).values(row).onConflictDoNothing();
        }
        const member: Member = { user: (await venue.member(first)).user, poured: 0 };
        const customer = await stripeCustomerId(venue.db, member.user);
        for (const one of actions) {
          await act(venue, member, one).catch((error: unknown) => {
            // Refusals are part of a sequence; errors of ours are not.
            const known =
              error instanceof Error && ['Refusal', 'StripeCardError'].includes(error.constructor.name);
            if (!known && !isStripeRefusal(error)) throw error;
          });
          const bought = await glassesBought(venue, customer);
          expect(member.poured).toBeLessThanOrEqual(bought + ONE_GRACE_SHARE + ROUNDING);
        }
        // What an open page shows is what a pour would find.
        const left = await glassesOf(venue, member.user);
        expect(left?.available ?? 0).toBeLessThanOrEqual(left?.tier_max ?? 0);
      },
    ),
    {
      numRuns: RUNS,
      interruptAfterTimeLimit: process.env.SEQUENCES ? undefined : 60_000,
      seed: Number(process.env.SEED) || undefined,
    },
  );
}, 3_600_000);

const isStripeRefusal = (error: unknown) =>
  error instanceof Error && 'type' in error && String(error.type).startsWith('Stripe');
