import { and, eq, type SQL, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AuditEntry } from '../../../src/contract/staff/audit.ts';
import {
  billing_act,
  billing_payment,
  billing_refund,
  billing_reversal,
  billing_subscription,
  checkout_attempt,
  customers,
  gift_membership,
  household_seat,
  membership_applications,
  memberships,
  profiles,
  sessions,
  staff_notice,
} from '../../../src/server/db/schema.ts';
import { retainAccounts } from '../../../src/server/privacy/retention-task.ts';
import { mailsTo } from '../../support/fixtures/emails.ts';
import { shareWith } from '../../support/fixtures/household.ts';
import { applied, cardMember, venueMember } from '../../support/fixtures/members.ts';
import { createTestApp, EVENING, PASSWORD, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

// docs/rules/accounts.md, "Personal data". The clock starts on June 15, 2026.

let app: TestApp;
let staff: Caller;
beforeAll(async () => {
  app = await createTestApp();
  staff = await app.staff();
});
afterAll(() => app.close());
beforeEach(() => app.clock.set(EVENING));

const run = () => retainAccounts(app.services);
const keepFor = async (retention_months: number) => {
  const { version } = await staff.must<{ version: number }>('GET', '/api/club-settings');
  await staff.must('PATCH', '/api/club-settings', { version, changes: { retention_months } });
};
const profileOf = async ({ id }: { id: string }) => {
  const [row] = await app.services.db.select().from(profiles).where(eq(profiles.id, id));
  return row;
};
/** Makes that day the last on which an account was used, and deletes its sessions, which end after 90 days. */
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

it('the day on which an account becomes unused begins at midnight at the venue, and so does the day in the email', async () => {
  await keepFor(24);
  const { email } = await unusedAccount('2024-06-16');
  app.clock.set('2026-06-16T06:59:00Z');
  await run();
  expect(await subjects(email)).toEqual([]);
  app.clock.advance({ minutes: 1 });
  await run();
  expect(await subjects(email)).toEqual([expect.stringContaining('will be deleted on July 16, 2026')]);
});

it('an account that shared a membership is unused from the day at the venue on which that ended', async () => {
  await keepFor(6);
  const { caller, customer_id } = await shareWith(app, await venueMember(app, staff, 'household'));
  await unusedSince(caller, '2020-01-01');
  const endedAt = async (ended_at: Date) => {
    const own = eq(household_seat.customer_id, customer_id);
    await app.services.db.update(household_seat).set({ ended_at, ended_by: 'partner' }).where(own);
    await run();
    return (await profileOf(caller))?.retention_notice_at;
  };
  expect(await endedAt(new Date('2025-12-16T08:00:00Z'))).toBeNull();
  expect(await endedAt(new Date('2025-12-16T07:59:59Z'))).toEqual(app.clock.now());
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

/** Makes the last sign-in long ago, but the last use of the session now. */
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

describe('an account is in use, however long nobody signed in, while it has', () => {
  const db = () => app.services.db;
  const at = new Date('2020-01-01T12:00:00Z');
  const later = new Date('2020-02-01T12:00:00Z');
  let number = 0;
  const customerOf = async ({ id }: Caller) => {
    const row = { id: app.services.newId(), user_id: id, status: 'inactive' as const, tier: 'select' };
    await db()
      .insert(customers)
      .values({ ...row, member_since: '2019-01-01', created_at: at });
    return row.id;
  };
  const membershipOf = async (caller: Caller) => {
    const row = { id: app.services.newId(), customer_id: await customerOf(caller), tier: 'select' };
    const started = { status: 'active' as const, start_date: '2019-01-01', monthly_price_cents: 3900 };
    await db()
      .insert(memberships)
      .values({ ...row, ...started });
    return row.id;
  };
  const paymentOf = async ({ id }: Caller, dispute = {}) => {
    const stripe_invoice_id = `in_${++number}`;
    const paid = { status: 'paid', amount_paid_cents: 3900, currency: 'usd', created_at: at };
    const of = { stripe_invoice_id, user_id: id, stripe_subscription_id: `sub_${number}` };
    await db()
      .insert(billing_payment)
      .values({ ...of, ...paid, ...dispute });
    return stripe_invoice_id;
  };
  const giftOf = async ({ id }: Caller, changes: Partial<typeof gift_membership.$inferInsert>) => {
    const price = { monthly_price_cents: 3900, amount_cents: 11_700, currency: 'usd' };
    const times = { created_at: at, expires_at: later };
    const gift = {
      id: app.services.newId(),
      buyer_id: id,
      tier: 'select',
      months: 3,
      delivery: 'card' as const,
    };
    const rest = { tax_behavior: 'unspecified' as const, status: 'ordered' as const };
    await db()
      .insert(gift_membership)
      .values({ ...gift, ...price, ...times, ...rest, ...changes });
  };
  const paid = () => ({ paid_at: at, paid_cents: 11_700, stripe_payment_intent_id: `pi_${++number}` });
  const seat = async (partner: Caller, holder: Caller) => {
    const [customer_id, holder_id] = [await customerOf(partner), await customerOf(holder)];
    await db()
      .insert(household_seat)
      .values({ id: app.services.newId(), customer_id, holder_id, joined_at: at });
  };

  /** What keeps the account, and the statement that ends it. */
  const KEEPERS: [string, (caller: Caller) => Promise<unknown>, SQL][] = [
    ['a membership', membershipOf, sql`update memberships set status = 'ended', end_date = '2020-02-01'`],
    [
      'a place in a household',
      async (caller) => seat(caller, await app.customer()),
      sql`update household_seat set ended_at = '2020-02-01', ended_by = 'holder'`,
    ],
    [
      'someone in its household',
      async (caller) => seat(await app.customer(), caller),
      sql`update household_seat set ended_at = '2020-02-01', ended_by = 'holder'`,
    ],
    [
      'a subscription at Stripe',
      ({ id }) =>
        db()
          .insert(billing_subscription)
          .values({
            ...{ stripe_subscription_id: `sub_${++number}`, user_id: id, tier: 'select', status: 'past_due' },
            ...{ cancel_at_period_end: false, current_period_start: at, current_period_end: later },
            ...{ amount_cents: 3900, currency: 'usd', stripe_price_id: 'price_1', created_at: at },
            synced_at: at,
          }),
      sql`update billing_subscription set status = 'canceled'`,
    ],
    [
      'an open payment page',
      async (caller) => {
        await applied(caller);
        const [application] = await db()
          .update(membership_applications)
          .set({ status: 'rejected' })
          .where(eq(membership_applications.user_id, caller.id))
          .returning();
        const page = {
          id: app.services.newId(),
          user_id: caller.id,
          tier_name: 'select',
          amount_cents: 3900,
        };
        const times = { created_at: at, expires_at: later, application_id: application?.id ?? '' };
        await db()
          .insert(checkout_attempt)
          .values({ ...page, ...times, status: 'open' });
      },
      sql`update checkout_attempt set status = 'expired'`,
    ],
    [
      'an act on billing that is not done',
      ({ id }) =>
        db()
          .insert(billing_act)
          .values({
            ...{
              id: app.services.newId(),
              kind: 'price_move',
              user_id: id,
              cause: `c${++number}`,
              state: 'set',
            },
            ...{ stripe_subscription_id: `sub_${number}`, starts_at: at, asked_by: 'staff', created_at: at },
            terms: {
              ...{ from_tier: 'select', from_price_id: 'price_1', to_tier: 'select', to_price_id: null },
              ...{ to_amount_cents: 4900, currency: 'usd', stripe_schedule_id: null },
            },
          }),
      sql`update billing_act set state = 'done'`,
    ],
    [
      'a refund that is not done',
      async (caller) => {
        const stripe_invoice_id = await paymentOf(caller);
        const refund = { id: app.services.newId(), user_id: caller.id, stripe_invoice_id, amount_cents: 100 };
        const asked = { asked_by_staff_id: staff.id, status: 'asked' as const, created_at: at };
        await db()
          .insert(billing_refund)
          .values({ ...refund, ...asked, currency: 'usd' });
      },
      sql`update billing_refund set status = 'failed', settled_at = '2020-02-01'`,
    ],
    [
      'a payment that is being given back',
      ({ id }) =>
        db()
          .insert(billing_reversal)
          .values({
            ...{ stripe_subscription_id: `sub_${++number}`, user_id: id, reason: 'second_subscription' },
            ...{ refund_from: at, created_at: at },
          }),
      sql`update billing_reversal set done_at = '2020-02-01'`,
    ],
    [
      'an open dispute',
      (caller) =>
        paymentOf(caller, {
          ...{ stripe_dispute_id: `dp_${++number}`, dispute_state: 'open', dispute_cents: 3900 },
          disputed_at: at,
        }),
      sql`update billing_payment set dispute_state = 'won', dispute_settled_at = '2020-02-01' where dispute_state = 'open'`,
    ],
    [
      'a notice that staff have not dealt with',
      ({ id }) =>
        db()
          .insert(staff_notice)
          .values({
            ...{ kind: 'payment_unmatched', cause: `n${++number}`, user_id: id, created_at: at },
            facts: {
              ...{ amount_cents: 3900, currency: 'usd' },
              ...{ stripe_subscription_id: `sub_${number}`, product: 'Another' },
            },
          }),
      sql`update staff_notice set settled_at = '2020-02-01', settled_by_staff_id = (select user_id from user_roles where role = 'staff' limit 1)`,
    ],
    ['a gift on its way', (caller) => giftOf(caller, {}), sql`delete from gift_membership`],
    [
      'a gift that nobody has redeemed',
      (caller) => giftOf(caller, { ...paid(), status: 'paid' }),
      sql`update gift_membership set status = 'kept'`,
    ],
    [
      'a gift whose refund is not done',
      (caller) => giftOf(caller, { ...paid(), status: 'refunding' }),
      sql`update gift_membership set status = 'refunded', refunded_at = '2020-02-01'`,
    ],
    [
      'a gift that is disputed',
      (caller) => giftOf(caller, { ...paid(), status: 'kept', disputed: true }),
      sql`update gift_membership set disputed = false`,
    ],
    [
      'a gift that someone has',
      async (caller) => {
        const membership_id = await membershipOf(await app.customer());
        await giftOf(caller, { ...paid(), status: 'redeemed', redeemed_at: at, membership_id });
      },
      sql`update memberships set status = 'ended', end_date = '2020-02-01'`,
    ],
  ];

  it.each(KEEPERS)('%s', async (_what, give, end) => {
    await keepFor(6);
    const caller = await app.customer();
    await give(caller);
    await unusedSince(caller, '2019-01-01');
    await run();
    expect((await profileOf(caller))?.retention_notice_at).toBeNull();
    await db().execute(end);
    await run();
    expect((await profileOf(caller))?.retention_notice_at).toEqual(app.clock.now());
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
