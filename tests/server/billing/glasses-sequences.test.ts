import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { ensurePrice } from '../../../src/server/billing/catalog.ts';
import { rowsOf } from '../../../src/server/db/results.ts';
import { tier_definitions, tier_rollover } from '../../../src/server/db/schema.ts';
import { brokenInvariants, type Query } from '../../../torture/invariants.ts';
import { openSharedDatabase } from '../../support/billing/databases.ts';
import { askToPour, glassesBought, glassesOf, pouredOf, pourGlasses } from '../../support/billing/glasses.ts';
import { openHouseholds, waitingGlasses } from '../../support/billing/households.ts';
import { stripeCustomerId } from '../../support/billing/member-state.ts';
import { openVenue, type Venue } from '../../support/billing/venue.ts';

// docs/rules/glasses.md, "Glasses", "Pausing", "Household" and "A glass for a guest".

beforeAll(openSharedDatabase);

/** For more runs: SEQUENCES=500 npx vitest run --project server tests/server/billing/glasses-sequences.test.ts */
const RUNS = Number(process.env.SEQUENCES ?? 10);
/** The share of grace in the largest tier: 7 of 30 days, of 20 glasses. */
const ONE_GRACE_SHARE = 5;
/** Stripe rounds each line to the cent. */
const ROUNDING = 0.1;

const TIERS = ['select', 'premier', 'household'];
const tier = fc.constantFrom(...TIERS);
/** The first is a member at the start, the second is not. */
const who = fc.constantFrom(0, 0, 1);
const acts = <T extends string>(weight: number, ...names: T[]) => ({
  weight,
  arbitrary: fc.record({ do: fc.constantFrom(...names), who }),
});
const action = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('change' as const), who, tier }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('change_at_stripe' as const), who, tier }) },
  {
    weight: 8,
    arbitrary: fc.record({ do: fc.constant('pour' as const), who, most: fc.constantFrom(1, 3, 100) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('days' as const), who, days: fc.integer({ min: 1, max: 20 }) }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('card' as const), who, good: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('rejoin' as const), who, tier }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('lose_webhooks' as const), who, lose: fc.boolean() }) },
  acts(2, 'cancel', 'resume', 'keep_tier', 'verify', 'near_end'),
  acts(2, 'pause', 'end_pause', 'void', 'ended_by_stripe'),
  acts(5, 'share'),
  acts(1, 'unshare'),
  acts(4, 'give', 'pour_for_guest'),
  acts(1, 'take_back'),
);
type Action = typeof action extends fc.Arbitrary<infer A> ? A : never;

/** Runs an action of two people, who may be members, share a membership, and give guests glasses. */
async function act(venue: Venue, people: readonly string[], it: Action): Promise<void> {
  const { billing } = venue;
  const user = people[it.who] ?? '';
  const households = openHouseholds(venue);
  if (['card', 'change_at_stripe'].includes(it.do) && !(await atStripe(venue, user))) return;
  if (it.do === 'change') await billing.changeTier(user, (await billing.previewTier(user, it.tier)).id);
  if (it.do === 'change_at_stripe') await upgradeAtStripe(venue, user, it.tier);
  if (it.do === 'pour') await pourGlasses(venue, user, it.most);
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
    // Never two joins within a second, in which both periods would begin.
    await venue.advance({ minutes: 1 });
    const application = await venue.reapply(user, it.tier);
    await venue.pay(await venue.checkout({ user, application }, it.tier));
    await venue.delivered();
    await billing.reconcile(user);
  }
  if (it.do === 'ended_by_stripe') {
    const { active } = await venue.state(user);
    if (active?.subscription) await venue.stripe.subscriptions.cancel(active.subscription);
    await venue.delivered();
    await billing.reconcile(user);
  }
  if (it.do === 'cancel') await billing.cancelSubscription(user);
  if (it.do === 'resume') await billing.resumeSubscription(user);
  if (it.do === 'keep_tier') await billing.cancelTierChange(user);
  if (it.do === 'verify') await billing.reconcile(user);
  if (it.do === 'pause') await billing.pause(user, 1);
  if (it.do === 'end_pause') await billing.endPause(user, (await billing.getPause(user)).pause?.amount ?? 0);
  if (it.do === 'lose_webhooks') await venue.webhooks(it.lose ? 'drop' : 'normal');
  if (it.do === 'void') await voidLast(venue, user);
  if (it.do === 'share') await households.share(user, people[1 - it.who] ?? '');
  if (it.do === 'unshare') await households.end(user);
  if (it.do === 'give') await households.give(user);
  const [waiting] = await waitingGlasses(venue);
  if (it.do === 'pour_for_guest' && waiting) await askToPour(venue, user, 1, waiting.id);
  if (it.do === 'take_back' && waiting) await households.takeBack(user, waiting.id);
}

/** The user's customer id at Stripe; null for a user who never paid. */
const atStripe = ({ db }: Venue, user: string) => stripeCustomerId(db, user).catch(() => null);

async function voidLast({ db, clock, deps }: Venue, user: string): Promise<void> {
  const [last] = await rowsOf<{ id: string; staff: string }>(
    db,
    sql`select p.id, p.recorded_by_staff_id as staff from pours p join customers c on c.id = p.customer_id
         where c.user_id = ${user} order by p.created_at desc, p.id desc limit 1`,
  );
  if (!last) return;
  const made = {
    pour_id: last.id,
    voided_by_staff_id: last.staff,
    reason: 'spilled',
    created_at: clock.now(),
  };
  const input = JSON.stringify({ void: made, undo_seconds: 10, time_zone: deps.venue.time_zone });
  await db.execute(sql`select void_pour(${input}::jsonb)`);
}

/** Changes the price at Stripe, only upward: a downgrade there gives credit although glasses may be poured already. */
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

/** Makes the price of every tier at Stripe, which otherwise exists only once the tier's first member joins. */
async function priceEveryTier({ deps, db }: Venue): Promise<void> {
  for (const { tier_name, monthly_price_cents } of await db.select().from(tier_definitions)) {
    await ensurePrice(deps, { tier_name, amount_cents: monthly_price_cents });
  }
}

test('whatever is paid, paused, changed and shared, a pool pours no more than was paid for and one share of grace', async () => {
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
        // Rolled-over glasses were paid for in the period that gave them.
        for (const tier_name of ['premier', 'household']) {
          const row = { tier_name, since: new Date(0), glasses: 3 };
          await venue.db.insert(tier_rollover).values(row).onConflictDoNothing();
        }
        const people = [(await venue.member(first)).user, await openHouseholds(venue).person()];
        for (const one of actions) {
          await act(venue, people, one).catch((error: unknown) => {
            // Refusals are part of a sequence; errors of the product are not.
            const known =
              error instanceof Error && ['Refusal', 'StripeCardError'].includes(error.constructor.name);
            if (!known && !isStripeRefusal(error)) throw error;
          });
          for (const user of people) {
            const customer = await atStripe(venue, user);
            const bought = customer ? await glassesBought(venue, customer) : 0;
            expect(await pouredOf(venue, user)).toBeLessThanOrEqual(bought + ONE_GRACE_SHARE + ROUNDING);
          }
        }
        await checkEnd(venue, people);
      },
    ),
    {
      numRuns: RUNS,
      interruptAfterTimeLimit: process.env.SEQUENCES ? undefined : 60_000,
      seed: Number(process.env.SEED) || undefined,
    },
  );
}, 3_600_000);

async function checkEnd(venue: Venue, people: readonly string[]): Promise<void> {
  // An open page shows exactly the glasses that can be poured, for both people of a household.
  const left = [];
  for (const user of people) left.push(await glassesOf(venue, user));
  for (const one of left) expect(one?.available ?? 0).toBeLessThanOrEqual(one?.period_pours ?? 0);
  const query: Query = (text) => rowsOf(venue.db, sql.raw(text));
  const broken = await brokenInvariants(query, venue.deps.venue.time_zone);
  // The test venue claims no Stripe mode, and gives no user a role.
  expect(broken.filter((line) => !/mode of the database|everyone has one role/.test(line))).toEqual([]);
}

const isStripeRefusal = (error: unknown) =>
  error instanceof Error && 'type' in error && String(error.type).startsWith('Stripe');
