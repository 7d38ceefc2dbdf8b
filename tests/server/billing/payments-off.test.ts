import { v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import type { OwnMembership } from '../../../src/contract/members.ts';
import type { EndOffer } from '../../../src/contract/staff/membership-end.ts';
import type { SystemStatus } from '../../../src/contract/system.ts';
import { readBillingBacklog } from '../../../src/server/billing/upkeep/billing-backlog.ts';
import { sweep } from '../../../src/server/billing/upkeep/sweeper.ts';
import { claimStripeMode, storedStripeMode } from '../../../src/server/db/claim-stripe-mode.ts';
import { applied, cardMember, type Member, pour, venueMember } from '../../support/fixtures/members.ts';
import { createTestApp, PASSWORD, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

// docs/rules/billing.md, "Billing: payments off".

let app: TestApp;
let staff: Caller;
let member: Member;
let applicant: Caller;
let application: string;
beforeAll(async () => {
  app = await createTestApp({ payments: 'off' });
  staff = await app.staff();
  member = await venueMember(app, staff);
  applicant = await app.customer();
  application = await applied(applicant);
});
afterAll(() => app.close());

const ownOf = (caller: Caller) =>
  caller.must<Pick<OwnMembership, 'customer' | 'application' | 'ends' | 'if_canceled'>>(
    'GET',
    '/api/customers/own',
  );

const person = { first_name: 'Bea', last_name: 'Bar', email: 'bea@example.test' };
const gift = { tier: 'select', months: 3, from_name: 'Anna', to_name: 'Ben', delivery: 'card' };
const refund = { payment_id: 'in_1', amount: 1, shown_refunded: 0, reason: 'A long wait' };
const invitation = () => `/api/bar-sign-ups/${application}/link`;
const record = () => `/api/customers/${member.customer_id}`;

type Row = [who: () => Caller, method: string, path: string | (() => string), body?: () => object];

const memberCaller = () => member.caller;
const staffCaller = () => staff;

test.each<Row>([
  [
    () => applicant,
    'POST',
    '/api/functions/create-checkout',
    () => ({ tierName: 'select', applicationId: application }),
  ],
  [() => applicant, 'POST', '/api/gifts', () => ({ ...gift, request_id: v7() })],
  [memberCaller, 'POST', '/api/gifts', () => ({ ...gift, request_id: v7() })],
  [memberCaller, 'POST', '/api/billing/tier/preview', () => ({ tier: 'premier' })],
  [memberCaller, 'POST', '/api/billing/tier', () => ({ preview_id: v7() })],
  [memberCaller, 'POST', '/api/billing/tier/cancel-change'],
  [() => applicant, 'POST', '/api/billing/resume'],
  [memberCaller, 'POST', '/api/billing/year'],
  [memberCaller, 'POST', '/api/billing/year/tier', () => ({ tier: 'premier' })],
  [() => applicant, 'POST', '/api/billing/pause', () => ({ months: 1 })],
  [() => applicant, 'POST', '/api/billing/pause/end', () => ({ amount: 3900 })],
  [memberCaller, 'POST', '/api/billing/payment-method'],
  [memberCaller, 'POST', '/api/billing/invoice'],
  [staffCaller, 'POST', () => `${record()}/refunds`, () => ({ ...refund, request_id: v7() })],
  [staffCaller, 'POST', '/api/bar-sign-ups', () => ({ person, tier: 'select' })],
  [staffCaller, 'POST', invitation],
  [staffCaller, 'POST', '/api/setup/payments-check'],
  [staffCaller, 'POST', '/api/setup/payments-plan'],
  [staffCaller, 'POST', '/api/setup/payments', () => ({ plan: '0'.repeat(32) })],
  [staffCaller, 'POST', '/api/adoptions'],
])('%# a call that needs Stripe is refused in words: %s %s %s', async (who, method, path, body) => {
  const to = typeof path === 'string' ? path : path();
  const answer = await who().call(method, to, body?.() ?? {});
  expect(answer).toMatchObject({
    status: 409,
    body: { code: 'PAYMENTS_OFF', message: 'This club takes no cards here. Please pay at the venue.' },
  });
});

test('a membership at the venue is paused, and taken back, by the member and by staff', async () => {
  await member.caller.must('POST', '/api/billing/pause', { months: 1 });
  await member.caller.must('POST', '/api/billing/pause/end', { amount: 3900 });
  await staff.must('POST', `${record()}/pause`, { months: 1 });
  const answer = await staff.must<{ pause: object | null }>('POST', `${record()}/pause/withdraw`);
  expect(answer.pause).toBeNull();
});

describe('what needs no card', () => {
  it('a refused call leaves nothing behind, and nobody signed up', async () => {
    expect(await readBillingBacklog(app.services.billing.db)).toMatchObject({
      open_events: 0,
      open_reversals: 0,
    });
    expect((await ownOf(applicant)).application).toMatchObject({ stripe_session_id: null });
    const found = await staff.must<{ person: object | null }>('POST', '/api/bar-sign-up-search', {
      email: person.email,
    });
    expect(found.person).toBeNull();
  });

  it('the system page names payments as off, and not as broken', async () => {
    const { checks } = await staff.must<SystemStatus>('GET', '/api/system');
    const rows = checks.filter(({ name }) => name === 'Payments' || name === 'Webhooks');
    expect(rows).toMatchObject([
      { name: 'Payments', health: 'well', text: expect.stringMatching(/^Payments are off/) },
    ]);
  });

  it('staff approve an application and pour; the dashboard compares nothing with Stripe', async () => {
    const { caller, customer_id } = await venueMember(app, staff);
    expect(await ownOf(caller)).toMatchObject({ customer: { id: customer_id, status: 'active' } });
    expect(await pour(staff, customer_id)).toMatchObject({ status: 201 });
    expect(await caller.must('POST', '/api/functions/verify-subscription-status', {})).toEqual({
      status: 'unchanged',
      localStatus: 'active',
    });
    expect(await caller.must('POST', '/api/functions/get-subscription-details', {})).toEqual({
      subscription: null,
      year_payment: null,
    });
    expect(await caller.must('GET', '/api/billing/payments')).toEqual([]);
    const { if_canceled } = await ownOf(caller);
    const { cancel_at } = await caller.must<{ cancel_at: number }>(
      'POST',
      '/api/functions/cancel-subscription',
      {},
    );
    expect(if_canceled).toEqual({ ends_at: new Date(cancel_at * 1000).toISOString(), overdue: false });
    expect(await ownOf(caller)).toMatchObject({ ends: { by_member: true }, if_canceled: null });
    await caller.must('POST', '/api/billing/resume', {});
    expect(await ownOf(caller)).toMatchObject({ ends: null, if_canceled });
  });

  it('staff sign someone up who paid at the till', async () => {
    const body = { person, tier: 'select', toast_reference_number: 'T-2' };
    const made = await staff.must<{ customer_id: string; link: null }>('POST', '/api/bar-sign-ups', body);
    expect(made.link).toBeNull();
    expect(await pour(staff, made.customer_id)).toMatchObject({ status: 201 });
  });

  it('a membership ends with its month, by the sweep', async () => {
    const { customer_id } = await venueMember(app, staff, 'select', 1);
    const path = `/api/customers/${customer_id}/membership-end`;
    const { period_end } = await staff.must<EndOffer>('GET', path);
    await staff.must('POST', path, { when: 'period_end', reason: 'moving', period_end });
    expect(await pour(staff, customer_id)).toMatchObject({ status: 201 });
    app.clock.set(new Date(Date.parse(period_end ?? '') + 60_000));
    const swept = await sweep(app.services.billing);
    expect(swept).toMatchObject({ ends: 1, failures: 0, members: 0, attempts: 0, events: 0 });
    expect(await pour(staff, customer_id)).toMatchObject({ body: { code: 'CUSTOMER_NOT_ACTIVE' } });
  });

  it('an account is deleted', async () => {
    const { caller } = await venueMember(app, staff);
    const body = { password: PASSWORD, confirmation: 'DELETE' };
    await caller.must('POST', '/api/privacy/delete-account', body);
    expect(await caller.call('GET', '/api/customers/own')).toMatchObject({ status: 401 });
  });

  it('a webhook is refused as one that nobody signed', async () => {
    const sent = await app.send('/api/stripe/webhook', {
      method: 'POST',
      headers: { 'stripe-signature': 't=1,v1=0' },
      body: '{}',
    });
    expect([sent.status, await sent.json()]).toMatchObject([400, { code: 'BAD_SIGNATURE' }]);
  });
});

it('with a key, venue members go on unchanged, and new ones pay by card', async () => {
  const before = await ownOf(member.caller);
  const later = await createTestApp({ database: app.database, sandbox: app.sandbox, clock: app.clock });
  const signedIn = async (who: Caller) => {
    const caller = later.visitor();
    for (const [name, value] of who.jar) caller.jar.set(name, value);
    await caller.remember();
    return caller;
  };
  const same = await signedIn(member.caller);
  await sweep(later.services.billing);
  expect(await ownOf(same)).toEqual(before);
  expect(await pour(await signedIn(staff), member.customer_id)).toMatchObject({ status: 201 });
  const { url } = await (await signedIn(applicant)).must<{ url: string }>(
    'POST',
    '/api/functions/create-checkout',
    { tierName: 'select', applicationId: application },
  );
  expect(url).toContain('/c/pay/');
  const joined = await cardMember(later);
  expect(await ownOf(joined.caller)).toMatchObject({ customer: { status: 'active' } });
});

it('a database of payments does not start without its key, and nothing is recorded without one', async () => {
  const { db, now } = app.services;
  await claimStripeMode(db, null, now());
  expect(await storedStripeMode(db)).toBeNull();
  await claimStripeMode(db, 'test', now());
  await expect(claimStripeMode(db, null, now())).rejects.toThrow(
    /holds payments of Stripe’s test mode, but STRIPE_SECRET_KEY is not set[\s\S]*put the key back/,
  );
});
