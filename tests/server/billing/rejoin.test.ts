import { eq } from 'drizzle-orm';
import { v7 } from 'uuid';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { giftAcceptance } from '../../../src/domain/consent.ts';
import type { Ctx } from '../../../src/server/context.ts';
import { customers, profiles, tier_definitions } from '../../../src/server/db/schema.ts';
import { approveApplication } from '../../../src/server/membership/application-reviews.ts';
import { giveGlasses } from '../../../src/server/pours/given-glasses.ts';
import { openSharedDatabase } from '../../support/billing/databases.ts';
import { type GiftVenue, openGifts } from '../../support/billing/gifts.ts';
import { glassesOf, pourGlasses } from '../../support/billing/glasses.ts';
import { stripeCustomerId } from '../../support/billing/member-state.ts';
import { RULES, type Venue } from '../../support/billing/venue.ts';

// docs/rules/glasses.md, "Glasses": each membership has its own, even when one follows another on the same day. A select
// member has four a month.
beforeAll(openSharedDatabase);

const FAILING = 'pm_card_chargeCustomerFail';
const MONTH = { days: 31 };
const FULL = { period_pours: 4, available: 4, pours_used: 0, carried: 0 };

let gifts: GiftVenue;
let venue: Venue;
let staff: Ctx;
beforeEach(async () => {
  gifts = await openGifts();
  venue = gifts.venue;
  const id = v7();
  const names = { name: 'Sam Staff', first_name: 'Sam', last_name: 'Staff' };
  await venue.db.insert(profiles).values({ id, email: `${id}@example.test`, ...names });
  const actor = { user_id: id, role: 'staff' };
  staff = {
    ...venue.deps,
    outbox: venue.outbox,
    paymentPages: gifts.billing.paymentPages,
    club: { current: venue.deps.rules },
    actor,
  } as unknown as Ctx;
});

async function joinAtVenue(user: string): Promise<void> {
  await approveApplication(staff, {
    id: await venue.reapply(user),
    toast_reference_number: 'T-1',
    months: 12,
  });
}

async function joinByCard(user: string): Promise<void> {
  const application = await venue.reapply(user);
  await venue.pay(await venue.checkout({ user, application }));
  await venue.delivered();
  await venue.billing.reconcile(user);
}

async function redeem(user: string, tier = 'select'): Promise<void> {
  const buyer = await gifts.person();
  const code = await gifts.code(buyer, await gifts.bought(buyer, { tier }));
  const consent_version = giftAcceptance(venue.deps.venue).version;
  await gifts.billing.gifts.redeem(user, { code, consent_version });
}

async function customerOf(user: string): Promise<string> {
  const [row] = await venue.db.select().from(customers).where(eq(customers.user_id, user));
  return row?.id ?? '';
}

/** Staff end the membership at once. */
async function end(user: string): Promise<void> {
  const { period_end } = await gifts.billing.getEndOffer(user);
  const draft = { customer_id: await customerOf(user), when: 'now' as const, reason: 'service' as const };
  const actor = { user_id: staff.actor.user_id, role: 'staff' as const };
  await gifts.billing.endForMember(actor, { ...draft, period_end: period_end ?? '' });
}

describe('the glasses of a membership that is over do not count in the next one', () => {
  it('by card, then a gift two minutes after its end', async () => {
    const { user } = await venue.member();
    await gifts.billing.cancelSubscription(user);
    await venue.advance({ days: 29, minutes: 23 * 60 });
    expect(await pourGlasses(venue, user)).toBe(4);
    await venue.advance({ minutes: 62 });
    await gifts.billing.sweep();
    await redeem(user);
    expect(await glassesOf(venue, user)).toMatchObject(FULL);
  });

  it('at the venue, ended by staff, and again at the venue that day', async () => {
    const user = await gifts.person();
    await joinAtVenue(user);
    expect(await pourGlasses(venue, user, 3)).toBe(3);
    await venue.advance({ minutes: 30 });
    await end(user);
    await joinAtVenue(user);
    expect(await glassesOf(venue, user)).toMatchObject(FULL);
    await pourGlasses(venue, user);
    // The next month still begins at midnight, not at half past twelve.
    await venue.advance({ days: 29, minutes: 12 * 60 });
    expect(await glassesOf(venue, user)).toMatchObject(FULL);
  });

  it('given by staff, ended, then a gift that day', async () => {
    await venue.db
      .update(tier_definitions)
      .set({ monthly_pours: 11 })
      .where(eq(tier_definitions.tier_name, 'premier'));
    const user = await gifts.person();
    await joinAtVenue(user);
    const given = {
      customer_id: await customerOf(user),
      kind: 'comp' as const,
      glasses: 5,
      reason: 'a party',
    };
    await giveGlasses(staff, { ...given, request_id: v7() });
    expect(await glassesOf(venue, user)).toMatchObject({ available: 9 });
    await end(user);
    await redeem(user, 'premier');
    expect(await glassesOf(venue, user)).toMatchObject({ period_pours: 11, available: 11 });
  });
});

describe('glasses of a month that was never paid', () => {
  let user: string;
  beforeEach(async () => {
    await venue.control('settings', { dunning_days: [3], dunning_end: 'canceled' });
    ({ user } = await venue.member('household'));
    await venue.changeCard(user, FAILING);
    await venue.advance({ days: 30, minutes: 1 });
    expect(await pourGlasses(venue, user)).toBe(5);
    await venue.advance({ days: 5 });
  });

  it('are made up for by the next membership by card, and the month after', async () => {
    await venue.changeCard(user, 'pm_card_visa');
    await joinByCard(user);
    expect(await glassesOf(venue, user)).toMatchObject({ carried: 4, available: 0 });
    await venue.advance(MONTH);
    expect(await glassesOf(venue, user)).toMatchObject({ carried: 1, available: 3 });
    await venue.advance(MONTH);
    expect(await glassesOf(venue, user)).toMatchObject(FULL);
  });

  it('are made up for by the glasses of an upgrade, too', async () => {
    await venue.changeCard(user, 'pm_card_visa');
    await joinByCard(user);
    await venue.advance({ days: 15 });
    const { id, added_glasses } = await gifts.billing.previewTier(user, 'household');
    await gifts.billing.changeTier(user, id);
    expect(await glassesOf(venue, user)).toMatchObject({
      period_pours: 4 + added_glasses,
      carried: 5,
      available: 4 + added_glasses - 5,
    });
  });

  it('are made up for once, though the membership at the venue that did ends the same day', async () => {
    await joinAtVenue(user);
    expect(await glassesOf(venue, user)).toMatchObject({ carried: 4, available: 0 });
    await end(user);
    await joinAtVenue(user);
    expect(await glassesOf(venue, user)).toMatchObject({ carried: 1, available: 3 });
  });

  it('and are no obstacle to a second gift on one day', async () => {
    await redeem(user);
    await end(user);
    await redeem(user);
    expect(await glassesOf(venue, user)).toMatchObject({ carried: 1, available: 3 });
  });
});

it('glasses of a month do not count in the next membership once staff marked it paid at Stripe', async () => {
  await venue.control('settings', { dunning_days: [3], dunning_end: 'canceled' });
  const { user } = await venue.member('household');
  await venue.changeCard(user, FAILING);
  await venue.advance({ days: 30, minutes: 1 });
  expect(await pourGlasses(venue, user)).toBe(5);
  await venue.webhooks('drop');
  await venue.advance({ days: 5 });
  const customer = await stripeCustomerId(venue.db, user);
  const { data } = await venue.stripe.invoices.list({ customer, limit: 1 });
  await venue.stripe.invoices.pay(data[0]?.id ?? '', { paid_out_of_band: true });
  await gifts.billing.reconcile(user);
  await joinAtVenue(user);
  expect(await glassesOf(venue, user)).toMatchObject(FULL);
  await venue.advance(MONTH);
  expect(await glassesOf(venue, user)).toMatchObject(FULL);
});

it('a month that is paid later makes up for what is owed with the rest of its glasses', async () => {
  venue.serveWith(venue.anotherProcess({ rules: () => ({ ...RULES, grace_days: 14 }) }));
  await venue.control('settings', { dunning_days: [20], dunning_end: 'canceled' });
  const { user } = await venue.member('household');
  await venue.changeCard(user, FAILING);
  await venue.advance({ days: 30, minutes: 1 });
  expect(await pourGlasses(venue, user)).toBe(10);
  await venue.advance({ days: 21 });
  await venue.changeCard(user, 'pm_card_visa');
  await joinByCard(user);
  expect(await glassesOf(venue, user)).toMatchObject({ carried: 4, available: 0 });
  await venue.control('settings', { draft_seconds: 3600 });
  await venue.advance(MONTH);
  expect(await glassesOf(venue, user)).toMatchObject({ period_pours: 2, carried: 2, when_paid: 2 });
  await venue.advance({ minutes: 61 });
  expect(await glassesOf(venue, user)).toMatchObject({ period_pours: 4, carried: 4, available: 0 });
  await venue.advance({ days: 31 });
  expect(await glassesOf(venue, user)).toMatchObject({ period_pours: 4, carried: 2, available: 2 });
});
