import { afterEach, beforeEach, expect, it } from 'vitest';
import type { SystemStatus } from '../../../src/contract/system.ts';
import { stripe_event } from '../../../src/server/db/schema.ts';
import { postStaffNotice } from '../../../src/server/membership/staff-notices.ts';
import { cardMember } from '../../support/fixtures/members.ts';
import { createTestApp, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

let app: TestApp;
let staff: Caller;
beforeEach(async () => {
  app = await createTestApp();
  staff = await app.staff();
});
afterEach(() => app.close());

const status = () => staff.must<SystemStatus>('GET', '/api/system');
const healths = async () => {
  const { at: _, version: __, alerts: ___, heartbeat, certificate, ...checks } = await status();
  expect([heartbeat, certificate]).toEqual([null, null]);
  return Object.fromEntries(Object.entries(checks).map(([name, { health }]) => [name, health]));
};

it('reports a new installation as healthy, and its backups as unknown if made elsewhere', async () => {
  expect(await healths()).toEqual({
    database: 'well',
    payments: 'well',
    email: 'well',
    backup: 'unknown',
    disk: expect.stringMatching(/^(well|attention|failing)$/),
    // Tests run on a separate clock, far from the database's.
    clock: 'failing',
    leftovers: 'well',
  });
  const { version, payments, disk } = await status();
  expect(version).toEqual({
    version: '0.0.0-test',
    newer: null,
    node: process.version,
    started_at: app.clock.now().toISOString(),
  });
  expect(payments).toMatchObject({ mode: 'demo', last_event_at: null, last_sweep_at: null });
  expect(disk.total_bytes).toBeGreaterThan(disk.free_bytes ?? Number.POSITIVE_INFINITY);
});

it('has the last message from Stripe, the last sweep, and the difference of the clocks', async () => {
  await cardMember(app);
  await fetch(`${app.sandbox.url}/_sandbox/webhooks/idle`, { method: 'POST', body: '{}' });
  const heard = app.clock.now().toISOString();
  app.clock.advance({ minutes: 4 });
  await app.services.taskRuns.track('billing sweep', app.services.billing.sweep);
  const { payments, clock } = await status();
  expect(payments).toEqual({
    health: 'well',
    mode: 'demo',
    last_event_at: heard,
    answered_at: heard,
    unanswered_since: null,
    last_sweep_at: app.clock.now().toISOString(),
    oldest_open_event_at: null,
  });
  expect(clock.database_skew_ms).not.toBeNull();
  expect(clock.stripe_skew_ms).not.toBeNull();
});

it('payments need attention from a request that Stripe does not answer until one that it does', async () => {
  const failing = `${app.sandbox.url}/_sandbox/fail-next`;
  await fetch(failing, { method: 'POST', body: JSON.stringify({ path: '/v1/', times: 100 }) });
  await staff.raw('POST', '/api/setup/payments-check', {});
  expect((await status()).payments).toMatchObject({
    health: 'attention',
    unanswered_since: app.clock.now().toISOString(),
  });
  await fetch(failing, { method: 'DELETE' });
  await staff.raw('POST', '/api/setup/payments-check', {});
  expect((await status()).payments).toMatchObject({ health: 'well', unanswered_since: null });
});

it('counts what is left to do: events, emails, notices', async () => {
  const at = app.clock.now();
  await app.services.db
    .insert(stripe_event)
    .values({ id: 'evt_1', type: 'invoice.paid', created_at: at, received_at: at });
  await postStaffNotice(app.services.db, {
    kind: 'customer_missing',
    facts: { stripe_customer_id: 'cus_1' },
    cause: 'customer_missing:cus_1',
    user_id: null,
    at,
  });
  await app.services.outbox.enqueue(
    app.services.db,
    'a cause',
    { user_id: null, email: 'guest@example.test' },
    { subject: 'Hello', text: 'Text', html: '' },
  );
  await app.sandbox.close();
  await app.services.deliveries.deliver('email');
  app.clock.advance({ minutes: 20 });
  const { leftovers, email, payments } = await status();
  expect(leftovers).toEqual({ health: 'attention', events: 1, emails: 1, refunds: 0, notices: 1 });
  expect(email).toEqual({
    health: 'attention',
    sends: true,
    from: expect.stringContaining('@'),
    own_address: true,
    waiting: 1,
    retrying: 1,
    oldest_at: at.toISOString(),
  });
  expect(payments).toMatchObject({ health: 'attention', oldest_open_event_at: at.toISOString() });
});
