import { beforeAll, expect, test } from 'vitest';
import { reportRevenue } from '../../../src/server/reports/revenue-report.ts';
import { openSharedDatabase } from '../../support/billing/databases.ts';
import { openVenue, type Venue } from '../../support/billing/venue.ts';

// docs/rules/reports.md, "Reports": recurring revenue.

beforeAll(openSharedDatabase);

const MONTHS = { from: '2026-06-01', to: '2026-10-31' };

/** The monthly revenue at the end of each month so far. */
async function closing({ db, deps }: Venue): Promise<number[]> {
  const { now, venue, currency } = deps;
  const ctx = {
    db,
    now,
    venue,
    currency,
    readLagging: <T>(work: (of: typeof db) => Promise<T>) => work(db),
  };
  const { months } = await reportRevenue(ctx, MONTHS);
  return months.map(({ closing_cents }) => closing_cents);
}

test('a paused member brings nothing from the day the pause begins until they are back', async () => {
  const venue = await openVenue();
  await venue.member('premier');
  const { user } = await venue.member('select');
  await venue.billing.pause(user, 2);
  expect(await closing(venue)).toEqual([10_800]);
  for (let months = 0; months < 4; months++) {
    await venue.advance({ days: 31 });
    await venue.billing.sweep();
  }
  // Paused from July 15 to September 15.
  expect(await closing(venue)).toEqual([10_800, 6900, 6900, 10_800, 10_800]);
});
