import { afterEach, beforeEach, expect, it } from 'vitest';
import type { SystemStatus } from '../../../src/contract/system.ts';
import { sweep } from '../../../src/server/billing/upkeep/sweeper.ts';
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

/** The rows of System by their names. */
const rows = async () => {
  const { checks } = await staff.must<SystemStatus>('GET', '/api/system');
  return Object.fromEntries(checks.map((row) => [row.name, row]));
};

it('reports a new installation as healthy, and its backups as unknown if made elsewhere', async () => {
  const checks = await rows();
  expect(Object.fromEntries(Object.values(checks).map(({ name, health }) => [name, health]))).toEqual({
    Database: 'well',
    Payments: 'well',
    Webhooks: 'well',
    Email: 'well',
    Backup: 'unknown',
    Disk: expect.stringMatching(/^(well|attention|failing)$/),
    // The embedded database has no clock of its own, and Stripe was not asked yet.
    Clock: 'unknown',
    Unfinished: 'well',
    Version: null,
  });
  expect(checks.Version?.text).toBe(`Cellar Door 0.0.0-test on Node ${process.versions.node}.`);
  expect(checks.Payments?.text).toBe('Payments are a demo: no real money moves.');
  expect(checks.Disk?.text).toMatch(/^\d.* of \d.* are free\.$/);
});

it('has the last message from Stripe, the last answer, and the difference of the clocks', async () => {
  await cardMember(app);
  await fetch(`${app.sandbox.url}/_sandbox/webhooks/idle`, { method: 'POST', body: '{}' });
  app.clock.advance({ minutes: 4 });
  await app.services.taskRuns.track('billing sweep', () => sweep(app.services.billing));
  app.clock.advance({ minutes: 4 });
  const { Payments, Webhooks, Clock } = await rows();
  expect(Payments).toMatchObject({ health: 'well', facts: ['Last answer from Stripe: 8 minutes ago'] });
  expect(Webhooks).toMatchObject({ health: 'well', facts: ['Last message from Stripe: 8 minutes ago'] });
  // Tests run on a separate clock, far from Stripe's.
  expect(Clock?.text).toMatch(/^The server’s clock differs by .* from Stripe’s\.$/);
});

it('payments need attention from a request that Stripe does not answer until one that it does', async () => {
  const failing = `${app.sandbox.url}/_sandbox/fail-next`;
  await fetch(failing, { method: 'POST', body: JSON.stringify({ path: '/v1/', times: 100 }) });
  await staff.raw('POST', '/api/setup/payments-check', {});
  expect((await rows()).Payments).toMatchObject({
    health: 'attention',
    text: 'Payments are a demo: no real money moves. Stripe stopped answering just now.',
  });
  await fetch(failing, { method: 'DELETE' });
  await staff.raw('POST', '/api/setup/payments-check', {});
  expect((await rows()).Payments).toMatchObject({ health: 'well', next: null });
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
  const { Unfinished, Email, Payments } = await rows();
  expect(Unfinished).toMatchObject({
    health: 'attention',
    text: 'Not done yet: 1 message from Stripe, 1 email, 1 notice for staff.',
  });
  expect(Email).toMatchObject({
    health: 'attention',
    text: '1 email waits to be sent, 1 after a failed attempt.',
    facts: [expect.stringMatching(/^Sent from .*@/), 'Oldest: written 20 minutes ago'],
  });
  expect(Payments).toMatchObject({
    health: 'attention',
    text: expect.stringContaining('A message from Stripe'),
  });
});
