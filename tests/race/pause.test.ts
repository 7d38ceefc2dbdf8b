import { eq } from 'drizzle-orm';
import { expect, onTestFinished, test } from 'vitest';
import { openPostgres } from '../../src/server/db/client.ts';
import { billing_act } from '../../src/server/db/schema.ts';
import type { Billing } from '../support/billing/drive-billing.ts';
import { openVenue, type Venue } from '../support/billing/venue.ts';
import { createDatabase } from '../support/harness/postgres.ts';

async function openRace() {
  const { url, drop } = await createDatabase();
  onTestFinished(drop);
  const venue = await openVenue({ database: await openPostgres(url), overHttp: true });
  return { venue, ...(await venue.member()) };
}

/** Several processes, which share no memory. */
const processes = (venue: Venue, count: number): Billing[] =>
  Array.from({ length: count }, () => venue.anotherProcess());
const states = async ({ db }: Venue, user: string) =>
  (await db.select().from(billing_act).where(eq(billing_act.user_id, user))).map(({ state }) => state).sort();
const payments = async (venue: Venue, user: string) =>
  (await venue.state(user)).payments.map(({ paid }) => paid);

test('a pause requested 12 times in four processes is one pause, with one email', async () => {
  const { venue, user } = await openRace();
  const many = processes(venue, 4);
  const answers = await Promise.allSettled(
    Array.from({ length: 12 }, (_, nth) => (many[nth % 4] as Billing).pause(user, nth % 2 ? 1 : 2)),
  );
  expect(answers.some(({ status }) => status === 'fulfilled')).toBe(true);
  await venue.billing.sweep();
  expect(await states(venue, user)).toEqual(['set']);
  expect(venue.noticeTypes().filter((type) => type === 'pause_scheduled')).toHaveLength(1);
  const { pause } = await venue.billing.getPause(user);
  const { pause_collection } = await venue.subscription(user);
  // Stripe has the pause that the member sees, and renews the subscription an hour later.
  expect(pause_collection?.resumes_at).toBe((pause?.until ?? 0) - 3600);
});

test('a pause extended 12 times in four processes is a month longer, at Stripe and here', async () => {
  const { venue, user } = await openRace();
  await venue.billing.pause(user, 1);
  const { pause } = await venue.billing.getPause(user);
  const many = processes(venue, 4);
  const answers = await Promise.allSettled(
    Array.from({ length: 12 }, (_, nth) => (many[nth % 4] as Billing).extendPause(user, pause?.until ?? 0)),
  );
  expect(answers.some(({ status }) => status === 'fulfilled')).toBe(true);
  await venue.billing.sweep();
  expect(await states(venue, user)).toEqual(['set']);
  expect(await venue.db.select({ terms: billing_act.terms }).from(billing_act)).toEqual([
    { terms: { months: 2, declined_returns: 0 } },
  ]);
  const { pause_collection } = await venue.subscription(user);
  expect(pause_collection?.resumes_at).toBe((pause?.extended_until ?? 0) - 3600);
  expect(venue.noticeTypes().filter((type) => type === 'pause_scheduled')).toHaveLength(2);
});

test('a member who comes back while the pause is extended is charged once, and no month is left of the pause', async () => {
  const { venue, user } = await openRace();
  await venue.billing.pause(user, 1);
  await venue.advance({ days: 40 });
  await venue.billing.sweep();
  const until = (await venue.billing.getPause(user)).pause?.until ?? 0;
  const [one, two] = processes(venue, 2) as [Billing, Billing];
  const [, returned] = await Promise.allSettled([one.extendPause(user, until), two.endPause(user, 3900)]);
  await venue.billing.sweep();
  await venue.billing.sweep();
  if (returned.status === 'rejected') await venue.billing.endPause(user, 3900);
  expect(await payments(venue, user)).toEqual([3900, 3900]);
  expect((await venue.subscription(user)).pause_collection).toBeNull();
  expect(await states(venue, user)).toEqual(['done']);
});

test('a pause and its withdrawal at once leave Stripe in agreement with our rows', async () => {
  const { venue, user } = await openRace();
  for (let round = 0; round < 4; round++) {
    const [one, two] = processes(venue, 2) as [Billing, Billing];
    await Promise.allSettled(
      round % 2
        ? [one.endPause(user, 3900), two.pause(user, 2)]
        : [one.pause(user, 1), two.endPause(user, 3900)],
    );
    await venue.billing.sweep();
    const asked = (await states(venue, user)).includes('set');
    const { pause_collection } = await venue.subscription(user);
    expect(Boolean(pause_collection), `round ${round}`).toBe(asked);
  }
  await venue.billing.endPause(user, 3900);
  expect(await states(venue, user)).not.toContain('set');
  expect((await venue.subscription(user)).pause_collection).toBeNull();
  expect(await payments(venue, user)).toEqual([3900]);
});

test('a member who cancels while a pause is requested is never charged again', async () => {
  const { venue, user } = await openRace();
  const [one, two] = processes(venue, 2) as [Billing, Billing];
  const [, canceled] = await Promise.allSettled([one.pause(user, 1), two.cancelSubscription(user)]);
  expect(canceled.status).toBe('fulfilled');
  await venue.advance({ days: 100 });
  await venue.billing.sweep();
  expect(await payments(venue, user)).toEqual([3900]);
  expect(await venue.state(user)).toMatchObject({ customer: { status: 'inactive' } });
});
