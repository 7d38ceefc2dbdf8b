import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { TierDefinition } from '../../../src/contract/tiers.ts';
import { COMMAND_LINE } from '../../../src/server/audit/record-audit.ts';
import { billing_subscription, customers, tier_definitions } from '../../../src/server/db/schema.ts';
import {
  addTier,
  featureTier,
  listTierSettings,
  offerTier,
  orderTiers,
  updateTier,
} from '../../../src/server/membership/tier-settings.ts';
import { cardMember } from '../../support/fixtures/members.ts';
import { createTestApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp();
});
afterEach(() => app.close());

/** The context of a command. */
const office = () => ({ ...app.services, actor: COMMAND_LINE }) as const;

const GRAND_CRU = {
  display_name: 'Grand Cru',
  description: 'The best of the cellar.',
  monthly_price_cents: 19_900,
  monthly_pours: 10,
};

const offered = async () =>
  (await (await app.customer()).must<TierDefinition[]>('GET', '/api/tiers')).map(
    ({ tier_name }) => tier_name,
  );

const refused = (reason: string) => ({ code: 'TIER_SETTING_REFUSED', data: { reason } });

test('a new tier can be chosen and paid for at once, under its own name', async () => {
  await addTier(office(), 'grand_cru', GRAND_CRU);
  expect(await offered()).toEqual(['select', 'premier', 'elite', 'household', 'grand_cru']);
  const { caller } = await cardMember(app, 'grand_cru');
  expect(await caller.must('GET', '/api/customers/own')).toMatchObject({
    customer: { tier: 'grand_cru', status: 'active', pours_balance: 10 },
  });
  await app.services.deliveries.deliver('email');
  expect(await caller.must('GET', '/api/tier-names')).toContainEqual({
    tier_name: 'grand_cru',
    display_name: 'Grand Cru',
  });
});

test('words and price change for those who join from now on; members keep their price', async () => {
  const before = await cardMember(app, 'select');
  await updateTier(office(), 'select', { display_name: 'Classic', monthly_price_cents: 4500 });
  const tier = await before.caller.must<TierDefinition>('GET', '/api/tiers/select');
  expect(tier).toMatchObject({ display_name: 'Classic', monthly_price: 45, monthly_pours: 4 });
  await cardMember(app, 'select');
  const amounts = await app.services.db
    .select({ amount: billing_subscription.amount_cents })
    .from(billing_subscription)
    .orderBy(billing_subscription.created_at, billing_subscription.amount_cents);
  expect(amounts.map(({ amount }) => amount)).toEqual([3900, 4500]);
});

test('a tier has a price of a year, which its months never undercut', async () => {
  const boss = await app.staff();
  const change = (terms: object) => boss.call('PATCH', '/api/tier-settings/select', terms);
  expect((await change({ yearly_price_cents: 46_801 })).body).toMatchObject(
    refused('year_price_not_allowed'),
  );
  expect((await change({ yearly_price_cents: 39_000 })).status).toBe(200);
  const caller = await app.customer();
  const year = async () => (await caller.must<TierDefinition>('GET', '/api/tiers/select')).yearly_price;
  expect(await year()).toBe(390);
  // Cheaper months would make the year the dearer choice.
  expect((await change({ monthly_price_cents: 3000 })).body).toMatchObject(refused('year_price_not_allowed'));
  expect((await change({ monthly_price_cents: 3000, yearly_price_cents: null })).status).toBe(200);
  expect(await year()).toBeNull();
  await expect(
    addTier(office(), 'dear', { ...GRAND_CRU, yearly_price_cents: 240_000 }),
  ).rejects.toMatchObject(refused('year_price_not_allowed'));
  const { entries } = await boss.must<{ entries: { facts: unknown }[] }>('GET', '/api/audit');
  expect(entries.slice(0, 2).map(({ facts }) => facts)).toEqual([
    { tier: 'select', price_cents: 3000, price_cents_before: 3900, year_cents: null },
    { tier: 'select', year_cents: 39_000 },
  ]);
});

test('more glasses count for every member at once; fewer are refused while anyone has the tier', async () => {
  const { caller } = await cardMember(app, 'select');
  await updateTier(office(), 'select', { monthly_pours: 6 });
  expect(await caller.must('GET', '/api/customers/own')).toMatchObject({ customer: { pours_balance: 6 } });
  await expect(updateTier(office(), 'select', { monthly_pours: 5 })).rejects.toMatchObject(
    refused('members_have_it'),
  );
  // A member who pays at the venue has it too.
  await app.services.db.update(customers).set({ status: 'inactive' });
  await app.services.db.update(billing_subscription).set({ status: 'canceled' });
  expect(await updateTier(office(), 'select', { monthly_pours: 5 })).toMatchObject({ monthly_pours: 5 });
});

test('fewer glasses are refused while anyone is about to pay for the tier', async () => {
  const caller = await app.customer();
  const { id } = await caller.must<{ id: string }>('PUT', '/api/applications/own', {
    preferences: {
      wine_knowledge: 5,
      drinking_frequency: 5,
      red_wine_preference: 5,
      white_wine_preference: 5,
      adventurousness: 5,
    },
    selected_tier: 'elite',
    current_step: 2,
    is_complete: true,
  });
  await caller.must('POST', '/api/functions/create-checkout', { tierName: 'elite', applicationId: id });
  await expect(updateTier(office(), 'elite', { monthly_pours: 1 })).rejects.toMatchObject(
    refused('members_have_it'),
  );
});

test('a retired tier keeps its members and takes no new ones, until it is offered again', async () => {
  const { caller } = await cardMember(app, 'elite');
  await offerTier(office(), 'elite', false);
  expect(await offered()).toEqual(['select', 'premier', 'household']);
  await expect(cardMember(app, 'elite')).rejects.toThrow('TIER_NOT_AVAILABLE');
  expect(await caller.must('GET', '/api/customers/own')).toMatchObject({
    customer: { tier: 'elite', status: 'active' },
  });
  await offerTier(office(), 'elite', true);
  expect(await offered()).toContain('elite');

  for (const tier of ['premier', 'elite', 'household']) await offerTier(office(), tier, false);
  await expect(offerTier(office(), 'select', false)).rejects.toMatchObject(refused('last_on_offer'));
});

test('tiers are shown in the venue’s order, the others after them by price', async () => {
  await orderTiers(office(), ['household', 'premier']);
  expect(await offered()).toEqual(['household', 'premier', 'select', 'elite']);
  await expect(orderTiers(office(), ['elite', 'gold'])).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(await offered(), 'all or nothing').toEqual(['household', 'premier', 'select', 'elite']);
  await orderTiers(office(), []);
  expect(await offered()).toEqual(['select', 'premier', 'elite', 'household']);
});

test('at most one tier is recommended, and only while on offer', async () => {
  const featured = async () =>
    (await listTierSettings(app.services)).filter((it) => it.is_featured).map((it) => it.tier_name);
  await featureTier(office(), 'premier');
  await featureTier(office(), 'elite');
  expect(await featured()).toEqual(['elite']);
  await expect(featureTier(office(), 'reserve')).rejects.toMatchObject(refused('not_on_offer'));
  expect(await featured()).toEqual(['elite']);
  await offerTier(office(), 'elite', false);
  expect(await featured()).toEqual([]);
  await featureTier(office(), 'select');
  await featureTier(office(), null);
  expect(await featured()).toEqual([]);
});

test('the list counts who has each tier, those on offer first', async () => {
  await cardMember(app, 'premier');
  const list = await listTierSettings(app.services);
  expect(list.map(({ tier_name, members }) => `${tier_name} ${members}`)).toEqual([
    'select 0',
    'premier 1',
    'elite 0',
    'household 0',
    'reserve 0',
    'connoisseur 0',
  ]);
});

describe('what is not allowed', () => {
  test.each([
    ['select', {}, 'name_taken'],
    ['Grand Cru', {}, 'name_not_allowed'],
    ['', {}, 'name_not_allowed'],
    ['grand_cru', { display_name: ' ' }, 'words_missing'],
    ['grand_cru', { description: '' }, 'words_missing'],
    ['grand_cru', { monthly_price_cents: 49 }, 'price_not_allowed'],
    ['grand_cru', { monthly_price_cents: 19.5 }, 'price_not_allowed'],
    ['grand_cru', { monthly_pours: 0 }, 'glasses_not_allowed'],
    ['grand_cru', { monthly_pours: 501 }, 'glasses_not_allowed'],
  ])('adding %j with %j: %s', async (name, terms, reason) => {
    await expect(addTier(office(), name, { ...GRAND_CRU, ...terms })).rejects.toMatchObject(refused(reason));
    expect(await app.services.db.$count(tier_definitions)).toBe(6);
  });

  test('a tier that does not exist cannot be changed', async () => {
    await expect(updateTier(office(), 'gold', {})).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(offerTier(office(), 'gold', false)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(featureTier(office(), 'gold')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('terms that are not allowed change nothing', async () => {
    await expect(updateTier(office(), 'select', { monthly_price_cents: 1 })).rejects.toMatchObject(
      refused('price_not_allowed'),
    );
    const [select] = await app.services.db
      .select()
      .from(tier_definitions)
      .where(eq(tier_definitions.tier_name, 'select'));
    expect(select?.monthly_price_cents).toBe(3900);
  });
});

test('no shipped tier promises what the product does not do', async () => {
  const list = await listTierSettings(app.services);
  for (const { description, people } of list) {
    expect(/for two/i.test(description)).toBe(people === 2);
    expect(description).not.toMatch(/person|first taste|evenings|library/i);
  }
});
