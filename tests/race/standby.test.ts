import { sql } from 'drizzle-orm';
import { afterEach, expect, it, vi } from 'vitest';
import { claimStripeMode } from '../../src/server/db/claim-stripe-mode.ts';
import { openPostgres } from '../../src/server/db/client.ts';
import { openReplica } from '../../src/server/db/replica.ts';
import { rowsOf } from '../../src/server/db/results.ts';
import { brokenIndexes } from '../../torture/invariants.ts';
import { Journal, wrongInBooks } from '../../torture/journal.ts';
import { randomFrom } from '../../torture/options.ts';
import { openBar } from '../../torture/people/bartenders.ts';
import { ORIGIN, signedIn } from '../../torture/people/client.ts';
import { PASSWORD, STAFF, seedVenue } from '../../torture/people/venue.ts';
import { openQuery, startCluster } from '../../torture/servers/cluster.ts';
import { startStandby } from '../../torture/servers/standby.ts';
import { createTestApp } from '../support/harness/app.ts';
import { testClock } from '../support/harness/clock.ts';
import { tcpProxy } from '../support/harness/tcp-proxy.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function startPair() {
  const primary = await startCluster();
  closing.push(primary.remove);
  const database = await openPostgres(primary.url);
  closing.push(database.close);
  const standby = await startStandby(primary);
  closing.push(standby.remove);
  return { primary, standby, database };
}

it('a standby is no database to start on; reads that may lag go there, and to the primary while it is stopped', {
  timeout: 60_000,
}, async () => {
  const { standby, database } = await startPair();
  await expect(openPostgres(standby.url)).rejects.toThrow('is on a standby, which only reads');
  const replica = openReplica(database.db, standby.url, { maxLagSeconds: 1, checkEveryMs: 3_600_000 });
  closing.push(replica.close);
  const onStandby = await openQuery(standby.url);
  closing.push(onStandby.close);
  const readsStandby = async () => {
    await replica.check();
    const [row] = await replica.read((db) =>
      rowsOf<{ standby: boolean }>(db, sql`select pg_is_in_recovery() as standby`),
    );
    return row?.standby;
  };
  await expect.poll(readsStandby).toBe(true);
  await onStandby.query('select pg_wal_replay_pause()');
  await expect.poll(readsStandby).toBe(false);
  await onStandby.query('select pg_wal_replay_resume()');
  await expect.poll(readsStandby).toBe(true);
});

it('when the primary dies at the bar, its synchronous standby has every acknowledged pour', {
  timeout: 60_000,
}, async () => {
  // The auth library and the pool report errors here.
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const { primary, standby, database } = await startPair();
  const seeded = await seedVenue(database.db, { thirsty: 30, modest: 10 });
  const clock = testClock(new Date());
  await claimStripeMode(database.db, 'demo', clock.now());
  const admin = await openQuery(primary.url);
  await admin.query(`alter system set synchronous_standby_names = 'standby'`);
  await admin.query('select pg_reload_conf()');
  const waits = async () => (await admin.query('select sync_state from pg_stat_replication'))[0]?.sync_state;
  await expect.poll(waits).toBe('sync');
  await admin.close();
  const proxy = await tcpProxy(primary.url);
  closing.push(proxy.close);
  const app = await createTestApp({
    database: await openPostgres(proxy.url, { stripeMode: 'demo' }),
    publicUrl: ORIGIN,
    trustProxy: true,
    clock,
  });
  closing.push(app.close);
  const journal = new Journal();
  const bar = openBar({
    staff: await signedIn(app.url, STAFF, PASSWORD, '10.0.0.1'),
    servers: [app.url],
    seeded,
    journal,
    random: randomFrom(1),
    bartenders: 6,
  });
  const acknowledged = () => journal.acknowledged().length;
  await expect.poll(acknowledged).toBeGreaterThan(20);
  await primary.kill();
  const before = acknowledged();
  await standby.promote();
  proxy.leadTo(standby.url);
  await expect.poll(acknowledged).toBeGreaterThan(before + 20);
  await bar.close();
  const { query, close } = await openQuery(standby.url);
  closing.push(close);
  expect([...(await wrongInBooks(journal, query)), ...(await brokenIndexes(query))]).toEqual([]);
});
