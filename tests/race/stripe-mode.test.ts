import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { leaveTestMode } from '../../src/server/billing/upkeep/leave-test-mode.ts';
import { claimStripeMode } from '../../src/server/db/claim-stripe-mode.ts';
import { type Db, openPostgres } from '../../src/server/db/client.ts';
import { rowsOf } from '../../src/server/db/results.ts';
import { stripe_event } from '../../src/server/db/schema.ts';
import { createDatabase } from '../support/harness/postgres.ts';

let database: Awaited<ReturnType<typeof createDatabase>>;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

const NOW = new Date('2026-06-01T12:00:00Z');
const event = (id: number) => ({ id: `evt_${id}`, type: 'invoice.paid', created_at: NOW, received_at: NOW });
const leave = (db: Db) => leaveTestMode({ db, now: () => NOW, venue: { time_zone: 'UTC' } });

/** The number of connections to this database waiting for a lock. */
async function waiting(db: Db): Promise<number> {
  const rows = await rowsOf(
    db,
    sql`select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows.length;
}

test('every connection of a server writes in its mode, until the database has left it', async () => {
  const old = await openPostgres(database.url, { stripeMode: 'test' });
  const operator = await openPostgres(database.url);
  try {
    await claimStripeMode(old.db, 'test', NOW);
    const events = Array.from({ length: 20 }, (_, id) => event(id));
    await Promise.all(events.map((it) => old.db.insert(stripe_event).values(it)));
    await expect(operator.db.insert(stripe_event).values(event(20))).rejects.toThrow();

    // One row is being written when the operator begins: leaving waits for it and includes it.
    const { promise: written, resolve: isWritten } = Promise.withResolvers<void>();
    const { promise: mayCommit, resolve: commit } = Promise.withResolvers<void>();
    const late = old.db.transaction(async (tx) => {
      await tx.insert(stripe_event).values(event(21));
      isWritten();
      await mayCommit;
    });
    await written;
    let hasLeft = false;
    const leaving = leave(operator.db).then(() => {
      hasLeft = true;
    });
    await expect.poll(() => waiting(operator.db)).toBe(1);
    expect(hasLeft).toBe(false);
    commit();
    await Promise.all([late, leaving]);
    expect(await operator.db.$count(stripe_event)).toBe(0);
    await expect(old.db.insert(stripe_event).values(event(22))).rejects.toThrow();

    const next = await openPostgres(database.url, { stripeMode: 'live' });
    await claimStripeMode(next.db, 'live', NOW);
    await next.db.insert(stripe_event).values(event(23));
    await next.close();
    await expect(old.db.insert(stripe_event).values(event(24))).rejects.toThrow();
  } finally {
    await old.close();
    await operator.close();
  }
});
