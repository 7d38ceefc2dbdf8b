import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { rowsOf } from '../../src/server/db/results.ts';
import type { Query } from '../../torture/invariants.ts';
import { Journal, wrongInBooks } from '../../torture/journal.ts';
import { randomFrom } from '../../torture/options.ts';
import { openBar } from '../../torture/people/bartenders.ts';
import { cardMember } from '../../torture/people/card-members.ts';
import { type Client, ORIGIN, signedIn } from '../../torture/people/client.ts';
import { type Arena, partnersOf } from '../../torture/people/sharing.ts';
import { PASSWORD, type Seeded, STAFF, seedVenue } from '../../torture/people/venue.ts';
import { attempts, control } from '../../torture/scenarios/race.ts';
import { openQuery } from '../../torture/servers/cluster.ts';
import { createTestApp, type TestApp } from '../support/harness/app.ts';
import { testClock } from '../support/harness/clock.ts';
import { createDatabase } from '../support/harness/postgres.ts';

const random = randomFrom(1);
let database: Awaited<ReturnType<typeof createDatabase>>;
let apps: TestApp[];
let seeded: Seeded;
let staff: Client;
let journal: Journal;
let servers: string[];
const query: Query = (statement) => rowsOf(apps[0]!.services.db, sql.raw(statement));

beforeAll(async () => {
  database = await createDatabase();
  // The bartenders' clock is the machine's.
  const options = {
    databaseUrl: database.url,
    publicUrl: ORIGIN,
    trustProxy: true,
    clock: testClock(new Date()),
  };
  const first = await createTestApp(options);
  apps = [first, await createTestApp({ ...options, sandbox: first.sandbox })];
  servers = apps.map(({ url }) => url);
  seeded = await seedVenue(first.services.db, { thirsty: 5, modest: 10, people: 4, applications: 6 });
  staff = await signedIn(first.url, STAFF, PASSWORD, '10.0.0.1');
  journal = new Journal();
});
afterAll(async () => {
  for (const app of apps.toReversed()) await app.close();
  await database.drop();
});

async function books(): Promise<string[]> {
  // A start would record this; a test app has no Stripe mode.
  await query(`insert into stripe_mode (mode, since) values ('demo', now()) on conflict do nothing`);
  return wrongInBooks(journal, query);
}

it('50 attempts of every kind at once on two servers break no invariant', {
  timeout: 90_000,
}, async () => {
  const { sandbox, clock } = apps[0]!;
  const members = [];
  for (const [nth, person] of seeded.people.slice(0, 2).entries())
    members.push(await cardMember(servers[0]!, sandbox, person, nth + 3));
  const partners = await partnersOf(servers[0]!, seeded.people.slice(2));
  const arena: Arena = { servers, staff, seeded, members, partners, journal, random, sandbox };
  const made = await attempts(
    arena,
    { rounds: 50, seconds: 30 },
    () => undefined,
    async () => {
      // A call that waits for two steps stays within the week by which servers' clocks may differ (ledger_instant).
      clock.advance({ days: 3 });
      await control(sandbox, 'clock', { advance: 0 });
    },
  );
  await control(sandbox, 'webhooks/idle', {});
  expect(await books()).toEqual([]);
  expect(made.get('pour recorded')).toBeGreaterThan(5);
  expect(made.get('void')).toBeGreaterThan(0);
  expect(made.get('review done')).toBeGreaterThan(0);
});

it('pours whose connections are killed under them are neither lost nor doubled', async () => {
  // The auth library reports errors here.
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  // A separate connection, because a server's may have just been killed.
  const killer = await openQuery(database.url);
  onTestFinished(killer.close);
  const bar = openBar({ staff, servers, seeded, journal, random, bartenders: 6 });
  for (let kill = 0; kill < 5; kill++) {
    const before = journal.acknowledged().length;
    await expect.poll(() => journal.acknowledged().length).toBeGreaterThan(before);
    await killer.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`,
    );
  }
  await bar.close();
  expect(await books()).toEqual([]);
});
