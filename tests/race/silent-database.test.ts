import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { pours } from '../../src/server/db/schema.ts';
import { aRequestId, pour, venueMember } from '../support/fixtures/members.ts';
import { createTestApp, type TestApp } from '../support/harness/app.ts';
import type { Caller } from '../support/harness/caller.ts';
import { createDatabase } from '../support/harness/postgres.ts';
import { type TcpProxy, tcpProxy } from '../support/harness/tcp-proxy.ts';

/** Shorter than in production, in the same proportions. In milliseconds. */
const poolLimits = { connect: 400, query: 500, close: 250 };

let database: Awaited<ReturnType<typeof createDatabase>>;
let proxy: TcpProxy;
let app: TestApp;
let staff: Caller;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  proxy = await tcpProxy(database.url);
  app = await createTestApp({ databaseUrl: proxy.url, poolLimits });
  staff = await app.staff();
});
afterEach(async () => {
  await app.close();
  await proxy.close();
});

/** Opens several connections of the pool, so that more than one can fall silent. */
const fillPool = () => Promise.all(Array.from({ length: 8 }, () => staff.must('GET', '/api/customers')));

it('after its connections fall silent, the first calls get 503, and the next ones succeed', async () => {
  const { customer_id } = await venueMember(app, staff);
  await fillPool();
  proxy.silence();
  const request_id = aRequestId();
  const first = await pour(staff, customer_id, { request_id });
  expect([first.status, first.body.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
  expect(first.headers.get('retry-after')).toBe('5');

  // The other connections died unused: no caller waits for each of them in turn.
  const second = await pour(staff, customer_id, { request_id });
  expect(second.status).toBe(201);
  expect(await app.services.db.select().from(pours)).toHaveLength(1);
});

it('a database that accepts connections but never answers means 503 for every call, until it answers', async () => {
  const { customer_id } = await venueMember(app, staff);
  proxy.swallowNew(true);
  proxy.silence();
  const answers = await Promise.all(Array.from({ length: 5 }, () => pour(staff, customer_id)));
  expect(answers.map(({ status }) => status)).toEqual([503, 503, 503, 503, 503]);
  expect((await app.visitor().call('GET', '/api/session')).status).toBe(200);
  proxy.swallowNew(false);
  expect((await pour(staff, customer_id)).status).toBe(201);
});

it('closes even though nothing answers any more', { timeout: 10_000 }, async () => {
  const closing = await createTestApp({ databaseUrl: proxy.url, poolLimits });
  const caller = await closing.staff();
  proxy.silence();
  const unanswered = caller.call('GET', '/api/customers').catch(() => null);
  await closing.close();
  await unanswered;
});
