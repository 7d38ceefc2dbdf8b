import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { AuditEntry } from '../../../src/contract/staff/audit.ts';
import {
  billing_subscription,
  customers,
  memberships,
  profiles,
  sessions,
} from '../../../src/server/db/schema.ts';
import { retainAccounts } from '../../../src/server/privacy/retention-task.ts';
import { mailsTo } from '../../support/fixtures/emails.ts';
import { applied, cardMember, venueMember } from '../../support/fixtures/members.ts';
import { createTestApp, PASSWORD, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

// docs/rules/accounts.md, "Personal data". The clock starts on June 15, 2026.

let app: TestApp;
let staff: Caller;
beforeAll(async () => {
  app = await createTestApp();
  staff = await app.staff();
});
afterAll(() => app.close());
beforeEach(() => app.clock.set('2026-06-15T12:00:00Z'));

const run = () => retainAccounts(app.services);
const keepFor = async (retention_months: number) => {
  const { version } = await staff.must<{ version: number }>('GET', '/api/club-settings');
  await staff.must('PATCH', '/api/club-settings', { version, changes: { retention_months } });
};
const profileOf = async ({ id }: { id: string }) => {
  const [row] = await app.services.db.select().from(profiles).where(eq(profiles.id, id));
  return row;
};
/** Moves everything that says when an account was used, and ends its sessions, as they do after 90 days. */
async function unusedSince({ id }: { id: string }, day: string): Promise<void> {
  const { db } = app.services;
  const at = new Date(`${day}T12:00:00Z`);
  await db.delete(sessions).where(eq(sessions.userId, id));
  await db.update(profiles).set({ createdAt: at, last_sign_in_at: at }).where(eq(profiles.id, id));
}
async function unusedAccount(day = '2024-06-01') {
  const caller = await app.customer();
  const { email } = (await profileOf(caller)) ?? { email: '' };
  await unusedSince(caller, day);
  return { caller, email };
}
const subjects = async (email: string) => (await mailsTo(app, email)).map(({ subject }) => subject);
const control = (path: string, body: object = {}) =>
  fetch(`${app.sandbox.url}/_sandbox/${path}`, { method: 'POST', body: JSON.stringify(body) });
const NOTICE = 'Your account will be deleted on July 15, 2026 · Test Cellar';

it('an account unused for the months that the club set gets one email, and goes 30 days later', async () => {
  const { caller, email } = await unusedAccount();
  const recent = await unusedAccount('2024-06-20');
  await run();
  expect((await profileOf(caller))?.retention_notice_at).toBeNull();

  await keepFor(24);
  await run();
  await run();
  expect(await subjects(email)).toEqual([NOTICE]);
  expect(await subjects(recent.email)).toEqual([]);
  app.clock.advance({ days: 29 });
  await run();
  expect(await profileOf(caller)).toBeDefined();
  app.clock.advance({ days: 1 });
  await run();
  expect(await profileOf(caller)).toBeUndefined();
  expect(await subjects(email)).toEqual(
    expect.arrayContaining([NOTICE, 'Your account was deleted · Test Cellar']),
  );
  const { entries } = await staff.must<{ entries: AuditEntry[] }>('GET', '/api/audit?who=automatic');
  expect(entries).toMatchObject([
    { act: 'unused_account_deleted', actor: null, device: 'Automatic', subject: { user_id: caller.id } },
  ]);
  expect(app.logged.filter((line) => line.includes('unused accounts')).join()).not.toContain(caller.id);
  const text = await staff.must<{ entries: AuditEntry[] }>('GET', '/api/audit?who=command_line');
  expect(text.entries.some(({ act }) => act === 'unused_account_deleted')).toBe(false);
});

it('a sign-in after the email keeps the account, and so does use of a session', async () => {
  await keepFor(24);
  const [returned, kept] = [await unusedAccount(), await unusedAccount()];
  await run();
  app.clock.advance({ days: 20 });
  await app.visitor().must('POST', '/api/auth/sign-in', { email: returned.email, password: PASSWORD });
  expect((await profileOf(returned.caller))?.last_sign_in_at).toEqual(app.clock.now());
  await app.services.db.delete(sessions).where(eq(sessions.userId, returned.caller.id));
  // A session that began before the email and is still in use.
  await app.visitor().must('POST', '/api/auth/sign-in', { email: kept.email, password: PASSWORD });
  await unusedUntil(kept.caller);
  app.clock.advance({ days: 20 });
  await run();
  expect(await profileOf(returned.caller)).toMatchObject({ erased_at: null });
  expect(await profileOf(kept.caller)).toMatchObject({ erased_at: null });
});

/** The last sign-in was long ago; the session was used now. */
async function unusedUntil({ id }: { id: string }): Promise<void> {
  const { db, now } = app.services;
  const long = new Date('2024-06-01T12:00:00Z');
  await db.update(profiles).set({ last_sign_in_at: long }).where(eq(profiles.id, id));
  await db.update(sessions).set({ updatedAt: now() }).where(eq(sessions.userId, id));
}

it('staff, members and those who wait for an answer get no email, however long they have been away', async () => {
  await keepFor(6);
  const colleague = await app.staff();
  const [atVenue, byCard] = [await venueMember(app, staff), await cardMember(app)];
  const applicant = await app.customer();
  await applied(applicant);
  const untouched = [colleague, atVenue.caller, byCard.caller, applicant];
  for (const caller of untouched) await unusedSince(caller, '2020-01-01');
  await run();
  for (const caller of untouched) expect((await profileOf(caller))?.retention_notice_at).toBeNull();

  // The end of a membership counts like a sign-in.
  const { db } = app.services;
  const end = async (end_date: string) => {
    await db
      .update(memberships)
      .set({ status: 'ended', end_date })
      .where(eq(memberships.customer_id, atVenue.customer_id));
    await db.update(customers).set({ status: 'inactive' }).where(eq(customers.id, atVenue.customer_id));
  };
  await end('2026-01-01');
  await run();
  expect((await profileOf(atVenue.caller))?.retention_notice_at).toBeNull();
  await end('2025-12-01');
  await run();
  expect((await profileOf(atVenue.caller))?.retention_notice_at).toEqual(app.clock.now());
  // The ledger's row stays without a name.
  app.clock.advance({ days: 30 });
  await run();
  expect(await profileOf(atVenue.caller)).toMatchObject({
    first_name: 'Former',
    last_sign_in_at: null,
    retention_notice_at: null,
  });
});

it('a deletion that Stripe does not answer leaves the account for the next day', async () => {
  await keepFor(6);
  const { db } = app.services;
  const { caller, customer_id } = await cardMember(app);
  const [paid] = await db
    .select()
    .from(billing_subscription)
    .where(eq(billing_subscription.user_id, caller.id));
  await fetch(`${app.sandbox.url}/v1/subscriptions/${paid?.stripe_subscription_id}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${app.sandbox.stripeSecretKey}` },
  });
  await control('webhooks/idle');
  await unusedSince(caller, '2020-01-01');
  await db
    .update(memberships)
    .set({ end_date: '2020-02-01' })
    .where(and(eq(memberships.customer_id, customer_id), eq(memberships.status, 'ended')));
  await run();
  expect((await profileOf(caller))?.retention_notice_at).toEqual(app.clock.now());

  app.clock.advance({ days: 30 });
  await control('fail-next', { path: '/v1/customers/', method: 'DELETE', status: 500 });
  await run();
  expect(await profileOf(caller)).toMatchObject({ first_name: 'Ada', erased_at: null });
  app.clock.advance({ days: 1 });
  await run();
  expect(await profileOf(caller)).toMatchObject({ first_name: 'Former' });
});

it('a club sets 0, or 6 to 120 months', async () => {
  const { version } = await staff.must<{ version: number }>('GET', '/api/club-settings');
  for (const retention_months of [1, 5, 121, -1]) {
    const answer = await staff.call('PATCH', '/api/club-settings', {
      version,
      changes: { retention_months },
    });
    expect([retention_months, answer.status]).toEqual([retention_months, 400]);
  }
  await keepFor(0);
});
