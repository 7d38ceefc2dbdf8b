import { eq, isNull } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { createBilling } from '../../../src/server/billing/reconcile/create-billing.ts';
import type { Services } from '../../../src/server/context.ts';
import { billing_subscription, stripe_event } from '../../../src/server/db/schema.ts';
import { openAdminSocket } from '../../../src/server/http/admin-socket.ts';
import { openSharedDatabase } from '../../support/billing/databases.ts';
import { openVenue, type Venue } from '../../support/billing/venue.ts';
import { dataFolder } from '../../support/harness/installation.ts';
import { runHere } from '../../support/harness/program.ts';

beforeAll(openSharedDatabase);

const SCRIPT = 'stripe replay';

/** Opens an admin socket to the venue, as a running server does. */
async function withAdminSocket<T>(venue: Venue, work: (env: { DATA_DIR: string }) => Promise<T>): Promise<T> {
  const folder = dataFolder();
  const services = { ...venue.deps, billing: createBilling(venue.deps) } as unknown as Services;
  const socket = await openAdminSocket(folder.path, services);
  try {
    return await work({ DATA_DIR: folder.path });
  } finally {
    await socket.close();
    folder.remove();
  }
}

/** A member with stored events. Returns the user. */
async function memberWithEvents(venue: Venue, tier?: string): Promise<string> {
  const applicant = await venue.applicant(tier);
  await venue.pay(await venue.checkout(applicant, tier));
  await venue.delivered();
  return applicant.user;
}

test('replaying the stored events repairs our copy; a second replay changes nothing', async () => {
  const venue = await openVenue();
  const members = [await memberWithEvents(venue), await memberWithEvents(venue, 'elite')];
  // The state after a mistake: our copy differs from Stripe, and events are open.
  await venue.db.update(billing_subscription).set({ amount_cents: 1, tier: 'household' });
  await venue.db.update(stripe_event).set({ processed_at: null });
  const stored = await venue.db.$count(stripe_event);
  await withAdminSocket(venue, async (env) => {
    const first = await runHere(SCRIPT, [], env);
    expect(first).toEqual({ code: 0, output: `Replayed ${stored} stored events of 2 customers.\n` });
    expect(await venue.db.$count(stripe_event, isNull(stripe_event.processed_at))).toBe(0);
    const repaired = await Promise.all(members.map((user) => venue.state(user)));
    expect(repaired.map(({ subscriptions }) => subscriptions.map((it) => it.tier))).toEqual([
      ['select'],
      ['elite'],
    ]);
    const before = venue.notices.length;
    expect((await runHere(SCRIPT, [], env)).code).toBe(0);
    expect(venue.notices.length).toBe(before);
    const later = await runHere(SCRIPT, ['2031-01-01'], env);
    expect(later.output).toBe('Replayed 0 stored events of 0 customers.\n');
  });
});

test('what could not be replayed is reported and stays open', async () => {
  const venue = await openVenue();
  const user = await memberWithEvents(venue);
  await venue.db.update(stripe_event).set({ processed_at: null });
  await venue.control('fail-next', { path: '/v1/', method: 'GET', kind: 'status', times: 3 });
  await withAdminSocket(venue, async (env) => {
    const { code, output } = await runHere(SCRIPT, [], env);
    expect(code).toBe(1);
    expect(output).toContain('1 could not be brought up to date');
  });
  expect(await venue.db.$count(stripe_event, isNull(stripe_event.processed_at))).toBeGreaterThan(0);
  expect(await venue.db.$count(billing_subscription, eq(billing_subscription.user_id, user))).toBe(1);
});

test.each([
  [['yesterday-ish'], 2, 'Usage'],
  [['2026-01-01', 'more'], 2, 'Usage'],
  [[], 1, 'No server is running'],
])('stripe:replay %j without a server exits with %i', async (args, expected, says) => {
  const folder = dataFolder();
  const { code, output } = await runHere(SCRIPT, args, { DATA_DIR: folder.path });
  folder.remove();
  expect(code).toBe(expected);
  expect(output).toContain(says);
});
