import { sql } from 'drizzle-orm';
import { beforeAll, expect, it } from 'vitest';
import { reportUnused } from '../../../src/server/reports/unused-report.ts';
import { openSharedDatabase } from '../../support/billing/databases.ts';
import { pourGlasses } from '../../support/billing/glasses.ts';
import { stripeCustomerId } from '../../support/billing/member-state.ts';
import { openVenue, type Venue } from '../../support/billing/venue.ts';

// docs/rules/reports.md, "Reports": in the past on the database's clock, so that its days can be closed. In Vienna, the
// member's first month is June 15 to July 15, the second ends August 15.
beforeAll(openSharedDatabase);

const START = '2024-06-15T12:00:00Z';

const closeDays = ({ db, deps }: Venue) =>
  db.execute(sql`select close_report_day(d.day::date, ${deps.venue.time_zone})
    from generate_series('2024-06-01'::timestamp, '2024-10-01', interval '1 day') d(day)`);

const unused = async ({ db, clock, deps }: Venue) => {
  const ctx = {
    ...deps,
    db,
    now: clock.now,
    readLagging: <T>(work: (from: typeof db) => Promise<T>) => work(db),
  };
  const { months } = await reportUnused(ctx, { from: '2024-06-01', to: '2024-09-30' });
  return months.map(({ month, given, unused: left }) => [month, given, left]);
};

it('a month that is paid after its end is in the report at once, though the day is closed', async () => {
  const venue = await openVenue({ start: START });
  await venue.control('settings', { dunning_days: [3], dunning_end: 'unpaid' });
  const { user } = await venue.member('household');
  await venue.changeCard(user, 'pm_card_chargeCustomerFail');
  await venue.advance({ days: 30, minutes: 1 });
  expect(await pourGlasses(venue, user)).toBe(5);
  await venue.advance({ days: 40 });
  await closeDays(venue);
  expect(await unused(venue)).toEqual([['2024-07-01', 20, 20]]);

  const customer = await stripeCustomerId(venue.db, user);
  const { data } = await venue.stripe.invoices.list({ customer, status: 'open' });
  await venue.payInvoice(user, data.at(-1)?.id);
  expect(await unused(venue)).toEqual([
    ['2024-07-01', 20, 20],
    ['2024-08-01', 20, 15],
  ]);
});
