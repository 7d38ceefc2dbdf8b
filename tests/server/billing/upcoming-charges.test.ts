import { beforeAll, expect, test } from 'vitest';
import type { BillingNotice } from '../../../src/server/billing/billing-context.ts';
import { openSharedDatabase } from '../../support/billing/databases.ts';
import { announceMove, paid, passDays, setPrice } from '../../support/billing/price-moves.ts';
import { openVenue, RULES, type Venue } from '../../support/billing/venue.ts';
import { billingEmail } from '../../support/fixtures/every-email.ts';

// docs/rules/billing.md, "Billing: what is charged next".

beforeAll(openSharedDatabase);

const at = (day: string) => new Date(`${day}T12:00:00Z`);
const seconds = (day: string) => at(day).getTime() / 1000;

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

/** The coming charges on the account page. */
async function shown(venue: Venue, user: string) {
  const { amount, next_charge, price_move, pending_tier } =
    (await venue.billing.getSubscriptionDetails(user)) ?? {};
  return { amount, next_charge, price_move, pending_tier };
}

test('the yearly notice names what is charged that day, where the price has been moved', async () => {
  const venue = await openVenue();
  const { user } = await venue.member('elite');
  await passDays(venue, 330);
  await setPrice(venue, 'elite', 12_900);
  await announceMove(venue, { who: { tier: 'elite' } });
  await passDays(venue, 34);
  await venue.advance({ minutes: 12 * 60 + 1 });
  const notices = await remind(venue);
  expect(notices.find(({ type }) => type === 'annual_notice')).toMatchObject({
    ...{ tier: 'elite', amount_cents: 12_900, monthly_cents: 12_900 },
    ...{ next_billing: at('2027-06-15'), price_change: null },
  });
  await passDays(venue, 1);
  expect((await paid(venue, user)).slice(-2)).toEqual([10_900, 12_900]);
});

test('the yearly notice and the reminder name the tier that is scheduled', async () => {
  const venue = await openVenue();
  const { user } = await venue.member('elite');
  await passDays(venue, 360);
  await venue.billing.changeTier(user, (await venue.billing.previewTier(user, 'select')).id);
  await passDays(venue, 4);
  await venue.advance({ minutes: 12 * 60 + 1 });
  const select = { tier: 'select', amount_cents: 3900, monthly_cents: 3900 };
  expect(await remind(venue)).toMatchObject([
    // Another tier is about to start, so no month can be skipped.
    { type: 'renewal_reminder', ...select, skip_until: null },
    { type: 'annual_notice', ...select },
  ]);
});

test('a reminder names the price of the renewal, and the one that follows', async () => {
  const venue = await openVenue();
  const { user } = await venue.member('select');
  await setPrice(venue, 'select', 4500);
  await passDays(venue, 5);
  await announceMove(venue, { who: { tier: 'select' } });
  await passDays(venue, 20);
  expect(await remind(venue)).toMatchObject([
    {
      amount_cents: 3900,
      renews_at: at('2026-07-15'),
      skip_until: at('2026-08-15'),
      price_change: { monthly_cents: 4500, from: at('2026-08-15') },
    },
  ]);
  await passDays(venue, 60);
  expect(await paid(venue, user)).toEqual([3900, 3900, 4500]);
});

test('a move whose day falls into a pause is shown with the renewal after the return, as it is then paid', async () => {
  const venue = await openVenue();
  const { user } = await venue.member('select');
  await setPrice(venue, 'select', 4500);
  await announceMove(venue, { who: { tier: 'select' } });
  await venue.billing.pause(user, 2);
  await passDays(venue, 75);
  expect(venue.clock.now() > at('2026-07-15')).toBe(true);
  expect(await shown(venue, user)).toEqual({
    amount: 3900,
    next_charge: { at: seconds('2026-09-15'), tier: 'select', amount: 3900 },
    price_move: { tier: 'select', from: seconds('2026-10-15'), amount: 4500 },
    pending_tier: null,
  });
  await passDays(venue, 12);
  expect(await remind(venue)).toMatchObject([
    {
      ...{ type: 'return_reminder', amount_cents: 3900, returns_at: at('2026-09-15') },
      price_change: { tier: 'select', monthly_cents: 4500, from: at('2026-10-15') },
    },
  ]);
  await passDays(venue, 60);
  expect(await paid(venue, user)).toEqual([3900, 3900, 4500]);
});

test('the emails name both prices with their days', () => {
  const club = {
    ...{ club_name: 'Cellar Door', support_email: 'help@venue.test', public_url: 'https://club.example' },
    ...{ time_zone: 'UTC', minimum_age: 0, terms_url: null },
  };
  const money = { currency: 'usd', tax_behavior: 'unspecified' } as const;
  const notice = {
    ...{
      cause: 'sample',
      user_id: 'sample',
      ...money,
      tier: 'select',
      amount_cents: 1950,
      monthly_cents: 3900,
    },
    price_change: { ...money, tier: 'premier', monthly_cents: 4500, from: at('2026-10-15') },
  };
  const day = at('2026-09-15');
  const after = "From October 15, 2026, you'll pay $45.00 per month for Premier.";
  for (const it of [
    { ...notice, type: 'return_reminder', returns_at: day },
    { ...notice, type: 'renewal_reminder', renews_at: day, skip_until: null },
    { ...notice, type: 'annual_notice', since: at('2025-09-15'), next_billing: day },
  ] as const) {
    const { text } = billingEmail(it, 'Ada', club);
    expect(text).toMatch(/September 15, 2026,? .*charge your card \$19\.50\./);
    expect(text).toContain('Your Select membership is $39.00 per month. It renews');
    expect(text).toContain(after);
    expect(billingEmail({ ...it, price_change: null }, 'Ada', club).text).not.toContain('October');
  }
});

test('the email to a member who comes back early names the price that follows', async () => {
  const venue = await openVenue();
  const { user } = await venue.member('select');
  await setPrice(venue, 'select', 4500);
  await announceMove(venue, { who: { tier: 'select' } });
  await venue.billing.pause(user, 2);
  await passDays(venue, 40);
  expect(await venue.billing.getSubscriptionDetails(user)).toMatchObject({ return_amount: 3900 });
  await venue.billing.endPause(user, 3900);
  expect(venue.notices.find(({ type }) => type === 'pause_ended')).toMatchObject({
    next_billing: at('2026-08-25'),
    price_change: { monthly_cents: 4500, from: at('2026-08-25') },
  });
  await passDays(venue, 32);
  expect(await paid(venue, user)).toEqual([3900, 3900, 4500]);
});

test('a move announced in a pause begins after the return', async () => {
  const venue = await openVenue();
  const { user } = await venue.member('select');
  await venue.billing.pause(user, 3);
  await passDays(venue, 40);
  await setPrice(venue, 'select', 4500);
  await announceMove(venue, { who: { tier: 'select' } });
  expect(venue.notices.at(-1)).toMatchObject({
    type: 'price_move_announced',
    effective_at: at('2026-11-15'),
  });
  await passDays(venue, 120);
  expect(await paid(venue, user)).toEqual([3900, 3900, 4500]);
});
