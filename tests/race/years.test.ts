import { eq } from 'drizzle-orm';
import { expect, onTestFinished, test } from 'vitest';
import { openPostgres } from '../../src/server/db/client.ts';
import { dues, tier_definitions } from '../../src/server/db/schema.ts';
import { untilBlocked } from '../support/billing/locks.ts';
import { openVenue, type Venue } from '../support/billing/venue.ts';
import { createDatabase } from '../support/harness/postgres.ts';

// docs/rules/years.md, "Buying a year online".

async function openRace(): Promise<Venue> {
  const { url, drop } = await createDatabase();
  onTestFinished(drop);
  const venue = await openVenue({ database: await openPostgres(url), overHttp: true });
  await venue.db
    .update(tier_definitions)
    .set({ yearly_price_cents: 39_000 })
    .where(eq(tier_definitions.tier_name, 'select'));
  return venue;
}

/** An applicant who has paid a year that nobody has looked at. */
async function paid(venue: Venue): Promise<string> {
  const { user, application } = await venue.applicant();
  const order = { tierName: 'select', applicationId: application, period: 'year' as const };
  const { url } = await venue.billing.createCheckout(user, order);
  await venue.webhooks('drop');
  await venue.pay(url);
  await venue.delivered();
  return user;
}

test('twenty reconciliations in five processes count a year once, with one receipt', async () => {
  const venue = await openRace();
  const user = await paid(venue);
  const processes = Array.from({ length: 5 }, () => venue.anotherProcess());
  await Promise.all(Array.from({ length: 20 }, (_, turn) => processes[turn % 5]?.reconcile(user)));
  expect(await venue.state(user)).toMatchObject({ memberships: 1, attempts: ['completed'] });
  expect(await venue.db.$count(dues)).toBe(1);
  expect(venue.noticeTypes()).toEqual(['year_started', 'payment_received']);
});

test('a year that is counted while staff approve at the venue follows the approval', async () => {
  const venue = await openRace();
  const user = await paid(venue);
  let counted: Promise<unknown> | undefined;
  await venue.db.transaction(async (tx) => {
    await venue.approveAtVenue(user, tx);
    counted = venue.billing.reconcile(user);
    await untilBlocked(venue.db);
  });
  expect(await counted).toMatchObject({ localStatus: 'active' });
  expect(await venue.state(user)).toMatchObject({ memberships: 1, payments: [{ status: 'paid' }] });
  const [year] = await venue.db.select({ months: dues.months, method: dues.method }).from(dues);
  expect(year).toEqual({ months: 12, method: 'online' });
});
