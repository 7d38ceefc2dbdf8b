import type Stripe from 'stripe';
import { beforeAll, describe, expect, test } from 'vitest';
import type { BillingNotice } from '../../../src/server/billing/billing-context.ts';
import { reportRevenue } from '../../../src/server/reports/revenue-report.ts';
import { openSharedDatabase } from '../../support/billing/databases.ts';
import { stripeCustomerId } from '../../support/billing/member-state.ts';
import { announceMove, paid, passDays, setPrice } from '../../support/billing/price-moves.ts';
import { openVenue, RULES, type Venue, type VenueOptions } from '../../support/billing/venue.ts';

// docs/rules/billing.md, "Billing: what is charged next": discounts and credit.

beforeAll(openSharedDatabase);

const HALF: Stripe.CouponCreateParams = { percent_off: 50, duration: 'forever' };
const at = (day: string) => new Date(`${day}T12:00:00Z`);

/** A member whose subscription the venue gave a coupon at Stripe. */
async function discounted(coupon: Stripe.CouponCreateParams, tier = 'select', options: VenueOptions = {}) {
  const venue = await openVenue(options);
  const { user } = await venue.member(tier);
  const { id } = await venue.stripe.coupons.create(coupon);
  const { id: subscription } = await venue.subscription(user);
  await venue.stripe.subscriptions.update(subscription, { discounts: [{ coupon: id }] });
  await venue.delivered();
  return { venue, user };
}

const details = async ({ billing }: Venue, user: string) => {
  const it = await billing.getSubscriptionDetails(user);
  if (!it) throw new Error('No subscription');
  return it;
};

/** The notices of a reminder run, at a venue with all reminders on. */
async function remind(venue: Venue): Promise<BillingNotice[]> {
  const posted: BillingNotice[] = [];
  const reminding = venue.anotherProcess({
    rules: () => ({ ...RULES, renewal_reminder_days: 7, annual_notice: true }),
    post: async (_tx, notice) => void posted.push(notice),
  });
  await reminding.sendReminders();
  return posted;
}

/** The monthly revenue in today's report. */
async function recurring({ db, deps }: Venue): Promise<number | undefined> {
  const { now, venue, currency } = deps;
  const readLagging = <T>(work: (of: typeof db) => Promise<T>) => work(db);
  const today = now().toISOString().slice(0, 10);
  const { months } = await reportRevenue(
    { db, now, venue, currency, readLagging },
    { from: today, to: today },
  );
  return months.at(-1)?.closing_cents;
}

describe.each<[string, Stripe.CouponCreateParams, charges: number[], monthly: number, revenue: number]>([
  ['half of it', HALF, [1950, 1950, 1950], 1950, 1950],
  ['all of it', { percent_off: 100, duration: 'forever' }, [0, 0, 0], 0, 0],
  ['an amount', { amount_off: 1000, currency: 'usd', duration: 'forever' }, [2900, 2900, 2900], 2900, 2900],
  ['an amount once', { amount_off: 1000, currency: 'usd', duration: 'once' }, [2900, 3900, 3900], 3900, 3900],
  [
    'for two months',
    { percent_off: 20, duration: 'repeating', duration_in_months: 2 },
    [3120, 3900, 3900],
    3900,
    3120,
  ],
])('a discount: %s', (_, coupon, charges, monthly, revenue) => {
  test('each reminder, and the account before it, names what is then charged', async () => {
    const { venue, user } = await discounted(coupon);
    expect(await details(venue, user)).toMatchObject({
      amount: monthly,
      next_charge: { tier: 'select', amount: charges[0] },
    });
    const announced: unknown[] = [];
    for (const _charge of charges) {
      await venue.advance({ days: 25 });
      for (const notice of await remind(venue)) {
        if (notice.type === 'renewal_reminder') announced.push(notice.amount_cents);
      }
      await venue.advance({ days: 6 });
      await venue.billing.sweep();
    }
    expect(announced).toEqual(charges);
    expect((await paid(venue, user)).slice(1)).toEqual(charges);
  });

  test('recurring revenue is net of it, unless it is for one invoice', async () => {
    const { venue } = await discounted(coupon);
    expect(await recurring(venue)).toBe(revenue);
  });
});

test.each(['exclusive', 'inclusive'] as const)(
  'with tax (%s), amounts are net of the discount, and as before without the tax that is added',
  async (taxBehavior) => {
    const { venue, user } = await discounted(HALF, 'select', { pricing: { taxBehavior } });
    expect(await details(venue, user)).toMatchObject({
      ...{ amount: 1950, tax_behavior: taxBehavior, next_charge: { amount: 1950 } },
    });
    expect(await recurring(venue)).toBe(1950);
  },
);

test('credit is taken off the next charge, and of no month', async () => {
  const venue = await openVenue();
  const { user } = await venue.member();
  await venue.stripe.customers.update(await stripeCustomerId(venue.db, user), { balance: -1500 });
  await venue.delivered();
  await venue.billing.reconcile(user);
  expect(await details(venue, user)).toMatchObject({ amount: 3900, next_charge: { amount: 2400 } });
  expect(await recurring(venue)).toBe(3900);
  await passDays(venue, 31);
  expect((await venue.stripe.charges.list()).data[0]?.amount).toBe(2400);
  expect(await details(venue, user)).toMatchObject({ next_charge: { amount: 3900 } });
});

test('a reminder names what someone added at Stripe within the period, which waits for the renewal', async () => {
  const venue = await openVenue();
  const { user } = await venue.member();
  await venue.advance({ days: 15 });
  const product = await venue.stripe.products.create({ name: 'Locker' });
  const { id: price } = await venue.stripe.prices.create({
    ...{ product: product.id, currency: 'usd', unit_amount: 1000, recurring: { interval: 'month' } },
  });
  const { id } = await venue.subscription(user);
  await venue.stripe.subscriptions.update(id, {
    items: [{ price }],
    proration_behavior: 'create_prorations',
  });
  await venue.advance({ days: 10 });
  const [notice] = await remind(venue);
  // Half a month of the locker, and a month of both.
  expect(notice).toMatchObject({ type: 'renewal_reminder', amount_cents: 5400, monthly_cents: 4900 });
  await passDays(venue, 6);
  expect((await paid(venue, user)).at(-1)).toBe(5400);
});

test('another tier is previewed, scheduled and announced net of the discount', async () => {
  const { venue, user } = await discounted(HALF, 'premier');
  const preview = await venue.billing.previewTier(user, 'select');
  expect(preview).toMatchObject({ next_amount: 1950 });
  await venue.billing.changeTier(user, preview.id);
  expect(await details(venue, user)).toMatchObject({
    amount: 3450,
    pending_tier: { tier: 'select', amount: 1950 },
    next_charge: { tier: 'select', amount: 1950 },
  });
  expect(venue.notices.at(-1)).toMatchObject({ type: 'tier_change_scheduled', amount_cents: 1950 });
  expect(await recurring(venue)).toBe(3450);
  await passDays(venue, 31);
  expect(await paid(venue, user)).toEqual([6900, 1950]);
  expect(await recurring(venue)).toBe(1950);
});

test('an announced price is shown net of the discount after the next sweep, and its email says the discount stays', async () => {
  const { venue, user } = await discounted(HALF);
  await setPrice(venue, 'select', 4500);
  await venue.advance({ days: 5 });
  await announceMove(venue, { who: { tier: 'select' } });
  expect(venue.notices.at(-1)).toMatchObject({ type: 'price_move_announced', discounted: true });
  await venue.billing.sweep();
  expect(await details(venue, user)).toMatchObject({
    amount: 1950,
    next_charge: { amount: 1950 },
    price_move: { amount: 2250, from: at('2026-08-15').getTime() / 1000 },
  });
  await passDays(venue, 56);
  expect(await paid(venue, user)).toEqual([3900, 1950, 2250]);
});

describe('back from a pause', () => {
  test('the reminder names the discounted charge', async () => {
    const { venue, user } = await discounted(HALF);
    await venue.billing.pause(user, 1);
    await passDays(venue, 56);
    expect(await remind(venue)).toMatchObject([{ type: 'return_reminder', amount_cents: 1950 }]);
    await passDays(venue, 10);
    expect(await paid(venue, user)).toEqual([3900, 1950]);
  });

  test('early: what is shown is charged, and never more', async () => {
    const { venue, user } = await discounted(HALF);
    await venue.billing.pause(user, 2);
    await passDays(venue, 40);
    expect(await details(venue, user)).toMatchObject({ return_amount: 1950 });
    expect((await venue.billing.getPause(user)).pause).toMatchObject({ amount: 1950 });
    await expect(venue.billing.endPause(user, 1949)).rejects.toMatchObject({ code: 'PREVIEW_EXPIRED' });
    await venue.billing.endPause(user, 1950);
    expect(await paid(venue, user)).toEqual([3900, 1950]);
  });
});

test('a member who cancels keeps the discount in what they bring, and has it again on resuming', async () => {
  const { venue, user } = await discounted(HALF);
  await venue.billing.cancelSubscription(user);
  expect(await details(venue, user)).toMatchObject({ amount: 1950, next_charge: null });
  expect(await recurring(venue)).toBe(1950);
  await venue.billing.resumeSubscription(user);
  expect(await details(venue, user)).toMatchObject({ next_charge: { amount: 1950 } });
});

test('a preview that Stripe refuses leaves what was known, and keeps nobody from being reconciled', async () => {
  const { venue, user } = await discounted(HALF);
  await venue.control('fail-next', {
    path: '/v1/invoices/create_preview',
    method: 'POST',
    status: 400,
    times: 1,
  });
  expect(await venue.billing.reconcile(user)).toMatchObject({ localStatus: 'active' });
  expect(await details(venue, user)).toMatchObject({ amount: 1950, next_charge: { amount: 1950 } });
  expect(venue.logged.some((line) => line.includes('refused to preview'))).toBe(true);
});

test('a key that may not read coupons names the right charge all the same', async () => {
  const { venue, user } = await discounted({ ...HALF, duration: 'once' });
  const path = '/v1/invoices/create_preview';
  await venue.control('fail-next', { path, method: 'POST', status: 403, times: 1 });
  await venue.billing.reconcile(user);
  expect(await details(venue, user)).toMatchObject({ amount: 1950, next_charge: { amount: 1950 } });
});

test('what reads the account asks Stripe for nothing', async () => {
  const { venue, user } = await discounted(HALF);
  await venue.control('fail-next', { path: '/v1', status: 500, times: 1000 });
  expect(await details(venue, user)).toMatchObject({ next_charge: { amount: 1950 } });
});
