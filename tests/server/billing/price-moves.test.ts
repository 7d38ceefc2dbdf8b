import { eq } from 'drizzle-orm';
import { v7 } from 'uuid';
import { beforeAll, expect, test } from 'vitest';
import { withdrawMoves } from '../../../src/server/billing/acts/announce-moves.ts';
import type { BillingNotice } from '../../../src/server/billing/billing-context.ts';
import { billing_act, profiles, tier_definitions } from '../../../src/server/db/schema.ts';
import { openSharedDatabase } from '../../support/billing/databases.ts';
import { announceMove, moveContext, paid, passDays, setPrice } from '../../support/billing/price-moves.ts';
import { openVenue, RULES, type Venue } from '../../support/billing/venue.ts';
import { billingEmail } from '../../support/fixtures/every-email.ts';

beforeAll(openSharedDatabase);

const JULY = '2026-07-15';
const AUGUST = '2026-08-15';

/** A venue with members of Select at $39, while the price is now $45. */
async function openWithNewPrice(members = 1) {
  const venue = await openVenue();
  const users: string[] = [];
  for (let index = 0; index < members; index++) users.push((await venue.member('select')).user);
  await setPrice(venue, 'select', 4500);
  return { venue, users, user: users[0] ?? '' };
}

const moveAll = (venue: Venue) => announceMove(venue, { who: { tier: 'select' } });

const movesOf = async ({ db }: Venue, user: string) =>
  (await db.select().from(billing_act).where(eq(billing_act.user_id, user))).map((it) => it.state);

test('a member is notified at once, pays the old price for at least 30 days, and then the new one', async () => {
  const { venue, user } = await openWithNewPrice();
  await venue.advance({ days: 1 });
  expect(await moveAll(venue)).toMatchObject({ announced: 1 });
  // The renewal on July 15 is 29 days away.
  expect(venue.notices.at(-1)).toMatchObject({
    type: 'price_move_announced',
    from: 'select',
    from_amount_cents: 3900,
    to: 'select',
    to_amount_cents: 4500,
    effective_at: new Date(`${AUGUST}T12:00:00Z`),
  });
  await venue.billing.sweep();
  expect((await venue.subscription(user)).schedule, 'not before the last period').toBeNull();

  await passDays(venue, 30);
  expect(await paid(venue, user)).toEqual([3900, 3900]);
  expect(await movesOf(venue, user)).toEqual(['set']);
  expect(await venue.billing.getSubscriptionDetails(user)).toMatchObject({
    amount: 3900,
    pending_tier: null,
    price_move: { tier: 'select', amount: 4500, from: Date.parse(`${AUGUST}T12:00:00Z`) / 1000 },
  });
  await passDays(venue, 31);
  expect(await paid(venue, user)).toEqual([3900, 3900, 4500]);
  expect(await venue.state(user)).toMatchObject({ active: { tier: 'select', price: 4500 } });
  expect(await movesOf(venue, user)).toEqual(['done']);
  await passDays(venue, 31);
  expect(await paid(venue, user)).toEqual([3900, 3900, 4500, 4500]);
  expect((await venue.billing.getSubscriptionDetails(user))?.price_move).toBeNull();
  // One email about it: the announcement.
  expect(venue.noticeTypes().filter((type) => /tier|move/.test(type))).toEqual(['price_move_announced']);
});

test('the email says the old price, the new one and its day, and that canceling is possible', () => {
  const venue = {
    club_name: 'Cellar Door',
    support_email: 'help@venue.test',
    public_url: 'https://club.example',
    time_zone: 'UTC',
    minimum_age: 0,
    terms_url: null,
  };
  const notice: BillingNotice = {
    type: 'price_move_announced',
    cause: 'move:1',
    user_id: v7(),
    from: 'select',
    from_amount_cents: 3900,
    to: 'select',
    to_amount_cents: 4500,
    currency: 'usd',
    tax_behavior: 'unspecified',
    discounted: false,
    monthly_pours: 4,
    effective_at: new Date(`${AUGUST}T12:00:00Z`),
  };
  const same = billingEmail(notice, 'Ada', venue);
  expect(same.subject).toBe('Your price changes on August 15, 2026 · Cellar Door');
  expect(same.text).toContain(
    'From August 15, 2026, your Select membership will cost $45.00 per month. Until then, you pay $39.00 per month as before.',
  );
  expect(same.text).toContain('you can cancel before then');
  const other = billingEmail({ ...notice, to: 'grand_cru', monthly_pours: 6 }, 'Ada', venue, (tier) =>
    tier === 'grand_cru' ? 'Grand Cru' : 'Select',
  );
  expect(other.text).toContain('will change from Select to Grand Cru, with 6 pours a month.');
});

test('a repeated announcement emails nobody twice, and says who was left out', async () => {
  const { venue, users } = await openWithNewPrice(3);
  const [first = '', second = '', third = ''] = users;
  await venue.billing.cancelSubscription(first);
  await venue.changeCard(second, 'pm_card_visa');
  const atVenue = await venue.applicant('select');
  await venue.approveAtVenue(atVenue.user);
  const newcomer = await venue.member('select');
  expect(await moveAll(venue)).toEqual({
    announced: 2,
    unchanged: 1,
    already_announced: 0,
    not_now: 1,
    at_venue: 1,
  });
  expect(await moveAll(venue)).toMatchObject({ announced: 0, already_announced: 2 });
  expect(await movesOf(venue, third)).toEqual(['asked']);
  expect(await paid(venue, newcomer.user)).toEqual([4500]);
});

test('a single member can be moved to another tier, whose glasses begin with its price', async () => {
  const { venue, users } = await openWithNewPrice(2);
  const [user = '', other = ''] = users;
  const [profile] = await venue.db.select().from(profiles).where(eq(profiles.id, user));
  await announceMove(venue, { who: { email: profile?.email ?? '' }, to: 'premier' });
  expect(await movesOf(venue, other)).toEqual([]);
  await passDays(venue, 31);
  expect(await venue.state(user)).toMatchObject({ active: { tier: 'premier', price: 6900 } });
  expect(await paid(venue, user)).toEqual([3900, 6900]);
  expect(venue.notices.filter(({ type }) => type === 'tier_changed')).toMatchObject([
    { to: 'premier', monthly_pours: 8 },
  ]);
  await expect(announceMove(venue, { who: { email: 'nobody@example.test' } })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
});

test('the announced price counts, whatever the tier costs by then', async () => {
  const { venue, user } = await openWithNewPrice();
  await moveAll(venue);
  await setPrice(venue, 'select', 9900);
  await passDays(venue, 31);
  expect(await paid(venue, user)).toEqual([3900, 4500]);
});

test.each(['before', 'after'] as const)(
  'a member who cancels %s it is scheduled and resumes after a sweep pays the announced price on its day',
  async (when) => {
    const { venue, user } = await openWithNewPrice();
    await moveAll(venue);
    if (when === 'after') await venue.billing.sweep();
    await venue.billing.cancelSubscription(user);
    await passDays(venue, 10);
    expect(await venue.billing.getSubscriptionDetails(user)).toMatchObject({
      ...{ price_move: null, next_charge: null },
      charge_if_kept: { at: Date.parse(`${JULY}T12:00:00Z`) / 1000, tier: 'select', amount: 4500 },
    });
    await venue.billing.resumeSubscription(user);
    expect(await venue.billing.getSubscriptionDetails(user)).toMatchObject({
      price_move: { tier: 'select', amount: 4500, from: Date.parse(`${JULY}T12:00:00Z`) / 1000 },
    });
    expect(venue.notices.at(-1)).toMatchObject({
      type: 'cancellation_withdrawn',
      price_change: { tier: 'select', monthly_cents: 4500, from: new Date(`${JULY}T12:00:00Z`) },
    });
    await passDays(venue, 51);
    expect(await paid(venue, user)).toEqual([3900, 4500, 4500]);
    expect(await movesOf(venue, user)).toEqual(['done']);
  },
);

test('a move ends with the membership, and is none for the member who joins again', async () => {
  const { venue, user } = await openWithNewPrice();
  await moveAll(venue);
  await venue.billing.cancelSubscription(user);
  await passDays(venue, 31);
  expect(await movesOf(venue, user)).toEqual(['withdrawn']);
  expect(await paid(venue, user)).toEqual([3900]);
  await setPrice(venue, 'select', 5000);
  expect(await venue.pay(await venue.checkout({ user, application: await venue.reapply(user) }))).toBe(303);
  await venue.delivered();
  await passDays(venue, 31);
  expect((await paid(venue, user)).sort()).toEqual([3900, 5000, 5000]);
});

test.each([
  ['takes a larger tier', (venue: Venue, user: string) => change(venue, user, 'premier')],
  ['takes a smaller tier', (venue: Venue, user: string) => change(venue, user, 'cheaper')],
])('a member who %s before or after it is scheduled is not moved', async (_, act) => {
  const { venue, users } = await openWithNewPrice(2);
  const [before = '', after = ''] = users;
  await venue.db.insert(tier_definitions).values({
    tier_name: 'cheaper',
    display_name: 'Cheaper',
    description: 'Less',
    monthly_price_cents: 1900,
    monthly_pours: 2,
  });
  await moveAll(venue);
  await act(venue, before);
  await venue.billing.sweep();
  expect(await movesOf(venue, after)).toEqual(['set']);
  await act(venue, after);
  await passDays(venue, 2);
  for (const user of users) {
    expect(await movesOf(venue, user)).toEqual(['withdrawn']);
    expect((await venue.billing.getSubscriptionDetails(user))?.price_move).toBeNull();
  }
  await passDays(venue, 30);
  for (const user of users) expect(await paid(venue, user)).not.toContain(4500);
});

async function change(venue: Venue, user: string, tier: string): Promise<void> {
  const { id } = await venue.billing.previewTier(user, tier);
  await venue.billing.changeTier(user, id);
}

test('a move that waits for the end of a pause is not looked at by every sweep', async () => {
  const { venue, user } = await openWithNewPrice();
  await venue.advance({ days: 1 });
  await moveAll(venue);
  await venue.billing.pause(user, 1);
  await passDays(venue, 31);
  expect(await movesOf(venue, user)).toContain('asked');
  await venue.advance({ minutes: 10 });
  expect(await venue.billing.sweep()).toMatchObject({ members: 0 });
});

test('a move is not scheduled while Stripe has not answered a tier change, which it would undo', async () => {
  const { venue, user } = await openWithNewPrice();
  const { id } = await venue.billing.previewTier(user, 'premier');
  await venue.control('fail-next', { path: '/v1/subscriptions/', method: 'POST', kind: 'drop', times: 2 });
  await expect(venue.billing.changeTier(user, id)).rejects.toMatchObject({ code: 'PAYMENTS_UNAVAILABLE' });
  await moveAll(venue);
  await venue.billing.sweep();
  expect((await venue.subscription(user)).schedule).toBeNull();
  expect(await venue.billing.changeTier(user, id)).toMatchObject({ tier: 'premier', pending_tier: null });
  await passDays(venue, 31);
  expect(await movesOf(venue, user)).toEqual(['withdrawn']);
  expect((await venue.subscription(user)).schedule).toBeNull();
});

test('a member cannot cancel the move itself, and keeping the tier does not undo it', async () => {
  const { venue, user } = await openWithNewPrice();
  await moveAll(venue);
  await venue.billing.sweep();
  await venue.billing.cancelTierChange(user);
  expect((await venue.subscription(user)).schedule).not.toBeNull();
  await passDays(venue, 31);
  expect(await paid(venue, user)).toEqual([3900, 4500]);
});

test('the venue can withdraw a move, even one already scheduled at Stripe', async () => {
  const { venue, user } = await openWithNewPrice();
  await moveAll(venue);
  await venue.billing.sweep();
  expect(await withdrawMoves(moveContext(venue), { tier: 'select' })).toBe(1);
  expect(venue.notices.at(-1)).toMatchObject({ type: 'price_move_withdrawn', tier: 'select' });
  await venue.billing.sweep();
  expect((await venue.subscription(user)).schedule).toBeNull();
  await passDays(venue, 31);
  expect(await paid(venue, user)).toEqual([3900, 3900]);
  expect(venue.noticeTypes()).not.toContain('tier_change_scheduled');
  expect(await moveAll(venue)).toMatchObject({ announced: 1 });
});

test.each(['before', 'after'] as const)(
  'the connection breaks %s Stripe made the schedule: the next sweep completes it',
  async (when) => {
    const { venue, user } = await openWithNewPrice();
    await moveAll(venue);
    // An event would complete it, too.
    await venue.webhooks('drop');
    for (const path of ['/v1/subscription_schedules', '/v1/subscription_schedules/']) {
      // The client itself repeats a request once.
      await venue.control('fail-next', { path, method: 'POST', kind: 'drop', when, times: 2 });
      expect(await venue.billing.sweep()).toMatchObject({ members: 1, failures: 1 });
    }
    expect(await venue.billing.sweep()).toMatchObject({ members: 1, failures: 0 });
    expect(await venue.billing.sweep()).toMatchObject({ members: 0 });
    await venue.webhooks('normal');
    await passDays(venue, 31);
    expect(await paid(venue, user)).toEqual([3900, 4500]);
  },
);

test('a price that was archived before the move is scheduled is replaced', async () => {
  const { venue, user } = await openWithNewPrice();
  await venue.member('select');
  await moveAll(venue);
  const { data } = await venue.stripe.prices.list({ product: 'cellar_door_select', active: true });
  for (const { id, unit_amount } of data)
    if (unit_amount === 4500) await venue.stripe.prices.update(id, { active: false });
  expect(await venue.billing.sweep()).toMatchObject({ members: 1, failures: 0 });
  await passDays(venue, 31);
  expect(await paid(venue, user)).toEqual([3900, 4500]);
});

test('an overdue payment delays the move to a later renewal', async () => {
  const { venue, user } = await openWithNewPrice();
  await venue.advance({ days: 1 });
  await moveAll(venue);
  await venue.changeCard(user, 'pm_card_chargeCustomerFail');
  await passDays(venue, 31);
  expect((await venue.subscription(user)).status).toBe('past_due');
  expect(await movesOf(venue, user)).toEqual(['asked']);
  await venue.changeCard(user, 'pm_card_visa');
  await passDays(venue, 31);
  expect(await paid(venue, user)).toEqual([3900, 3900, 4500]);
  expect(new Date(venue.clock.now()).toISOString() > JULY).toBe(true);
});

test('the reminder of the renewal names the new price', async () => {
  const { venue } = await openWithNewPrice();
  await moveAll(venue);
  await passDays(venue, 26);
  const posted: BillingNotice[] = [];
  const reminding = venue.anotherProcess({
    rules: () => ({ ...RULES, renewal_reminder_days: 7 }),
    post: async (_tx, notice) => void posted.push(notice),
  });
  await reminding.sendReminders();
  expect(posted).toMatchObject([{ type: 'renewal_reminder', tier: 'select', amount_cents: 4500 }]);
});
