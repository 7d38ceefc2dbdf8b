import { afterAll, beforeAll, expect, it } from 'vitest';
import { createMetrics, type Metrics } from '../../../src/server/monitoring/metrics.ts';
import { openMetricsListener } from '../../../src/server/monitoring/metrics-listener.ts';
import { aRequestId, cardMember, pour, venueMember } from '../../support/fixtures/members.ts';
import { createTestApp, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';
import { openStream } from '../../support/harness/stream.ts';

let metrics: Metrics;
let app: TestApp;
let staff: Caller;
beforeAll(async () => {
  metrics = await createMetrics();
  app = await createTestApp({ instruments: { observe: metrics.observe } });
  metrics.watch(app.gauges);
  staff = await app.staff();
});
afterAll(() => app.close());

/** The values of lines with that start. */
const series = async (start: string) =>
  (await metrics.text())
    .split('\n')
    .filter((line) => line.startsWith(`cellar_door_${start}`))
    .map((line) => Number(line.slice(line.lastIndexOf(' '))));
const metric = async (line: string) => (await series(`${line} `))[0];

it('pours are counted once: recorded, repeated, refused by reason and voided', async () => {
  const { customer_id } = await venueMember(app, staff);
  const request_id = aRequestId();
  const { body } = await pour(staff, customer_id, { request_id, quantity: 2 });
  await pour(staff, customer_id, { request_id, quantity: 2 });
  await pour(staff, customer_id, { quantity: 10 });
  const { id } = body.pour as { id: string };
  await staff.must('POST', `/api/pours/${id}/void`, {});
  await staff.must('POST', `/api/pours/${id}/void`, {});
  expect({
    recorded: await metric('pours_recorded_total'),
    glasses: await metric('glasses_poured_total'),
    repeated: await metric('pours_repeated_total'),
    refused: await metric('pours_refused_total{reason="POURS_EXCEEDED"}'),
    voided: await metric('pours_voided_total'),
  }).toEqual({ recorded: 1, glasses: 2, repeated: 1, refused: 1, voided: 1 });
});

it('requests are labeled by call and status, never by path', async () => {
  await staff.call('GET', '/api/tiers/select');
  await staff.call('GET', '/api/tiers/no-such-tier');
  await staff.call('GET', '/api/no-such-call/7');
  await staff.raw('GET', '/no/such/page');
  await app.visitor().call('GET', '/api/session');
  const count = (call: string, status: number) =>
    metric(`request_duration_seconds_count{call="${call}",status="${status}"}`);
  expect(await count('tiers.get', 200)).toBe(1);
  expect(await count('tiers.get', 404)).toBe(1);
  expect(await count('unknown', 404)).toBe(1);
  expect(await count('web', 404)).toBe(1);
  expect(await count('/api/session', 200)).toBeGreaterThan(0);
});

it('a membership by card shows as webhooks, their lag, and requests to Stripe', async () => {
  await cardMember(app);
  await fetch(`${app.sandbox.url}/_sandbox/webhooks/idle`, { method: 'POST', body: '{}' });
  expect(await metric('webhook_events_total{event="invoice.paid",outcome="done"}')).toBeGreaterThan(0);
  expect(await metric('webhook_event_lag_seconds_count')).toBeGreaterThan(0);
  expect(
    await metric('outgoing_request_duration_seconds_count{service="stripe",outcome="ok"}'),
  ).toBeGreaterThan(0);
  await app.visitor().call('POST', '/api/stripe/webhook', {});
  expect(await metric('webhook_events_total{event="other",outcome="refused"}')).toBe(1);
});

it('queues are read at each scrape: emails, streams, tasks', async () => {
  const member = await app.customer({ email: 'member@example.test' });
  const stream = await openStream(member);
  const before = await metric('outbox_emails{state="new"}');
  await member.must('POST', '/api/auth/recover', { email: 'nobody@example.test' });
  expect(await metric('outbox_emails{state="new"}')).toBe(before);
  await member.must('POST', '/api/auth/recover', { email: 'member@example.test' });
  await app.services.taskRuns.track('billing sweep', async () => undefined);
  await app.services.taskRuns
    .track('reminders', () => Promise.reject(new Error('no')))
    .catch(() => undefined);
  expect(await metric('live_streams')).toBe(1);
  expect(await metric('outbox_emails{state="new"}')).toBe((before ?? Number.NaN) + 1);
  expect(await metric('database_up')).toBe(1);
  expect(await metric('task_last_success_timestamp_seconds{task="billing sweep"}')).toBe(
    app.clock.now().getTime() / 1000,
  );
  expect(await metric('task_failures{task="reminders"}')).toBe(1);
  for (const name of ['billing_queue_depth', 'password_hashes_waiting', 'pool_waiting']) {
    expect(await metric(name), name).toBe(0);
  }
  await stream.close();
});

it('no label has a personal name, address, id or path, and there are few labels', async () => {
  const text = await metrics.text();
  expect(text).not.toMatch(/@|\b[0-9a-f]{8}-[0-9a-f]{4}-|cus_|sub_|evt_|Guest/);
  const lines = text.split('\n').filter((line) => line.startsWith('cellar_door_'));
  expect(lines.length).toBeLessThan(2000);
});

it('if the database does not answer, a scrape says so, and shows no old numbers', async () => {
  const alone = await createMetrics({ processDefaults: false });
  alone.watch({ ...app.gauges, readEmails: () => Promise.reject(new Error('away')) });
  const text = await alone.text();
  expect(text).toContain('cellar_door_database_up 0');
  expect(text).toContain('cellar_door_outbox_oldest_age_seconds Nan');
});

it('Prometheus has a port of its own, which serves one path only', async () => {
  const listener = await openMetricsListener({ port: 0, host: '127.0.0.1' }, metrics);
  try {
    const url = `http://127.0.0.1:${listener.port}`;
    const scrape = await fetch(`${url}/metrics`);
    expect(scrape.headers.get('content-type')).toContain('version=0.0.4');
    expect(await scrape.text()).toContain('nodejs_eventloop_lag_p99_seconds');
    expect((await fetch(`${url}/`)).status).toBe(404);
    expect((await fetch(`${url}/metrics`, { method: 'POST' })).status).toBe(404);
    expect((await fetch(`${app.url}/metrics`)).status).toBe(404);
  } finally {
    await listener.close();
  }
});
