import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { type Sandbox, startSandbox } from '../../sandbox/index.ts';
import { claimStripeMode } from '../../src/server/db/claim-stripe-mode.ts';
import { openPostgres } from '../../src/server/db/client.ts';
import type { Query } from '../../torture/invariants.ts';
import { Journal, wrongInBooks } from '../../torture/journal.ts';
import { randomFrom } from '../../torture/options.ts';
import { openBar } from '../../torture/people/bartenders.ts';
import { cardMember } from '../../torture/people/card-members.ts';
import { ORIGIN, signedIn } from '../../torture/people/client.ts';
import { PASSWORD, type Seeded, STAFF, seedVenue } from '../../torture/people/venue.ts';
import { FAULTS } from '../../torture/scenarios/fault-list.ts';
import { suffer } from '../../torture/scenarios/faults.ts';
import { BARTENDERS, type Stage } from '../../torture/scenarios/stage.ts';
import { openQuery } from '../../torture/servers/cluster.ts';
import { createTestApp, type TestApp } from '../support/harness/app.ts';
import { testClock } from '../support/harness/clock.ts';
import { createDatabase } from '../support/harness/postgres.ts';
import { type TcpProxy, tcpProxy } from '../support/harness/tcp-proxy.ts';

const random = randomFrom(1);
const journal = new Journal();
let database: Awaited<ReturnType<typeof createDatabase>>;
let sandbox: Sandbox;
let proxies: Record<'database' | 'payments' | 'mail' | 'model', TcpProxy>;
let app: TestApp;
let seeded: Seeded;
let inspector: Awaited<ReturnType<typeof openQuery>>;

beforeAll(async () => {
  const clock = testClock(new Date());
  database = await createDatabase();
  sandbox = await startSandbox({ port: 0, now: () => clock.now().getTime(), retryDelaysMs: [10, 10, 10] });
  proxies = {
    database: await tcpProxy(database.url),
    payments: await tcpProxy(sandbox.url),
    mail: await tcpProxy(sandbox.smtpUrl),
    model: await tcpProxy(sandbox.modelUrl),
  };
  app = await createTestApp({
    database: await openPostgres(proxies.database.url, { stripeMode: 'demo' }),
    publicUrl: ORIGIN,
    trustProxy: true,
    clock,
    sandbox: {
      ...sandbox,
      url: proxies.payments.url,
      smtpUrl: proxies.mail.url,
      modelUrl: proxies.model.url,
    },
  });
  seeded = await seedVenue(app.services.db, { thirsty: 20, modest: 10, people: 3 });
  await claimStripeMode(app.services.db, 'demo', clock.now());
  inspector = await openQuery(database.url);
});
beforeEach(() => {
  // The auth library and the pool report errors here.
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterAll(async () => {
  await inspector.close();
  await app.close();
  for (const proxy of Object.values(proxies)) await proxy.close();
  await sandbox.close();
  await database.drop();
});

const staff = () => signedIn(app.url, STAFF, PASSWORD, '10.0.0.1');
const books = (query: Query) => wrongInBooks(journal, query);

it.each([
  ['the database is away', 0],
  ['all connections to the database fall silent', 1],
  ['payments are away', 2],
])('%s, at the bar: it is reported as such, and passes by itself', { timeout: 60_000 }, async (name, nth) => {
  const fault = FAULTS.find((it) => it.name === name);
  const person = seeded.people[nth];
  if (!fault || !person) throw new Error(`There is no fault '${name}', or nobody to suffer it`);
  const bartender = await staff();
  const bar = openBar({
    staff: bartender,
    servers: [app.url],
    seeded,
    journal,
    random,
    bartenders: BARTENDERS,
    restMs: 50,
  });
  const stage: Stage = {
    ...proxies,
    server: { url: app.url, setClock: () => undefined },
    staff: bartender,
    member: await cardMember(app.url, sandbox, person, nth),
    seeded,
    query: inspector.query,
    acknowledged: () => journal.statuses.get(201) ?? 0,
  };
  const { violations } = await suffer(fault, stage);
  await bar.close();
  expect(violations).toEqual([]);
  expect(await books(inspector.query)).toEqual([]);
});
