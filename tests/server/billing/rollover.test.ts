import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Ctx } from '../../../src/server/context.ts';
import { tier_rollover } from '../../../src/server/db/schema.ts';
import { updateTier } from '../../../src/server/membership/tier-settings.ts';
import { openSharedDatabase } from '../../support/billing/databases.ts';
import { openGifts } from '../../support/billing/gifts.ts';
import { glassesOf, pourGlasses } from '../../support/billing/glasses.ts';
import { stripeCustomerId } from '../../support/billing/member-state.ts';
import { openVenue, RULES, type Venue } from '../../support/billing/venue.ts';

// docs/rules/glasses.md, "Glasses", for members who pay by card. A premier member has eight glasses in a period of 30 or 31
// days; three of them roll over.
beforeAll(openSharedDatabase);

const FAILING = 'pm_card_chargeCustomerFail';
const NEXT = { days: 31, minutes: 1 };
const NONE = { rolled: 0, rolled_left: 0 };

let venue: Venue;
let user: string;
beforeEach(async () => {
  venue = await openVenue();
  await venue.db.insert(tier_rollover).values({ tier_name: 'premier', since: new Date(0), glasses: 3 });
  ({ user } = await venue.member('premier'));
});

it('rolled-over glasses are there when the subscription renews, and as soon as the period is over', async () => {
  await pourGlasses(venue, user, 6);
  await venue.webhooks('drop');
  await venue.advance(NEXT);
  // The grace share, 2 of 8, and the glasses paid for before.
  expect(await glassesOf(venue, user)).toMatchObject({
    period_pours: 4,
    available: 4,
    rolled: 2,
    when_paid: 6,
  });
  expect(await pourGlasses(venue, user, 3)).toBe(3);
  await venue.billing.sweep();
  expect(await glassesOf(venue, user)).toMatchObject({
    period_pours: 10,
    available: 7,
    rolled: 2,
    rolled_left: 0,
  });
});

it('glasses roll over from a period whose end Stripe counts from a later day of the month than we thought', async () => {
  venue = await openVenue({ start: '2026-01-31T12:00:00Z' });
  await venue.db.insert(tier_rollover).values({ tier_name: 'premier', since: new Date(0), glasses: 3 });
  ({ user } = await venue.member('premier'));
  await venue.webhooks('drop');
  await venue.advance({ days: 28, minutes: 1 });
  // The grant of March is written on February 28, to end a month later.
  expect(await pourGlasses(venue, user, 1)).toBe(1);
  await venue.billing.sweep();
  await venue.advance({ days: 30 });
  expect(await glassesOf(venue, user)).toMatchObject({ period_pours: 11, available: 10 });
  await venue.advance({ days: 1 });
  await venue.billing.sweep();
  expect(await glassesOf(venue, user)).toMatchObject({ available: 11, rolled: 3 });
});

it('as many glasses roll over as the tier lets whose price was paid, even if we thought of another', async () => {
  await venue.db.insert(tier_rollover).values({ tier_name: 'household', since: new Date(0), glasses: 10 });
  const household = await venue.member('household');
  ({ user } = await venue.member('select'));
  const price = (await venue.subscription(household.user)).items.data[0]?.price.id;
  const { id, items } = await venue.subscription(user);
  await venue.webhooks('drop');
  await venue.stripe.subscriptions.update(id, {
    items: [{ id: items.data[0]?.id, price }],
    proration_behavior: 'none',
  });
  await venue.advance({ days: 30, minutes: 1 });
  // The grant is written with the share of grace of a select member.
  expect(await pourGlasses(venue, user)).toBe(1);
  await venue.billing.sweep();
  expect(await glassesOf(venue, user)).toMatchObject({ period_pours: 20, available: 19 });
  await venue.advance(NEXT);
  await venue.billing.sweep();
  expect(await glassesOf(venue, user)).toMatchObject({ period_pours: 30, rolled: 10 });
});

it('rolled-over glasses are not counted as unpaid when the renewal is never paid', async () => {
  await venue.changeCard(user, FAILING);
  await venue.advance(NEXT);
  // Two from grace, and three that were paid for.
  expect(await pourGlasses(venue, user)).toBe(5);
  await venue.advance({ days: 40 });
  const application = await venue.reapply(user, 'premier');
  await venue.changeCard(user, 'pm_card_visa');
  await venue.pay(await venue.checkout({ user, application }, 'premier'));
  await venue.delivered();
  await venue.billing.reconcile(user);
  expect(await glassesOf(venue, user)).toMatchObject({ carried: 2, available: 6, ...NONE });
});

it('nothing rolls over from an unpaid period, and glasses do once it is paid', async () => {
  await venue.changeCard(user, FAILING);
  await venue.advance(NEXT);
  await pourGlasses(venue, user, 3);
  await venue.changeCard(user, 'pm_card_visa');
  await venue.advance({ days: 4 });
  expect(await glassesOf(venue, user)).toMatchObject({ period_pours: 11, available: 8 });
  await venue.advance({ days: 28 });
  expect(await glassesOf(venue, user)).toMatchObject({ period_pours: 11, rolled: 3 });
});

it('nothing rolls over from an unpaid period, even if grace outlasts it', async () => {
  await venue.control('settings', { dunning_days: [40] });
  const billing = venue.anotherProcess({ rules: () => ({ ...RULES, grace_days: 21 }) });
  await venue.changeCard(user, FAILING);
  await venue.webhooks('drop');
  // The failure of July 15 is noticed on July 28, so that grace lasts until August 18.
  await venue.advance({ days: 43 });
  await billing.sweep();
  await venue.advance({ days: 19 });
  await billing.sweep();
  expect(await glassesOf(venue, user)).toMatchObject({ access: true, period_pours: 6, ...NONE });
});

it('rolled-over glasses end with the membership', async () => {
  await venue.billing.cancelSubscription(user);
  await venue.advance(NEXT);
  const application = await venue.reapply(user, 'premier');
  await venue.pay(await venue.checkout({ user, application }, 'premier'));
  await venue.delivered();
  await venue.billing.reconcile(user);
  expect(await glassesOf(venue, user)).toMatchObject({ period_pours: 8, available: 8, ...NONE });
});

describe('unused glasses do not roll over across a pause', () => {
  beforeEach(() => venue.billing.pause(user, 1));

  it('of a whole month', async () => {
    for (const _ of ['the pause', 'the month after it']) {
      await venue.advance(NEXT);
      await venue.billing.sweep();
    }
    expect(await glassesOf(venue, user)).toMatchObject({ access: true, available: 8, ...NONE });
  });

  it('which the member ends after some days', async () => {
    await venue.advance({ days: 40 });
    await venue.billing.sweep();
    const { pause } = await venue.billing.getPause(user);
    await venue.billing.endPause(user, pause?.amount ?? 0);
    expect(await glassesOf(venue, user)).toMatchObject({ access: true, available: 8, ...NONE });
  });
});

it('rolled-over glasses come on top of a smaller tier, as the tier of the period that gave them says', async () => {
  const { id } = await venue.billing.previewTier(user, 'select');
  await venue.billing.changeTier(user, id);
  await venue.advance(NEXT);
  expect(await glassesOf(venue, user)).toMatchObject({ period_pours: 7, available: 7, rolled: 3 });
});

it('a larger tier lets glasses roll over by the share of the period that is left, with its limit at that time', async () => {
  const { user: climber } = await venue.member('select');
  await venue.advance({ days: 15 });
  const { id } = await venue.billing.previewTier(climber, 'premier');
  await venue.billing.changeTier(climber, id);
  await venue.delivered();
  await venue.advance({ minutes: 1 });
  // The premier tier lets one glass roll over from now on.
  await venue.db.insert(tier_rollover).values({ tier_name: 'premier', since: venue.clock.now(), glasses: 1 });
  await venue.advance({ days: 15, minutes: 1 });
  expect(await glassesOf(venue, climber)).toMatchObject({ period_pours: 9, available: 9, rolled: 1 });
});

describe('after an upgrade', () => {
  beforeEach(async () => {
    await venue.db.insert(tier_rollover).values({ tier_name: 'household', since: new Date(0), glasses: 10 });
    ({ user } = await venue.member('select'));
  });
  const change = async (tier: string) =>
    venue.billing.changeTier(user, (await venue.billing.previewTier(user, tier)).id);

  it('fifteen minutes before the renewal, scheduled down at once, nothing rolls over', async () => {
    await venue.advance({ days: 29, minutes: 23 * 60 + 45 });
    await change('household');
    await change('select');
    await venue.advance({ minutes: 16 });
    expect(await glassesOf(venue, user)).toMatchObject({ period_pours: 4, available: 4, ...NONE });
  });

  it('halfway, half of what the larger tier lets roll over rolls over', async () => {
    await venue.advance({ days: 15 });
    await change('household');
    await venue.advance({ days: 15, minutes: 1 });
    expect(await glassesOf(venue, user)).toMatchObject({ period_pours: 25, rolled: 5, rolled_left: 5 });
  });
});

it('nothing rolls over from a period whose glasses were all poured, though the tier gives more afterwards', async () => {
  expect(await pourGlasses(venue, user)).toBe(8);
  await venue.advance({ days: 30, minutes: 1 });
  const actor = { user_id: user, role: 'staff' };
  const ctx = { ...venue.deps, actor } as unknown as Ctx;
  await updateTier(ctx, 'premier', { monthly_pours: 11 });
  expect(await glassesOf(venue, user)).toMatchObject({ period_pours: 11, available: 11, ...NONE });
});

describe('when the payment of the period that gave them', () => {
  /** Refunds the member's first charge, or a part of it. */
  async function giveBack(amount?: number): Promise<void> {
    const customer = await stripeCustomerId(venue.db, user);
    const charge = (await venue.stripe.charges.list({ customer })).data.at(-1);
    await venue.stripe.refunds.create({ charge: charge?.id ?? '', ...(amount && { amount }) });
    await venue.delivered();
  }
  const rolled = async () => (await glassesOf(venue, user))?.rolled;

  it('was refunded, none roll over, and the period itself keeps its glasses', async () => {
    await giveBack();
    expect(await glassesOf(venue, user)).toMatchObject({ available: 8 });
    await venue.advance(NEXT);
    expect(await glassesOf(venue, user)).toMatchObject({ period_pours: 8, available: 8, ...NONE });
  });

  it('was refunded, none roll over of an upgrade that follows either', async () => {
    await venue.db.insert(tier_rollover).values({ tier_name: 'household', since: new Date(0), glasses: 10 });
    await giveBack();
    await venue.webhooks('drop');
    await venue.billing.changeTier(user, (await venue.billing.previewTier(user, 'household')).id);
    await venue.advance(NEXT);
    expect(await glassesOf(venue, user)).toMatchObject({ period_pours: 5, available: 5, ...NONE });
  });

  it('was refunded in part, they stay', async () => {
    await giveBack(1000);
    await venue.advance(NEXT);
    expect(await rolled()).toBe(3);
  });

  it('is disputed, none roll over', async () => {
    await venue.control('disputes', { customer: await stripeCustomerId(venue.db, user) });
    await venue.delivered();
    await venue.advance(NEXT);
    expect(await rolled()).toBe(0);
    await venue.control('disputes/close', { won: false });
    await venue.delivered();
    expect(await rolled()).toBe(0);
  });

  it('was disputed and the club won, they roll over after all, even after a pour of the new period', async () => {
    await venue.control('disputes', { customer: await stripeCustomerId(venue.db, user) });
    await venue.delivered();
    await venue.advance(NEXT);
    await pourGlasses(venue, user, 1);
    expect(await glassesOf(venue, user)).toMatchObject({ available: 7, ...NONE });
    await venue.control('disputes/close', { won: true });
    await venue.delivered();
    expect(await glassesOf(venue, user)).toMatchObject({ available: 10, rolled: 3, rolled_left: 3 });
  });

  it('is refunded in the following period, they stay: staff take back what they want', async () => {
    await venue.advance(NEXT);
    await pourGlasses(venue, user, 1);
    await giveBack();
    expect(await glassesOf(venue, user)).toMatchObject({ rolled: 3, rolled_left: 2 });
  });
});

describe('glasses of a gift of three months', () => {
  it('roll over from month to month, and end with it, even if a card membership follows', async () => {
    const gifts = await openGifts();
    const { db } = gifts.venue;
    await db.insert(tier_rollover).values({ tier_name: 'select', since: new Date(0), glasses: 2 });
    const [buyer, friend] = [await gifts.person(), await gifts.person()];
    await gifts.billing.gifts.redeem(friend, { code: await gifts.code(buyer, await gifts.bought(buyer)) });
    for (const _ of ['the second month', 'the third']) {
      await gifts.venue.advance({ days: 31 });
      expect(await glassesOf(gifts.venue, friend)).toMatchObject({ access: true, available: 6, rolled: 2 });
    }
    await gifts.venue.advance({ days: 31 });
    expect(await glassesOf(gifts.venue, friend)).toMatchObject({
      access: false,
      available: 0,
      rolled_left: 0,
    });
    await gifts.billing.sweep();
    const application = await gifts.venue.reapply(friend, 'select');
    await gifts.venue.pay(await gifts.venue.checkout({ user: friend, application }, 'select'));
    await gifts.venue.delivered();
    expect(await glassesOf(gifts.venue, friend)).toMatchObject({ access: true, available: 4, ...NONE });
  });
});
