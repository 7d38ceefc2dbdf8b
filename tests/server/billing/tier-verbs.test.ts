import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AuditEntry } from '../../../src/contract/staff/audit.ts';
import type { MovePreview, TierSetting } from '../../../src/contract/staff/tier-settings.ts';
import { deliveries } from '../../../src/server/db/schema.ts';
import { cardMember } from '../../support/fixtures/members.ts';
import { createTestApp, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

let app: TestApp;
let owner: Caller;
beforeAll(async () => {
  app = await createTestApp();
  owner = await app.staff();
});
afterAll(() => app.close());

const GRAND_CRU = {
  tier_name: 'grand_cru',
  display_name: 'Grand Cru',
  description: 'The best of the cellar.',
  monthly_price_cents: 19_900,
  monthly_pours: 10,
};
const find = (tiers: TierSetting[], name: string) => tiers.find(({ tier_name }) => tier_name === name);
const acts = async () =>
  (await owner.must<{ entries: AuditEntry[] }>('GET', '/api/audit')).entries.map(({ act, facts }) => ({
    act,
    facts,
  }));

test('changes made on the page are what members are offered, and the audit says who made them', async () => {
  const bartender = await app.staff();
  const added = await owner.must<TierSetting[]>('POST', '/api/tier-settings', GRAND_CRU);
  expect(find(added, 'grand_cru')).toEqual({
    ...GRAND_CRU,
    benefits: [],
    people: 1,
    yearly_price_cents: null,
    guest_glasses: 1,
    rollover_glasses: 0,
    is_active: true,
    is_featured: false,
    members: 0,
    moves: null,
  });
  await owner.must('PATCH', '/api/tier-settings/grand_cru', { monthly_price_cents: 14_900 });
  await owner.must('PUT', '/api/tier-order', { tiers: ['grand_cru'] });
  await owner.must('PUT', '/api/recommended-tier', { tier_name: 'grand_cru' });
  const member = await app.customer();
  const offered = () => member.must<TierSetting[]>('GET', '/api/tiers');
  expect((await offered())[0]).toMatchObject({ monthly_price: 149, monthly_pours: 10, is_featured: true });
  await owner.must('PUT', '/api/tier-settings/grand_cru/offer', { on_offer: false });
  expect(find(await offered(), 'grand_cru')).toBeUndefined();
  expect(find(await bartender.must('GET', '/api/tier-settings'), 'grand_cru')).toMatchObject({
    is_active: false,
  });

  expect((await acts()).slice(0, 5)).toEqual([
    { act: 'tier_retired', facts: { tier: 'grand_cru' } },
    { act: 'tier_recommended', facts: { tier: 'grand_cru' } },
    { act: 'tiers_ordered', facts: { tiers: 'grand_cru' } },
    {
      act: 'tier_changed',
      facts: { tier: 'grand_cru', price_cents: 14_900, price_cents_before: 19_900 },
    },
    { act: 'tier_added', facts: { tier: 'grand_cru', price_cents: 19_900, glasses: 10 } },
  ]);
});

test('a change that a rule forbids names the rule, and changes nothing', async () => {
  const refused = async (method: 'POST' | 'PATCH' | 'PUT', path: string, body: object, reason: string) => {
    const before = await owner.must('GET', '/api/tier-settings');
    const { status, body: answer } = await owner.call(method, path, body);
    expect([status, answer]).toMatchObject([409, { code: 'TIER_SETTING_REFUSED', data: { reason } }]);
    expect(await owner.must('GET', '/api/tier-settings')).toEqual(before);
  };
  await refused('POST', '/api/tier-settings', { ...GRAND_CRU, tier_name: 'select' }, 'name_taken');
  await refused('POST', '/api/tier-settings', { ...GRAND_CRU, tier_name: 'Grand Cru' }, 'name_not_allowed');
  await refused('PATCH', '/api/tier-settings/select', { monthly_price_cents: 10 }, 'price_not_allowed');
  await refused('PATCH', '/api/tier-settings/select', { display_name: ' ' }, 'words_missing');
  await refused('PATCH', '/api/tier-settings/select', { monthly_pours: 0 }, 'glasses_not_allowed');
  await refused('PUT', '/api/recommended-tier', { tier_name: 'reserve' }, 'not_on_offer');
});

test('a move is previewed, announced at the price shown, and withdrawn', async () => {
  const { caller } = await cardMember(app, 'household');
  await cardMember(app, 'household');
  const [{ monthly_price_cents: now } = { monthly_price_cents: 0 }] = (
    await owner.must<TierSetting[]>('GET', '/api/tier-settings')
  ).filter(({ tier_name }) => tier_name === 'household');
  const preview = () => owner.must<MovePreview>('GET', '/api/tier-settings/household/move');
  expect(await preview()).toMatchObject({ announced: 0, unchanged: 2, first_at: null, price_cents: now });

  await owner.must('PATCH', '/api/tier-settings/household', { monthly_price_cents: now + 1000 });
  const shown = await preview();
  expect(shown).toMatchObject({ announced: 2, unchanged: 0, price_cents: now + 1000 });
  const days = (Date.parse(shown.first_at ?? '') - app.services.now().getTime()) / 86_400_000;
  expect(days).toBeGreaterThanOrEqual(30);

  const move = (price_cents: number) =>
    owner.call('POST', '/api/tier-settings/household/move', { price_cents });
  expect(await move(now)).toMatchObject({ status: 409, body: { code: 'PREVIEW_EXPIRED' } });
  const deliveryCount = () =>
    app.services.db.$count(deliveries, eq(deliveries.user_id, caller.id)) as Promise<number>;
  const before = await deliveryCount();
  expect((await move(now + 1000)).body).toMatchObject({ announced: 2 });
  expect(await deliveryCount()).toBe(before + 1);
  expect(await preview()).toMatchObject({ announced: 0, already_announced: 2 });
  const { moves } = find(await owner.must('GET', '/api/tier-settings'), 'household') ?? {};
  expect(moves).toMatchObject({ count: 2, first_at: shown.first_at, last_at: shown.last_at });

  expect(await owner.must('DELETE', '/api/tier-settings/household/move')).toEqual({ withdrawn: 2 });
  expect(await preview()).toMatchObject({ announced: 2 });
  expect((await acts())[0]).toMatchObject({ act: 'price_move_withdrawn' });
});
