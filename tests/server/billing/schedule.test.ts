import { beforeAll, expect, test } from 'vitest';
import { openSharedDatabase } from '../../support/billing/databases.ts';
import { openVenue, type Venue } from '../../support/billing/venue.ts';

// The schedule of a change that takes effect with the next period (docs/rules/billing.md, "Billing: changing the tier").
// Stripe drops what a phase does not name, and prorates unless the phase says not to.

beforeAll(openSharedDatabase);

async function scheduleDowngrade(venue: Venue): Promise<{ user: string; schedule: string }> {
  const { user } = await venue.member('premier');
  const { id } = await venue.billing.previewTier(user, 'select');
  await venue.billing.changeTier(user, id);
  return { user, schedule: String((await venue.subscription(user)).schedule) };
}

const paid = async ({ billing }: Venue, user: string) =>
  (await billing.listPayments(user)).map(({ amount }) => amount).reverse();

test.each(['exclusive', 'inclusive'] as const)(
  'every phase calculates tax, if the membership does (%s)',
  async (taxBehavior) => {
    const venue = await openVenue({ pricing: { taxBehavior } });
    const { user, schedule } = await scheduleDowngrade(venue);
    const { phases } = await venue.stripe.subscriptionSchedules.retrieve(schedule);
    expect(phases.map(({ automatic_tax }) => automatic_tax?.enabled)).toEqual([true, true]);
    expect((await venue.subscription(user)).automatic_tax.enabled, 'in the current period').toBe(true);
    await venue.advance({ days: 31 });
    const [charge] = (await venue.stripe.invoices.list()).data;
    expect(charge?.total_taxes?.[0]?.amount).toBe(taxBehavior === 'exclusive' ? 780 : 650);
    expect((await paid(venue, user)).at(-1)).toBe(taxBehavior === 'exclusive' ? 4680 : 3900);
  },
);

test('a membership without tax stays without it', async () => {
  const venue = await openVenue();
  const { user } = await scheduleDowngrade(venue);
  await venue.advance({ days: 31 });
  expect(await paid(venue, user)).toEqual([6900, 3900]);
});

test('nothing is prorated, also if the venue moved the billing day at Stripe meanwhile', async () => {
  const venue = await openVenue();
  const { user, schedule } = await scheduleDowngrade(venue);
  const { phases } = await venue.stripe.subscriptionSchedules.retrieve(schedule);
  expect(phases.map(({ proration_behavior }) => proration_behavior)).toEqual(['none', 'none']);
  await venue.advance({ days: 10 });
  const { id } = await venue.subscription(user);
  await venue.stripe.subscriptions.update(id, {
    billing_cycle_anchor: { type: 'now' },
    proration_behavior: 'none',
  });
  // The smaller tier begins on the agreed day, within the new period, and is first charged at its end.
  await venue.advance({ days: 31 });
  await venue.delivered();
  expect(await paid(venue, user)).toEqual([6900, 6900, 3900]);
});

test('a smaller tier that is scheduled in a trial leaves the trial its end, and the tax rates', async () => {
  const venue = await openVenue();
  const { user } = await venue.member('premier');
  const { stripe } = venue;
  const rate = await stripe.taxRates.create({ display_name: 'VAT', inclusive: false, percentage: 10 });
  const { id } = await venue.subscription(user);
  const trial_end = Math.floor(venue.clock.now().getTime() / 1000) + 20 * 86_400;
  await stripe.subscriptions.update(id, {
    trial_end,
    default_tax_rates: [rate.id],
    proration_behavior: 'none',
  });
  await venue.delivered();
  await venue.billing.changeTier(user, (await venue.billing.previewTier(user, 'select')).id);
  expect(await venue.subscription(user)).toMatchObject({ status: 'trialing', trial_end });
  await venue.advance({ days: 21 });
  await venue.delivered();
  expect(await venue.state(user)).toMatchObject({ active: { tier: 'select' } });
  expect((await paid(venue, user)).at(-1)).toBe(4290);
});
