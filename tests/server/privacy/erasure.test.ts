import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Customer } from '../../../src/contract/members.ts';
import type { PersonalData } from '../../../src/contract/privacy.ts';
import { cancelEverything } from '../../../src/server/billing/upkeep/account-closure.ts';
import { sweep } from '../../../src/server/billing/upkeep/sweeper.ts';
import { rowsOf } from '../../../src/server/db/results.ts';
import {
  accounts,
  billing_customer,
  customers,
  membership_applications,
  pours,
  profiles,
  tag,
} from '../../../src/server/db/schema.ts';
import { deleteOldDeliveries } from '../../../src/server/deliveries/retention.ts';
import { saveApplication } from '../../../src/server/membership/applications.ts';
import { getOwnMembership } from '../../../src/server/membership/members.ts';
import { updateProfile } from '../../../src/server/membership/profile.ts';
import { mailTo } from '../../support/fixtures/emails.ts';
import { applied, cardMember, payAt, pour, RATINGS, venueMember } from '../../support/fixtures/members.ts';
import { markRows, wholeDatabase, wholeMember } from '../../support/fixtures/whole-member.ts';
import { createTestApp, PASSWORD, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';
import { openStream } from '../../support/harness/stream.ts';

const PATH = '/api/privacy/delete-account';
const SIGN_IN = '/api/auth/sign-in';
const CONFIRMED = { password: PASSWORD, confirmation: 'DELETE' };

let app: TestApp;
let staff: Caller;
beforeAll(async () => {
  app = await createTestApp();
  staff = await app.staff();
});
afterAll(() => app.close());

async function control(path: string, body: object = {}): Promise<void> {
  const answer = await fetch(`${app.sandbox.url}/_sandbox/${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(await answer.text());
}

interface AtStripe {
  subscriptions: Record<string, { id: string; customer: string; status: string }>;
  customers: Record<string, unknown>;
  events: { id: string; type: string }[];
}
const atStripe = async () => (await (await fetch(`${app.sandbox.url}/_sandbox/state`)).json()) as AtStripe;

async function stripeCustomer(userId: string): Promise<string> {
  const [row] = await app.services.db
    .select()
    .from(billing_customer)
    .where(eq(billing_customer.user_id, userId));
  if (!row) throw new Error('Stripe does not know this user');
  return row.stripe_customer_id;
}

const subscriptionsOf = async (customer: string) =>
  Object.values((await atStripe()).subscriptions).filter((it) => it.customer === customer);

const emailOf = async (caller: Caller) =>
  (await caller.must<{ user: { email: string } }>('GET', '/api/session')).user.email;

describe('a deleted member with data in every table', () => {
  it('is gone from every text of every table, and the totals of the ledger stay', async () => {
    const ada = await wholeMember(app, staff, 'ada');
    const grace = await wholeMember(app, staff, 'grace');
    const { db } = app.services;
    const [account] = await db.select().from(accounts).where(eq(accounts.userId, ada.user_id));
    const customer = await stripeCustomer(ada.user_id);
    const token =
      decodeURIComponent(ada.caller.jar.get('cellar-door.session_token') ?? '').split('.')[0] ?? '';
    // Columns of the ledger, and values that this test needs.
    const skipped = new Set([
      'profiles.email',
      'sessions.token',
      'accounts.password',
      'accounts.provider_id',
      'audit_entry.act',
      'audit_entry.device',
      'given_glasses.kind',
      // The venue's words for a benefit.
      'benefit_use.words',
      // The venue's names for its places.
      'pours.location',
      'pours.place',
      'pours.place_name',
      'pour_summary.location',
      // The venue's time zone.
      'member_visit.visits_zone',
      'pours.toast_reference_number',
      'bar_device.name',
      'bar_device.token_hash',
      'billing_customer.stripe_customer_id',
      'billing_payment.stripe_invoice_id',
      'billing_payment.stripe_subscription_id',
      'billing_payment.status',
      'billing_payment.currency',
      'billing_payment.stripe_dispute_id',
      'billing_refund.currency',
      'billing_reversal.stripe_subscription_id',
      'billing_subscription.stripe_subscription_id',
      'billing_subscription.stripe_price_id',
      'billing_subscription.status',
      'billing_subscription.currency',
      'checkout_attempt.stripe_session_id',
      'consent.text_version',
      'consent.text',
      'consent.terms_url',
      'gift_membership.currency',
      'gift_membership.code_hash',
      'gift_membership.code_key_id',
      'gift_membership.stripe_session_id',
      'gift_membership.stripe_payment_intent_id',
      // The recipient's email: their gift stays.
      'gift_membership.recipient_email',
      'memberships.stripe_subscription_id',
      'staff_invitation.email',
      'member_import_row.email',
      'staff_notice.cause',
      'stripe_event.stripe_customer_id',
      'verifications.value',
      'rate_limits.key',
      // The same for every reader.
      'mailing.subject',
      'mailing.text',
      // The ids of an event and an endpoint.
      'deliveries.cause',
    ]);
    const marked = await markRows(app, ada, skipped);
    expect(marked.length).toBeGreaterThan(25);
    await markRows(app, grace, skipped);
    await db.execute(sql`update profiles set email_verified = true where email = ${ada.email}`);
    const totals = async () =>
      rowsOf(
        db,
        sql`select (select sum(quantity)::int from pours) as glasses, (select count(*)::int from pour_voids) as voids,
                   (select sum(amount_paid_cents)::int from billing_payment) as paid,
                   (select sum(total_pours_lifetime)::int from customers) as lifetime,
                   (select sum(glasses)::int from glass_grant) as granted, (select sum(glasses)::int from glass_debit) as debited,
                   (select count(*)::int from glass_change) as changes,
                   (select count(*)::int from memberships) as memberships,
                   (select sum(monthly_price_cents)::int from memberships) as prices`,
      );
    const before = await totals();

    expect(await ada.caller.must('POST', PATH, CONFIRMED)).toEqual({ removed: true });
    await mailTo(app, ada.email);
    await control('webhooks/idle');

    expect(await totals()).toEqual(before);
    const after = await wholeDatabase(app);
    const left = (text: string) =>
      [...after].flatMap(([table, rows]) => (rows.includes(text) ? [table] : []));
    for (const trace of [ada.mark, ada.email, customer, token, account?.password ?? '']) {
      expect(trace.length).toBeGreaterThan(5);
      expect({ trace, left: left(trace) }).toEqual({ trace, left: [] });
    }
    expect(after.get('billing_subscription')).not.toContain('"card_last4":"4242"');
    expect(left(ada.user_id).sort()).toEqual(
      [
        'audit_entry',
        'bar_device',
        'billing_payment',
        'billing_refund',
        'billing_reversal',
        'billing_subscription',
        'consent',
        'customers',
        'pour_summary',
        'member_directory',
        // Rows of the staff member who imported, without the name of the file, or wrote to a list.
        'mailing',
        'member_import',
        'profiles',
      ].sort(),
    );
    expect(left(grace.mark).length).toBeGreaterThan(12);
    const [former] = await db.select().from(profiles).where(eq(profiles.id, ada.user_id));
    expect(former).toMatchObject({ name: 'Former member', email: `${ada.user_id}@former-member.invalid` });
  });
});

describe('words about a member that stand elsewhere', () => {
  it('a tag of theirs alone is offered no more; one that others have stays', async () => {
    const [ada, grace] = [await cardMember(app), await cardMember(app)];
    const tagged = (customer: string, label: string) =>
      staff.must('POST', `/api/customers/${customer}/tags`, { label });
    await tagged(ada.customer_id, 'Ada’s own');
    for (const { customer_id } of [ada, grace]) await tagged(customer_id, 'Book club');
    const shown = await ada.caller.must<PersonalData>('GET', '/api/privacy/export');
    const words = shown.sections.find(({ table }) => table === 'tag')?.rows.map(({ label }) => label);
    expect(words?.sort()).toEqual(['Ada’s own', 'Book club']);
    await ada.caller.must('POST', PATH, CONFIRMED);
    const offered = (await app.services.db.select().from(tag)).map(({ label }) => label);
    expect(offered).toContain('Book club');
    expect(offered).not.toContain('Ada’s own');
  });
});

describe('after the deletion', () => {
  it('every device is signed out of every call, and the password no longer works', async () => {
    const { caller, customer_id } = await cardMember(app);
    const email = await emailOf(caller);
    const phone = app.visitor();
    await phone.must('POST', SIGN_IN, { email, password: PASSWORD });
    await phone.must('GET', '/api/customers/own');
    await caller.must('POST', PATH, CONFIRMED);
    // Only a random number is left in the browser, which no row contains.
    expect([...caller.jar.keys()]).toEqual(['cellar-door.device']);
    for (const device of [caller, phone]) {
      expect(await device.must('GET', '/api/session')).toEqual({ user: null });
      expect((await device.call('GET', '/api/customers/own')).status).toBe(401);
      expect((await device.call('PATCH', '/api/profile', { first_name: 'Again' })).status).toBe(401);
    }
    expect((await app.visitor().call('POST', SIGN_IN, { email, password: PASSWORD })).status).toBe(401);
    expect((await pour(staff, customer_id)).body.code).toBe('CUSTOMER_NOT_ACTIVE');
  });

  it('a process that still has the session cannot write personal data back', async () => {
    const { caller } = await cardMember(app);
    await caller.must('POST', PATH, CONFIRMED);
    const ctx = { ...app.services, actor: { user_id: caller.id, role: 'customer' as const } };
    const refused = { code: 'NOT_SIGNED_IN' };
    await expect(getOwnMembership(ctx)).rejects.toMatchObject(refused);
    await expect(updateProfile(ctx, { first_name: 'Again' })).rejects.toMatchObject(refused);
    const answers = {
      preferences: RATINGS,
      rated: null,
      selected_tier: null,
      current_step: 1,
      is_complete: false,
    };
    await expect(saveApplication(ctx, answers)).rejects.toMatchObject(refused);
    const { db } = app.services;
    const written = db.update(profiles).set({ first_name: 'Again' }).where(eq(profiles.id, caller.id));
    await expect(written).rejects.toMatchObject({ cause: { message: 'this account was deleted' } });
  });

  it('open screens are notified', async () => {
    const { caller } = await cardMember(app);
    const stream = await openStream(caller);
    await caller.must('POST', PATH, CONFIRMED);
    await expect.poll(() => stream.received).toContain('account');
    stream.close();
  });

  it('the same email can register again, and gets nothing of the old account', async () => {
    const { caller } = await cardMember(app);
    const email = await emailOf(caller);
    await pour(staff, (await caller.must<{ customer: Customer }>('GET', '/api/customers/own')).customer.id);
    await caller.must('POST', PATH, CONFIRMED);
    const second = await app.customer({ email, first_name: 'Second' });
    expect(second.id).not.toBe(caller.id);
    expect(await second.must('GET', '/api/customers/own')).toMatchObject({
      profile: { email, first_name: 'Second' },
      customer: null,
      membership_ever: false,
      application: null,
    });
    expect(await second.must('GET', '/api/pours/own')).toEqual([]);
    expect(await second.must('GET', '/api/billing/payments')).toEqual([]);
  });

  it('a user who has never been a member leaves no row', async () => {
    const caller = await app.customer();
    await applied(caller);
    await caller.must('POST', PATH, CONFIRMED);
    const { db } = app.services;
    expect(await db.select().from(profiles).where(eq(profiles.id, caller.id))).toEqual([]);
    const applications = db
      .select()
      .from(membership_applications)
      .where(eq(membership_applications.user_id, caller.id));
    expect(await applications).toEqual([]);
  });
});

describe('what staff see afterwards', () => {
  it('a former member without email, found by no search, with all pours', async () => {
    const { caller, customer_id } = await venueMember(app, staff);
    const email = await emailOf(caller);
    await pour(staff, customer_id, { notes: 'likes it cold' });
    await caller.must('POST', PATH, CONFIRMED);
    expect(await staff.must('GET', `/api/customers/${customer_id}`)).toMatchObject({
      former: true,
      profile: { first_name: 'Former', last_name: 'member', phone: null },
      customer: { status: 'inactive', total_pours_lifetime: 1 },
      has_active_membership: false,
      has_preferences: false,
    });
    expect(await staff.must('GET', `/api/customers/${customer_id}/pours`)).toMatchObject([{ notes: null }]);
    for (const search of [email, 'former member']) {
      const found = await staff.must('POST', '/api/customers/search', { search });
      expect(found).toMatchObject({ members: [] });
    }
    const searched = { status: 'all', search: email };
    expect(await staff.must('POST', '/api/applications/search', searched)).toMatchObject({
      applications: [],
    });
    expect(await staff.must('POST', '/api/applications/search/count', searched)).toMatchObject({ total: 0 });
  });

  it('pours that deleted staff recorded keep their id, and show a former member', async () => {
    const [bartender, { customer_id }] = [await app.staff(), await venueMember(app, staff)];
    await pour(bartender, customer_id);
    const { db } = app.services;
    const email = await emailOf(bartender);
    await db.execute(sql`update user_roles set role = 'customer' where user_id = ${bartender.id}::uuid`);
    const formerStaff = app.visitor();
    await formerStaff.must('POST', SIGN_IN, { email, password: PASSWORD });
    await formerStaff.must('POST', PATH, CONFIRMED);
    const [row] = await db.select().from(pours).where(eq(pours.recorded_by_staff_id, bartender.id));
    expect(row).toMatchObject({ customer_id, quantity: 1 });
    const history = await staff.must('GET', `/api/customers/${customer_id}/pours`);
    expect(history).toMatchObject([{ recorded_by: 'Former member' }]);
  });

  it('the ledger still refuses every other change', async () => {
    const { caller, customer_id } = await venueMember(app, staff);
    await pour(staff, customer_id, { notes: 'likes it cold' });
    const { db } = app.services;
    const change = (set: { notes?: string | null; quantity?: number }) =>
      db.update(pours).set(set).where(eq(pours.customer_id, customer_id));
    const refused = { cause: { message: 'the ledger of pours is append-only' } };
    await expect(change({ notes: null })).rejects.toMatchObject(refused);
    await caller.must('POST', PATH, CONFIRMED);
    await expect(change({ quantity: 2 })).rejects.toMatchObject(refused);
    await expect(change({ notes: 'again' })).rejects.toMatchObject(refused);
    await expect(db.delete(pours).where(eq(pours.customer_id, customer_id))).rejects.toMatchObject(refused);
  });
});

describe('the email about the deletion', () => {
  it('is the last one, and its recipient is erased once it is sent', async () => {
    const { caller } = await cardMember(app);
    const email = await emailOf(caller);
    await caller.must('POST', PATH, CONFIRMED);
    expect((await wholeDatabase(app)).get('deliveries')).toContain(email);
    expect((await mailTo(app, email))?.subject).toBe('Your account was deleted · Test Cellar');
    expect((await wholeDatabase(app)).get('deliveries')).not.toContain(email);
  });

  it('is deleted after a week when it cannot be sent', async () => {
    const { caller } = await cardMember(app);
    const email = await emailOf(caller);
    await caller.must('POST', PATH, CONFIRMED);
    const { db } = app.services;
    await db.execute(
      sql`update deliveries set due_at = '2099-01-01', created_at = created_at - interval '8 days'
           where recipient = ${email}`,
    );
    await deleteOldDeliveries(app.services);
    expect((await wholeDatabase(app)).get('deliveries')).not.toContain(email);
  });
});

describe('payments', () => {
  it('the subscription is cancelled once, the Stripe customer is deleted, and late webhooks do nothing', async () => {
    // Finishes what is due for the members of other tests.
    await sweep(app.services.billing);
    await control('webhooks/idle');
    await control('webhooks', { mode: 'hold' });
    const { caller, customer_id } = await cardMember(app);
    const customer = await stripeCustomer(caller.id);
    const cancelled = async () =>
      (await atStripe()).events.filter((it) => it.type === 'customer.subscription.deleted').length;
    const before = await cancelled();
    await caller.must('POST', PATH, CONFIRMED);
    expect(await subscriptionsOf(customer)).toMatchObject([{ status: 'canceled' }]);
    expect((await cancelled()) - before).toBe(1);
    expect((await atStripe()).customers).not.toHaveProperty(customer);

    const state = await wholeDatabase(app);
    app.logged.length = 0;
    await control('webhooks', { mode: 'normal' });
    await control('webhooks/release');
    await control('webhooks/idle');
    await sweep(app.services.billing);
    const { db } = app.services;
    expect(await db.select().from(customers).where(eq(customers.id, customer_id))).toMatchObject([
      { status: 'inactive' },
    ]);
    const now = await wholeDatabase(app);
    for (const table of [
      'profiles',
      'customers',
      'memberships',
      'billing_customer',
      'billing_subscription',
    ]) {
      expect(now.get(table)).toBe(state.get(table));
    }
    expect(app.logged.filter((line) => JSON.parse(line).level >= 50)).toEqual([]);
    const answers = await fetch(`${app.sandbox.url}/_sandbox/webhooks`);
    const { deliveries } = (await answers.json()) as { deliveries: { status?: unknown }[] };
    expect(deliveries.length).toBeGreaterThan(0);
  });

  it('an open payment page can no longer be paid', async () => {
    const caller = await app.customer();
    const applicationId = await applied(caller);
    const { url } = await caller.must<{ url: string }>('POST', '/api/functions/create-checkout', {
      tierName: 'select',
      applicationId,
    });
    const customer = await stripeCustomer(caller.id);
    await caller.must('POST', PATH, CONFIRMED);
    expect(await payAt(url)).toBeNull();
    expect(await subscriptionsOf(customer)).toEqual([]);
  });

  it('a subscription paid a moment before is cancelled too', async () => {
    await control('webhooks', { mode: 'drop' });
    const caller = await app.customer();
    const applicationId = await applied(caller);
    const { url } = await caller.must<{ url: string }>('POST', '/api/functions/create-checkout', {
      tierName: 'select',
      applicationId,
    });
    const customer = await stripeCustomer(caller.id);
    await payAt(url);
    await caller.must('POST', PATH, CONFIRMED);
    expect(await subscriptionsOf(customer)).toMatchObject([{ status: 'canceled' }]);
    await control('webhooks', { mode: 'normal' });
  });

  it('a Stripe customer missing in our database is deleted at Stripe once a webhook mentions it', async () => {
    const { caller } = await cardMember(app);
    const { db } = app.services;
    await control('webhooks/idle');
    const lost = await stripeCustomer(caller.id);
    await db.delete(billing_customer).where(eq(billing_customer.user_id, caller.id));
    await caller.must('POST', PATH, CONFIRMED);
    const [subscription] = await subscriptionsOf(lost);
    expect(subscription?.status).toBe('active');
    app.clock.advance({ days: 31 });
    await control('clock', { advance: 0 });
    await control('webhooks/idle');
    expect(await subscriptionsOf(lost)).toMatchObject([{ status: 'canceled' }]);
    expect((await atStripe()).customers).not.toHaveProperty(lost);
    expect(await db.select().from(billing_customer).where(eq(billing_customer.user_id, caller.id))).toEqual(
      [],
    );
  });
});

describe('when the deletion fails', () => {
  const stillThere = async (caller: Caller) => {
    const { db } = app.services;
    const [row] = await db.select().from(profiles).where(eq(profiles.id, caller.id));
    return row?.erased_at === null && (await caller.call('GET', '/api/customers/own')).status === 200;
  };

  it.each([
    ['listing subscriptions', '/v1/subscriptions', 'GET'],
    ['cancelling', '/v1/subscriptions/', 'DELETE'],
    ['deleting the customer', '/v1/customers/', 'DELETE'],
  ])('Stripe fails at %s: nothing is deleted, and a second request completes it', async (_, path, method) => {
    const { caller } = await cardMember(app);
    const customer = await stripeCustomer(caller.id);
    await control('webhooks/idle');
    await control('fail-next', { path, method, status: 500 });
    expect(await caller.call('POST', PATH, CONFIRMED)).toMatchObject({
      status: 502,
      body: { code: 'PAYMENTS_UNAVAILABLE' },
    });
    expect(await stillThere(caller)).toBe(true);
    await caller.must('POST', PATH, CONFIRMED);
    expect(await subscriptionsOf(customer)).toMatchObject([{ status: 'canceled' }]);
    expect(await stillThere(caller)).toBe(false);
  });

  it.each([
    ['/v1/subscriptions/', 'DELETE'],
    ['/v1/customers/', 'DELETE'],
  ])(
    'the response to %s %s is lost after Stripe did it: a second request completes it',
    async (path, method) => {
      const { caller } = await cardMember(app);
      const customer = await stripeCustomer(caller.id);
      await control('webhooks/idle');
      // Twice, because the SDK itself retries once after a cut connection.
      await control('fail-next', { path, method, kind: 'drop', when: 'after', times: 2 });
      expect((await caller.call('POST', PATH, CONFIRMED)).status).toBe(502);
      expect(await stillThere(caller)).toBe(true);
      await caller.must('POST', PATH, CONFIRMED);
      expect(await subscriptionsOf(customer)).toMatchObject([{ status: 'canceled' }]);
      expect(await stillThere(caller)).toBe(false);
    },
  );

  it('the server stops between Stripe’s response and our commit: a second request completes it', async () => {
    const { caller, customer_id } = await cardMember(app);
    await cancelEverything(app.services.billing, caller.id);
    expect(await stillThere(caller)).toBe(true);
    await sweep(app.services.billing);
    await caller.must('POST', PATH, CONFIRMED);
    expect(await staff.must('GET', `/api/customers/${customer_id}`)).toMatchObject({ former: true });
  });

  it('a wrong password deletes nothing, and after five the user must wait 15 minutes', async () => {
    const { caller } = await cardMember(app);
    const wrong = { ...CONFIRMED, password: 'not the password' };
    for (let times = 0; times < 5; times += 1) {
      expect(await caller.call('POST', PATH, wrong)).toMatchObject({
        status: 403,
        body: { code: 'WRONG_PASSWORD' },
      });
    }
    expect(await caller.call('POST', PATH, CONFIRMED)).toMatchObject({
      status: 429,
      body: { code: 'TOO_MANY_ATTEMPTS' },
    });
    expect(await stillThere(caller)).toBe(true);
    app.clock.advance({ minutes: 16 });
    await caller.must('POST', PATH, CONFIRMED);
  });

  it('without the word DELETE, or as staff, the request is refused', async () => {
    const caller = await app.customer();
    expect((await caller.call('POST', PATH, { ...CONFIRMED, confirmation: 'delete' })).status).toBe(400);
    expect((await staff.call('POST', PATH, CONFIRMED)).status).toBe(403);
    expect(await stillThere(caller)).toBe(true);
  });

  it('two requests at once delete the account once and send one email', async () => {
    const { caller } = await cardMember(app);
    const email = await emailOf(caller);
    const again = app.visitor();
    for (const [name, value] of caller.jar) again.jar.set(name, value);
    const answers = await Promise.all([
      caller.call('POST', PATH, CONFIRMED),
      again.call('POST', PATH, CONFIRMED),
    ]);
    expect(answers.map(({ status }) => status)).toContain(200);
    expect(answers.every(({ status }) => status === 200 || status === 401 || status === 400)).toBe(true);
    const emails = (await wholeDatabase(app)).get('deliveries') ?? '';
    expect(emails.split(email)).toHaveLength(2);
  });
});

describe('an account that staff delete for a member', () => {
  const pathOf = (customer_id: string) => `/api/customers/${customer_id}/account/delete`;

  it('is deleted as the member would: the subscription ends, the member hears of it, and the audit says who did it', async () => {
    const member = await cardMember(app);
    const email = await emailOf(member.caller);
    const customer = await stripeCustomer(member.caller.id);
    const refused = await staff.call('POST', pathOf(member.customer_id), {
      ...CONFIRMED,
      password: 'a wrong one',
    });
    expect(refused.status).toBe(403);
    expect((await subscriptionsOf(customer)).map(({ status }) => status)).toEqual(['active']);

    await staff.must('POST', pathOf(member.customer_id), CONFIRMED);
    expect((await subscriptionsOf(customer)).every(({ status }) => status === 'canceled')).toBe(true);
    expect((await app.visitor().call('POST', SIGN_IN, { email, password: PASSWORD })).status).toBe(401);
    expect((await mailTo(app, email))?.subject).toMatch(/^Your account was deleted/);
    const { entries } = await staff.must<{ entries: { act: string; actor: { user_id: string } | null }[] }>(
      'GET',
      '/api/audit',
    );
    expect(entries[0]).toMatchObject({ act: 'account_deleted', actor: { user_id: staff.id } });
    expect((await staff.call('POST', pathOf(member.customer_id), CONFIRMED)).status).toBe(404);
  });
});
