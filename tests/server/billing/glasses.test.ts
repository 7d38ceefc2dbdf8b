import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { giftAcceptance } from '../../../src/domain/consent.ts';
import type { Ctx } from '../../../src/server/context.ts';
import { customers, glass_change, profiles, tier_rollover } from '../../../src/server/db/schema.ts';
import { approveApplication } from '../../../src/server/membership/application-reviews.ts';
import { updateTier } from '../../../src/server/membership/tier-settings.ts';
import { giveGlasses } from '../../../src/server/pours/given-glasses.ts';
import { openSharedDatabase } from '../../support/billing/databases.ts';
import { openGifts } from '../../support/billing/gifts.ts';
import { glassesOf, pourGlasses } from '../../support/billing/glasses.ts';
import { stripeCustomerId } from '../../support/billing/member-state.ts';
import { openVenue, RULES, type Venue } from '../../support/billing/venue.ts';
import { billingEmail } from '../../support/fixtures/every-email.ts';

// docs/rules/glasses.md, "Glasses". A member joins on June 15 at 12:00; the period has 30 days.
beforeAll(openSharedDatabase);

const FAILING = 'pm_card_chargeCustomerFail';
const HOUR = 60;
const SITE = {
  club_name: 'Club',
  support_email: 'help@club.example',
  public_url: 'https://club.example',
  time_zone: 'UTC',
  minimum_age: 21,
  terms_url: null,
};

async function changeTier(venue: Venue, user: string, tier: string) {
  const shown = await venue.billing.previewTier(user, tier);
  await venue.billing.changeTier(user, shown.id);
  return shown;
}

/** The text of the last email of a kind. */
function lastEmail(venue: Venue, type: string): string {
  const notice = venue.notices.findLast((it) => it.type === type);
  if (!notice) throw new Error(`No notice: ${type}`);
  return billingEmail(notice, 'Ada', SITE).text;
}

/** Changes the price at Stripe, as staff can in its dashboard, to that of `like`. */
async function changeAtStripe(venue: Venue, user: string, like: string) {
  const price = (await venue.subscription(like)).items.data[0]?.price.id;
  const { id, items } = await venue.subscription(user);
  await venue.stripe.subscriptions.update(id, {
    items: [{ id: items.data[0]?.id, price }],
    proration_behavior: 'always_invoice',
  });
  await venue.delivered();
}

/** The total that a user paid, in cents, according to Stripe. */
async function paid(venue: Venue, user: string): Promise<number> {
  const customer = await stripeCustomerId(venue.db, user);
  const { data } = await venue.stripe.invoices.list({ customer, status: 'paid', limit: 100 });
  return data.reduce((sum, { amount_paid }) => sum + amount_paid, 0);
}

/** The open invoices at Stripe, newest first. */
async function openInvoices(venue: Venue, user: string) {
  const customer = await stripeCustomerId(venue.db, user);
  return (await venue.stripe.invoices.list({ customer, status: 'open' })).data;
}

describe('a change of tier', () => {
  it('at the end of each period, and back each time, gives no unpaid glasses', async () => {
    const venue = await openVenue();
    const { user } = await venue.member('select');
    await venue.advance({ days: 29, minutes: 23 * HOUR });
    let poured = 0;
    for (const days of [31, 31, 30]) {
      expect((await changeTier(venue, user, 'household')).added_glasses).toBe(0);
      poured += await pourGlasses(venue, user);
      await changeTier(venue, user, 'select');
      await venue.advance({ days });
    }
    expect(await paid(venue, user)).toBeLessThan(15_800);
    expect(poured).toBe(12);
  });

  it('adds the same share of the glasses as of the price; several add up; the next period is full', async () => {
    const venue = await openVenue();
    const { user } = await venue.member('select');
    await pourGlasses(venue, user, 3);
    await venue.advance({ days: 15 });
    const shown = await venue.billing.previewTier(user, 'premier');
    // The preview is charged and given, although the member takes some minutes.
    await venue.advance({ minutes: 14 });
    await venue.billing.changeTier(user, shown.id);
    expect(shown).toMatchObject({ charged_now: 1500, added_glasses: 2, monthly_glasses: 8 });
    expect(shown.glasses_then).toEqual({ available_pours: 3, period_pours: 6 });
    expect(await glassesOf(venue, user)).toMatchObject({ period_pours: 6, available: 3, pours_used: 3 });
    expect(await venue.db.select().from(glass_change)).toMatchObject([
      { glasses: 2, to_tier: 'premier', tier_change_id: shown.id },
    ]);
    expect(lastEmail(venue, 'tier_changed')).toContain(
      '2 more pours until July 15, 2026, 8 a month from then.',
    );
    await venue.advance({ days: 4, minutes: 23 * HOUR + 46 });
    expect((await changeTier(venue, user, 'elite')).added_glasses).toBe(2);
    expect(await glassesOf(venue, user)).toMatchObject({ period_pours: 8, available: 5 });
    await venue.advance({ days: 10, minutes: 1 });
    expect(await glassesOf(venue, user)).toMatchObject({ period_pours: 14, available: 14, pours_used: 0 });
  });

  it('made at Stripe adds glasses from when it is seen', async () => {
    const venue = await openVenue();
    const [{ user }, late, household] = [
      await venue.member('select'),
      await venue.member('select'),
      await venue.member('household'),
    ];
    await venue.advance({ days: 15 });
    await changeAtStripe(venue, user, household.user);
    expect(await glassesOf(venue, user)).toMatchObject({ period_pours: 12, available: 12 });
    await venue.webhooks('drop');
    await changeAtStripe(venue, late.user, household.user);
    await venue.advance({ days: 9 });
    await venue.billing.reconcile(late.user);
    expect(await glassesOf(venue, late.user)).toMatchObject({ period_pours: 7 });
    await venue.webhooks('normal');
    await changeAtStripe(venue, user, late.user);
    expect(await glassesOf(venue, user), 'no change, no glasses').toMatchObject({ period_pours: 12 });
  });

  it('made at Stripe, to a tier that the member chose here before, adds glasses from when it is seen', async () => {
    const venue = await openVenue();
    const [{ user }, select, household] = [
      await venue.member('select'),
      await venue.member('select'),
      await venue.member('household'),
    ];
    await venue.advance({ days: 15 });
    await changeTier(venue, user, 'household');
    await venue.advance({ days: 3 });
    await changeAtStripe(venue, user, select.user);
    const before = (await glassesOf(venue, user))?.period_pours ?? 0;
    await venue.advance({ days: 6 });
    await changeAtStripe(venue, user, household.user);
    // 6 of 30 days are left.
    expect(await glassesOf(venue, user)).toMatchObject({ period_pours: before + 3 });
  });

  it('made at Stripe after a renewal that we missed does not give the whole period', async () => {
    const venue = await openVenue();
    const [{ user }, household] = [await venue.member('select'), await venue.member('household')];
    await venue.webhooks('drop');
    await venue.advance({ days: 45 });
    await changeAtStripe(venue, user, household.user);
    await venue.billing.reconcile(user);
    // 16 of 31 days are left.
    expect(await glassesOf(venue, user)).toMatchObject({ period_pours: 4 + 8 });
  });

  it('made at Stripe while a pause is set adds nothing, because Stripe voids its charge', async () => {
    const venue = await openVenue();
    const [{ user }, household] = [await venue.member('select'), await venue.member('household')];
    await venue.billing.pause(user, 1);
    await venue.webhooks('drop');
    await venue.advance({ days: 15 });
    await changeAtStripe(venue, user, household.user);
    // Noticed only when the pause is off again.
    await venue.stripe.subscriptions.update((await venue.subscription(user)).id, { pause_collection: '' });
    await venue.billing.reconcile(user);
    expect(await paid(venue, user)).toBe(3900);
    expect(await glassesOf(venue, user)).toMatchObject({ period_pours: 4 });
    await venue.webhooks('normal');
    await venue.advance({ days: 16 });
    expect(await paid(venue, user)).toBe(3900 + 14_900);
    expect(await glassesOf(venue, user), 'the next period is paid').toMatchObject({ period_pours: 20 });
  });

  it('made at Stripe and charged after a pause was taken off adds glasses, though our copy still says paused', async () => {
    const venue = await openVenue();
    const [{ user }, household] = [await venue.member('select'), await venue.member('household')];
    await venue.billing.pause(user, 1);
    await venue.webhooks('drop');
    await venue.stripe.subscriptions.update((await venue.subscription(user)).id, { pause_collection: '' });
    await venue.advance({ days: 15 });
    await changeAtStripe(venue, user, household.user);
    await venue.billing.reconcile(user);
    expect(await paid(venue, user)).toBe(3900 + 5500);
    expect(await glassesOf(venue, user)).toMatchObject({ period_pours: 4 + 8 });
  });
});

test('more glasses of a tier go to those who paid for it, until their period ends, whatever we thought when it began', async () => {
  const venue = await openVenue({ start: '2026-01-31T12:00:00Z' });
  const [{ user }, household] = [await venue.member('select'), await venue.member('household')];
  const price = (await venue.subscription(household.user)).items.data[0]?.price.id;
  const { id, items } = await venue.subscription(user);
  await venue.webhooks('drop');
  await venue.stripe.subscriptions.update(id, {
    items: [{ id: items.data[0]?.id, price }],
    proration_behavior: 'none',
  });
  await venue.advance({ days: 28, minutes: 1 });
  // The pour writes a grant of a select member, until March 28; Stripe then says household, until March 31.
  expect(await pourGlasses(venue, user)).toBe(1);
  await venue.billing.sweep();
  await venue.advance({ days: 29 });
  const ctx = { ...venue.deps, actor: { user_id: user, role: 'staff' } } as unknown as Ctx;
  await updateTier(ctx, 'household', { monthly_pours: 22 });
  await updateTier(ctx, 'select', { monthly_pours: 5 });
  expect(await glassesOf(venue, user)).toMatchObject({ period_pours: 22, available: 21 });
});

describe('a period that is not paid', () => {
  it('gives glasses in proportion to its grace, and the rest when it is paid', async () => {
    const venue = await openVenue();
    const { user } = await venue.member('household');
    await venue.changeCard(user, FAILING);
    await venue.advance({ days: 30, minutes: 1 });
    expect(await pourGlasses(venue, user)).toBe(5);
    expect(await glassesOf(venue, user)).toMatchObject({
      access: true,
      period_pours: 5,
      available: 0,
      when_paid: 15,
    });
    expect(lastEmail(venue, 'payment_failed')).toContain("you can use 5 of this month's 20 pours");
    await venue.changeCard(user, 'pm_card_visa');
    await venue.advance({ days: 4 });
    expect(await glassesOf(venue, user)).toMatchObject({ period_pours: 20, available: 15, when_paid: 0 });
  });

  it('gives the same rest when it is paid, though staff took back some of its share', async () => {
    const venue = await openVenue();
    const { user } = await venue.member('household');
    await venue.changeCard(user, FAILING);
    await venue.advance({ days: 30, minutes: 1 });
    const id = venue.deps.newId();
    await venue.db
      .insert(profiles)
      .values({ id, name: 'Sam', email: 's@x.test', first_name: 'Sam', last_name: '' });
    const [member] = await venue.db.select().from(customers).where(eq(customers.user_id, user));
    const gift = {
      customer_id: member?.id ?? '',
      kind: 'correction' as const,
      glasses: -2,
      reason: 'a mistake',
    };
    const ctx = { ...venue.deps, actor: { user_id: id, role: 'staff' } } as unknown as Ctx;
    await giveGlasses(ctx, { ...gift, request_id: venue.deps.newId() });
    expect(await glassesOf(venue, user)).toMatchObject({ period_pours: 3, when_paid: 15 });
    await venue.changeCard(user, 'pm_card_visa');
    await venue.advance({ days: 4 });
    expect(await glassesOf(venue, user)).toMatchObject({ period_pours: 18, when_paid: 0 });
  });

  it('says by email how many can be poured, with glasses that rolled over', async () => {
    const venue = await openVenue();
    await venue.db.insert(tier_rollover).values({ tier_name: 'premier', since: new Date(0), glasses: 3 });
    const { user } = await venue.member('premier');
    await venue.changeCard(user, FAILING);
    await venue.advance({ days: 30, minutes: 1 });
    const has = await glassesOf(venue, user);
    expect(has).toMatchObject({ available: 5, period_pours: 5, when_paid: 6 });
    expect(lastEmail(venue, 'payment_failed')).toContain("you can use 5 of this month's 11 pours");
  });

  it('gives that share even before its charge is made, or if we missed its start', async () => {
    const venue = await openVenue();
    const { user } = await venue.member('premier');
    await venue.control('settings', { draft_seconds: 3600 });
    await venue.advance({ days: 30, minutes: 1 });
    expect(await glassesOf(venue, user)).toMatchObject({ period_pours: 2, when_paid: 6 });
    await venue.advance({ minutes: HOUR });
    expect(await glassesOf(venue, user)).toMatchObject({ period_pours: 8, when_paid: 0 });
    await venue.webhooks('drop');
    await venue.advance({ days: 32 });
    expect(await glassesOf(venue, user)).toMatchObject({ period_pours: 2 });
    await venue.billing.sweep();
    expect(await glassesOf(venue, user)).toMatchObject({ period_pours: 8 });
  });

  it('is found paid by the sweeper when the webhook about its charge is lost', async () => {
    const venue = await openVenue();
    const { user } = await venue.member('premier');
    await venue.control('settings', { draft_seconds: 3600 });
    await venue.advance({ days: 30, minutes: 1 });
    await venue.webhooks('drop');
    await venue.advance({ minutes: HOUR + 1 });
    await venue.billing.sweep();
    expect(await glassesOf(venue, user)).toMatchObject({ period_pours: 8 });
  });

  it('counts as paid if its charge is paid after it ended: nothing is carried over', async () => {
    const venue = await openVenue();
    await venue.control('settings', { dunning_days: [3], dunning_end: 'unpaid' });
    const { user } = await venue.member('household');
    await venue.changeCard(user, FAILING);
    await venue.advance({ days: 30, minutes: 1 });
    expect(await pourGlasses(venue, user)).toBe(5);
    const [late] = await openInvoices(venue, user);
    await venue.advance({ days: 31 });
    await venue.payInvoice(user, late?.id);
    const application = await venue.reapply(user, 'household');
    await venue.pay(await venue.checkout({ user, application }, 'household'));
    await venue.delivered();
    expect(await glassesOf(venue, user)).toMatchObject({ access: true, available: 20, carried: 0 });
  });

  /** A household member who poured 5 in a period that was never paid, and whose membership ended. */
  async function neverPaid(venue: Venue): Promise<string> {
    await venue.control('settings', { dunning_days: [3], dunning_end: 'canceled' });
    const { user } = await venue.member('household');
    await venue.changeCard(user, FAILING);
    await venue.advance({ days: 30, minutes: 1 });
    await pourGlasses(venue, user);
    await venue.advance({ days: 5 });
    expect(await glassesOf(venue, user)).toMatchObject({ access: false, available: 0 });
    return user;
  }

  it('and never will be: its pours count in the first period after rejoining by card', async () => {
    const venue = await openVenue();
    const user = await neverPaid(venue);
    const application = await venue.reapply(user, 'household');
    await venue.pay(await venue.checkout({ user, application }, 'household'));
    await venue.delivered();
    expect(await glassesOf(venue, user)).toMatchObject({
      period_pours: 20,
      pours_used: 5,
      available: 15,
      carried: 5,
    });
    expect(lastEmail(venue, 'membership_started')).toContain(
      '5 pours from an unpaid month counted toward your first month',
    );
    await venue.advance({ days: 31 });
    expect(await glassesOf(venue, user)).toMatchObject({ pours_used: 0, available: 20, carried: 0 });
  });

  it('and never will be: so too after rejoining at the venue; what one period cannot absorb counts in the next', async () => {
    const venue = await openVenue();
    const user = await neverPaid(venue);
    const id = await venue.reapply(user, 'select');
    const staff = { id: venue.deps.newId(), name: 'Sam', first_name: 'Sam', last_name: '' };
    await venue.db.insert(profiles).values({ ...staff, email: 'sam@example.test' });
    const actor = { user_id: staff.id, role: 'staff' };
    const ctx = {
      ...venue.deps,
      outbox: venue.outbox,
      paymentPages: venue.billing.paymentPages,
      club: { current: venue.deps.rules },
      actor,
    } as unknown as Ctx;
    await approveApplication(ctx, { id, toast_reference_number: 'T-1', months: 12 });
    expect(await glassesOf(venue, user)).toMatchObject({ period_pours: 4, carried: 4, available: 0 });
    await venue.advance({ days: 31 });
    expect(await glassesOf(venue, user)).toMatchObject({ period_pours: 4, carried: 1, available: 3 });
    await venue.advance({ days: 31 });
    expect(await glassesOf(venue, user)).toMatchObject({ carried: 0, available: 4 });
  });
});

it('a period that was never paid is not forgiven by a gift: its pours count in the months of the gift', async () => {
  const gifts = await openGifts();
  const { venue, billing } = gifts;
  const { user } = await venue.member('household');
  await venue.changeCard(user, FAILING);
  await venue.advance({ days: 30, minutes: 1 });
  expect(await pourGlasses(venue, user)).toBe(5);
  await venue.advance({ days: 8 });
  const code = await gifts.code(user, await gifts.bought(user));
  await billing.gifts.redeem(user, { code, consent_version: giftAcceptance(venue.deps.venue).version });
  expect(await glassesOf(venue, user)).toMatchObject({ period_pours: 4, carried: 4, available: 0 });
  await venue.advance({ days: 31 });
  expect(await glassesOf(venue, user)).toMatchObject({ period_pours: 4, carried: 1, available: 3 });
  await venue.advance({ days: 31 });
  expect(await glassesOf(venue, user)).toMatchObject({ carried: 0, available: 4 });
});

test('after rejoining, the old charge is voided, so what it carried stays carried', async () => {
  const venue = await openVenue();
  await venue.control('settings', { dunning_days: [3], dunning_end: 'unpaid' });
  const { user } = await venue.member('household');
  await venue.changeCard(user, FAILING);
  await venue.advance({ days: 30, minutes: 1 });
  await pourGlasses(venue, user);
  const customer = await stripeCustomerId(venue.db, user);
  const [open] = (await venue.stripe.invoices.list({ customer, status: 'open' })).data;
  await venue.advance({ days: 20 });
  const application = await venue.reapply(user, 'household');
  await venue.pay(await venue.checkout({ user, application }, 'household'));
  await venue.delivered();
  expect(await glassesOf(venue, user)).toMatchObject({ carried: 5, available: 15 });
  expect((await venue.stripe.invoices.retrieve(open?.id ?? '')).status).toBe('void');
  await venue.billing.reconcile(user);
  expect(await glassesOf(venue, user)).toMatchObject({ carried: 5, available: 15 });
});

test('grace keeps the days and glasses that were set when it began, whatever the club sets later', async () => {
  const venue = await openVenue();
  await venue.control('settings', { dunning_days: [20], dunning_end: 'unpaid' });
  const { user } = await venue.member('household');
  venue.serveWith(venue.anotherProcess({ rules: () => ({ ...RULES, grace_days: 14 }) }));
  await venue.changeCard(user, FAILING);
  await venue.advance({ days: 30, minutes: 1 });
  expect(await glassesOf(venue, user)).toMatchObject({ access: true, available: 10 });
  // Any later reconciliation uses 7 days.
  await venue.billing.reconcile(user);
  await venue.advance({ days: 13 });
  await venue.billing.reconcile(user);
  expect(await glassesOf(venue, user)).toMatchObject({ access: true, available: 10 });
  await venue.advance({ days: 2 });
  expect(await glassesOf(venue, user)).toMatchObject({ access: false, available: 0 });
});
