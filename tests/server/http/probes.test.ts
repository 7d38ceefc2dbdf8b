import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/pg-proxy';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { rowsOf } from '../../../src/server/db/results.ts';
import { openListener } from '../../../src/server/http/listener.ts';
import { onPublicHost } from '../../../src/server/http/public-host.ts';
import { createReadiness } from '../../../src/server/monitoring/readiness.ts';
import { createTestApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
const observed: unknown[] = [];
beforeEach(async () => {
  observed.length = 0;
  app = await createTestApp({ instruments: { observe: (it) => void observed.push(it) } });
});
afterEach(() => app.close());

const probe = async (path: string, url = app.url) => {
  const response = await fetch(url + path);
  return { status: response.status, body: (await response.json()) as object };
};

/** Runs the task like main.ts. */
const deliver = () =>
  app.services.taskRuns.track('deliveries', () => app.services.deliveries.deliver('email'));

const enqueue = () =>
  app.services.outbox.enqueue(
    app.services.db,
    'a cause',
    { user_id: null, email: 'guest@example.test' },
    { subject: 'Hello', text: 'Text', html: '' },
  );

it('a server whose database has its version is alive and ready; probes are neither counted nor logged', async () => {
  expect(await probe('/healthz')).toEqual({ status: 200, body: { status: 'ok' } });
  expect(await probe('/readyz')).toEqual({
    status: 200,
    body: {
      status: 'ready',
      checks: { server: 'ok', database: 'ok', migrations: 'ok', outbox: 'ok' },
    },
  });
  expect(observed).toEqual([]);
  expect(app.logged).toEqual([]);
});

it('a database that lacks a migration or whose functions another version wrote makes it not ready', async () => {
  const { db } = app.services;
  const migrations = async () => (await createReadiness(app.services).check()).checks.migrations;
  const rows = await rowsOf<{ id: number; hash: string; created_at: string }>(
    db,
    sql`select id, hash, created_at from drizzle.__drizzle_migrations order by id`,
  );
  const last = rows.at(-1);
  const wrong = 'those of another version';
  await db.execute(sql`delete from drizzle.__drizzle_migrations where id = ${last?.id}`);
  expect(await migrations()).toBe(wrong);
  // As many as ours, with another one at the end.
  await db.execute(
    sql`insert into drizzle.__drizzle_migrations (id, hash, created_at) values (${last?.id}, 'of a branch', ${last?.created_at})`,
  );
  expect(await migrations()).toBe(wrong);
  await db.execute(sql`update drizzle.__drizzle_migrations set hash = ${last?.hash} where id = ${last?.id}`);
  expect(await migrations()).toBe('ok');

  const name = 'record-pour.sql';
  const sha256 = (it: string) =>
    rowsOf<{ before: string }>(
      db,
      sql`update schema_functions as changed set sha256 = ${it} from schema_functions as before
            where changed.name = ${name} and before.name = ${name} returning before.sha256 as before`,
    );
  const [applied] = await sha256('of another text');
  expect(await migrations()).toBe(wrong);
  await sha256(applied?.before ?? '');
  expect(await migrations()).toBe('ok');
});

it('a database that a newer version has migrated makes it not ready, while it stays alive', async () => {
  await app.services.db.execute(sql`
    insert into drizzle.__drizzle_migrations (hash, created_at) values ('of tomorrow', 9999999999999)`);
  try {
    expect(await probe('/readyz')).toMatchObject({
      status: 503,
      body: { status: 'not ready', checks: { migrations: 'those of another version' } },
    });
    expect((await probe('/healthz')).status).toBe(200);
  } finally {
    await app.services.db.execute(sql`delete from drizzle.__drizzle_migrations where hash = 'of tomorrow'`);
  }
});

it('emails that no process tries to deliver for ten minutes make it not ready; a failing mail server does not', async () => {
  await enqueue();
  await app.sandbox.close();
  app.clock.advance({ minutes: 11 });
  expect(await probe('/readyz')).toMatchObject({
    status: 503,
    body: { checks: { outbox: 'emails are due and nothing delivers them' } },
  });
  const fresh = createReadiness(app.services);
  expect(await deliver()).toEqual({ sent: 0, failed: 1 });
  expect(await fresh.check()).toMatchObject({ ready: true });
});

it('a silent database is reported within the time limit, however many probes there are', async () => {
  let asked = 0;
  const db = drizzle(() => new Promise<never>(() => void asked++)) as unknown as TestApp['services']['db'];
  const readiness = createReadiness({ ...app.services, db }, 20);
  const reports = await Promise.all(Array.from({ length: 20 }, () => readiness.check()));
  expect(new Set(reports.map((it) => JSON.stringify(it)))).toEqual(
    new Set([JSON.stringify({ ready: false, checks: { server: 'ok', database: 'does not answer' } })]),
  );
  expect(asked).toBe(2);
});

it('a server is not ready while it shuts down', async () => {
  app.readiness.shutDown();
  expect(await probe('/readyz')).toEqual({
    status: 503,
    body: { status: 'not ready', checks: { server: 'shutting down' } },
  });
});

it('a server is alive but not ready while it starts, and other requests wait', async () => {
  const listener = await openListener({ PORT: 0, HOST: 'localhost' });
  try {
    const url = `http://localhost:${listener.port}`;
    const waiting = fetch(`${url}/login`);
    expect((await probe('/healthz', url)).status).toBe(200);
    expect(await probe('/readyz', url)).toEqual({
      status: 503,
      body: { status: 'not ready', checks: { server: 'starting' } },
    });
    listener.open(async () => new Response('open'));
    expect(await (await waiting).text()).toBe('open');
    expect(await (await fetch(`${url}/readyz`)).text()).toBe('open');
  } finally {
    await listener.close();
  }
});

it('a probe by IP is answered, where a page would be redirected to the public URL', async () => {
  const lead = onPublicHost(async () => new Response('here'), 'https://club.example');
  const ask = async (path: string) =>
    // @ts-expect-error: it hands the bindings on, and this test's server reads none.
    (await lead(new Request(`https://10.0.0.7${path}`), {})) as Response;
  expect(await (await ask('/healthz')).text()).toBe('here');
  expect(await (await ask('/readyz')).text()).toBe('here');
  expect((await ask('/login')).headers.get('location')).toBe('https://club.example/login');
});
