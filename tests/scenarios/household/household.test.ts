import { sql } from 'drizzle-orm';
import type Stripe from 'stripe';
import { v7 } from 'uuid';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { OwnHousehold } from '../../../src/contract/members.ts';
import { localDate } from '../../../src/domain/calendar.ts';
import { createStripe } from '../../../src/server/billing/stripe-client.ts';
import { sweep } from '../../../src/server/billing/upkeep/sweeper.ts';
import { rowsOf } from '../../../src/server/db/results.ts';
import { tellOfEndedSeats } from '../../../src/server/membership/household/seats.ts';
import { brokenInvariants } from '../../../torture/invariants.ts';
import { driveBilling } from '../../support/billing/drive-billing.ts';
import { acceptShare, householdLink, shareWith } from '../../support/fixtures/household.ts';
import { cardMember, type Member, payAt, pour } from '../../support/fixtures/members.ts';
import { createTestApp, PASSWORD, type TestApp, VENUE_ZONE } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

// docs/rules/households.md, "Household", over several months: what the holder pays, pauses and ends, and what both then
// see, pour and read.

let app: TestApp;
let stripe: Stripe;
let manager: Caller;
beforeAll(async () => {
  app = await createTestApp();
  manager = await app.staff();
  const { sandbox } = app;
  stripe = createStripe({ secretKey: sandbox.stripeSecretKey, apiUrl: sandbox.url, maxNetworkRetries: 0 });
});
afterAll(async () => {
  const broken = await brokenInvariants(
    (text) => rowsOf(app.services.db, sql.raw(text)),
    app.services.venue.time_zone,
  );
  // The test server claims no Stripe mode.
  expect(broken.filter((line) => !line.includes('mode of the database'))).toEqual([]);
  await app.close();
});

async function control(path: string, body: object = {}): Promise<void> {
  const url = `${app.sandbox.url}/_sandbox/${path}`;
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
  expect(response.ok, `${path}: ${await response.text()}`).toBe(true);
}

/** Webhooks arrive, and the timers do their work. */
async function settle(): Promise<void> {
  await control('webhooks/idle');
  await sweep(app.services.billing);
  await tellOfEndedSeats(app.services);
}

async function pass(days: number): Promise<void> {
  app.clock.advance({ days });
  await control('clock', { advance: 0 });
  await settle();
}

/** A new session: earlier ones end as time passes. */
async function again({ id }: Caller): Promise<Caller> {
  const [row] = await rowsOf<{ email: string }>(
    app.services.db,
    sql`select email from profiles where id = ${id}::uuid`,
  );
  const caller = app.visitor();
  await caller.must('POST', '/api/auth/sign-in', { email: row?.email, password: PASSWORD });
  return caller;
}

/** Two people sharing a Household that is paid by card. */
async function open() {
  const holder = await cardMember(app, 'household');
  const partner = await shareWith(app, holder);
  const user = holder.caller.id;
  return { holder, partner, both: [holder, partner], user, billing: driveBilling(app.services.billing) };
}

const own = async ({ caller }: Member) =>
  (await again(caller)).must<{
    customer: { status: string; tier: string };
    pours: { available_pours: number; pours_when_paid: number };
    household: OwnHousehold | null;
  }>('GET', '/api/customers/own');

/** The content of both dashboards: membership and glasses left. */
async function seen(both: Member[]): Promise<string[]> {
  const all: string[] = [];
  for (const one of both) {
    const { customer, pours } = await own(one);
    all.push(`${customer.status} ${pours.available_pours}`);
  }
  return all;
}

/** Pours one glass for each at the bar, and returns the responses. */
async function poured(both: Member[]): Promise<(string | undefined)[]> {
  const staff = await again(manager);
  const answers: (string | undefined)[] = [];
  for (const { customer_id } of both) {
    const { status, body } = await pour(staff, customer_id);
    answers.push(status === 201 ? 'poured' : body.code);
  }
  return answers;
}
const POURED = ['poured', 'poured'];
const REFUSED = ['CUSTOMER_NOT_ACTIVE', 'CUSTOMER_NOT_ACTIVE'];

/** The subjects of a person's emails, in order. */
async function subjectsOf({ caller }: Member): Promise<string[]> {
  const rows = await rowsOf<{ subject: string }>(
    app.services.db,
    sql`select payload ->> 'subject' as subject from deliveries
         where kind = 'email' and user_id = ${caller.id}::uuid order by id`,
  );
  return rows.map(({ subject }) => subject.split(' · ')[0] ?? '');
}

async function atStripe({ caller }: Member): Promise<string> {
  const [row] = await rowsOf<{ customer: string }>(
    app.services.db,
    sql`select stripe_customer_id as customer from billing_customer where user_id = ${caller.id}::uuid`,
  );
  return row?.customer ?? '';
}

async function payWith(member: Member, card: string): Promise<void> {
  const customer = await atStripe(member);
  const { id } = await stripe.paymentMethods.attach(card, { customer });
  await stripe.customers.update(customer, { invoice_settings: { default_payment_method: id } });
}

it('a renewal fails, is paid, refunded and disputed: both have the same glasses, and the partner gets no email', async () => {
  const { holder, partner, both } = await open();
  await payWith(holder, 'pm_card_chargeCustomerFail');
  await pass(31);
  // In grace: 5 of 20 for both together.
  expect(await seen(both)).toEqual(['active 5', 'active 5']);
  expect(await poured(both)).toEqual(POURED);
  const { household, pours } = await own(partner);
  expect(household).toEqual({ role: 'partner', first_name: 'Ada', pause: null, ends_at: null });
  expect(pours.pours_when_paid).toBe(15);
  await payWith(holder, 'pm_card_visa');
  await pass(4);
  expect(await seen(both)).toEqual(['active 18', 'active 18']);

  const staff = await again(manager);
  const path = `/api/customers/${holder.customer_id}`;
  const [last] = await staff.must<{ id: string; amount: number }[]>('GET', `${path}/payments`);
  const refund = { amount: last?.amount, shown_refunded: 0, reason: 'A long wait' };
  await staff.must('POST', `${path}/refunds`, { request_id: v7(), payment_id: last?.id, ...refund });
  const charges = (await stripe.charges.list({ customer: await atStripe(holder) })).data;
  await control('disputes', { charge: charges.find(({ paid, refunded }) => paid && !refunded)?.id });
  await settle();
  expect(await seen(both)).toEqual(['active 18', 'active 18']);
  expect(await poured(both)).toEqual(POURED);
  expect(await subjectsOf(partner)).toEqual([]);
  expect(await subjectsOf(holder)).toEqual(
    expect.arrayContaining(['Your payment failed', 'Your refund is on its way']),
  );
});

it('nobody pays: both lose access, the partner’s email gives no reason, and rejoining by card restores both', async () => {
  const { holder, partner, both, user, billing } = await open();
  await payWith(holder, 'pm_card_chargeCustomerFail');
  await pass(31);
  await pass(8);
  expect(await seen(both)).toEqual(['inactive 0', 'inactive 0']);
  expect(await poured(both)).toEqual(REFUSED);
  expect(await subjectsOf(partner)).toEqual(['The membership you share is not active']);

  const caller = await again(holder.caller);
  const { id: applicationId } = await caller.must<{ id: string }>('PUT', '/api/applications/own', {
    preferences: {
      ...{ wine_knowledge: 5, drinking_frequency: 6, adventurousness: 9 },
      ...{ red_wine_preference: 8, white_wine_preference: 3 },
    },
    ...{ selected_tier: 'household', current_step: 2, is_complete: true },
  });
  const { url } = await billing.createCheckout(user, { tierName: 'household', applicationId });
  await payAt(url);
  await settle();
  expect(await seen(both)).toEqual(['active 20', 'active 20']);
  expect(await poured(both)).toEqual(POURED);
  expect((await subjectsOf(partner)).slice(1)).toEqual(['The membership you share is active again']);
});

it('canceled at the end of the period, kept, canceled again: both see the day, and pour until then and no longer', async () => {
  const { partner, both, user, billing } = await open();
  await billing.cancelSubscription(user);
  await settle();
  const subscription = await billing.getSubscriptionDetails(user);
  expect(Date.parse((await own(partner)).household?.ends_at ?? '')).toBe(
    (subscription?.current_period_end ?? 0) * 1000,
  );
  await billing.resumeSubscription(user);
  await settle();
  expect((await own(partner)).household?.ends_at).toBeNull();
  app.clock.advance({ minutes: 1 });
  await billing.cancelSubscription(user);
  await settle();
  expect(await poured(both)).toEqual(POURED);
  await pass(31);
  expect(await seen(both)).toEqual(['inactive 0', 'inactive 0']);
  expect(await poured(both)).toEqual(REFUSED);
  expect(await subjectsOf(partner)).toEqual([
    'The membership you share will end',
    'The membership you share continues',
    'The membership you share will end',
    'The membership you share is not active',
  ]);
});

it('staff end it at once, on the page of the holder and not of the partner', async () => {
  const { holder, partner, both } = await open();
  const staff = await again(manager);
  const end = async ({ customer_id }: Member) => {
    const path = `/api/customers/${customer_id}/membership-end`;
    const { period_end } = await staff.must<{ period_end: string | null }>('GET', path);
    const at = period_end ?? app.clock.now().toISOString();
    return staff.call('POST', path, { when: 'now', reason: 'other', period_end: at });
  };
  expect((await end(partner)).body.data).toEqual({ reason: 'no_membership' });
  expect(await staff.must('GET', `/api/customers/${partner.customer_id}`)).toMatchObject({
    has_active_membership: false,
    household: { role: 'partner', customer_id: holder.customer_id },
  });
  expect(await poured(both)).toEqual(POURED);
  expect((await end(holder)).status).toBe(200);
  await settle();
  expect(await seen(both)).toEqual(['inactive 0', 'inactive 0']);
  expect(await poured(both)).toEqual(REFUSED);
  expect(await subjectsOf(partner)).toEqual(['The membership you share is not active']);
});

it('paused, and back early: both see the days, have no card code in between, and then a whole month', async () => {
  const { holder, partner, both, user, billing } = await open();
  await billing.pause(user, 2);
  await settle();
  expect(await poured(both)).toEqual(POURED);
  const pause = (await own(partner)).household?.pause;
  expect(pause).toMatchObject({ begun: false });
  await pass(31);
  expect(await seen(both)).toEqual(['active 0', 'active 0']);
  expect((await own(partner)).household?.pause).toEqual({ ...pause, begun: true });
  expect(await poured(both)).toEqual(REFUSED);
  for (const { caller } of both) {
    const code = await (await again(caller)).call('POST', '/api/functions/generate-qr-token', {});
    expect(code.body.code).toBe('CUSTOMER_NOT_ACTIVE');
  }
  const staff = await again(manager);
  for (const { customer_id } of both) {
    const bar = await staff.must('GET', `/api/customers/${customer_id}/bar`);
    expect(bar).toMatchObject({
      standing: 'paused',
      pours_return_on: localDate(new Date(pause?.until ?? ''), VENUE_ZONE),
    });
  }
  await billing.endPause(user, (await billing.getPause(user)).pause?.amount ?? 0);
  await settle();
  expect(await seen(both)).toEqual(['active 20', 'active 20']);
  expect(await poured([partner, holder])).toEqual(POURED);
  expect(await subjectsOf(partner)).toEqual([
    'The membership you share will pause',
    'The membership you share is active again',
  ]);
});

it('leaving the Household tier and returning: the partner shares until its end, then only if invited again', async () => {
  const { holder, partner, both, user, billing } = await open();
  await billing.changeTier(user, (await billing.previewTier(user, 'select')).id);
  await settle();
  expect(await poured(both)).toEqual(POURED);
  await pass(31);
  expect(await seen(both)).toEqual(['active 4', 'inactive 0']);
  expect(await poured(both)).toEqual(['poured', 'CUSTOMER_NOT_ACTIVE']);
  expect(await subjectsOf(partner)).toEqual(['You no longer share a membership']);
  expect(await subjectsOf(holder)).toContain('You no longer share your membership');

  await billing.changeTier(user, (await billing.previewTier(user, 'household')).id);
  await settle();
  expect((await own(holder)).customer.tier).toBe('household');
  expect(await poured([partner])).toEqual(['CUSTOMER_NOT_ACTIVE']);
  const left = (await own(holder)).pours.available_pours;
  const link = await householdLink(await again(holder.caller));
  expect((await acceptShare(app, await again(partner.caller), link)).status).toBe(200);
  expect(await seen(both)).toEqual([`active ${left}`, `active ${left}`]);
  expect(await poured(both)).toEqual(POURED);
  expect(await seen(both)).toEqual([`active ${left - 2}`, `active ${left - 2}`]);
});

it('the holder deletes the account: nothing is charged again, and the partner keeps a history and no card', async () => {
  const { holder, partner, both } = await open();
  expect(await poured(both)).toEqual(POURED);
  const customer = await atStripe(holder);
  const goodbye = { password: PASSWORD, confirmation: 'DELETE' };
  await (await again(holder.caller)).must('POST', '/api/privacy/delete-account', goodbye);
  await pass(31);
  expect((await stripe.charges.list({ customer })).data).toHaveLength(1);
  const after = await own(partner);
  expect(after).toMatchObject({ customer: { status: 'inactive' }, household: null });
  expect(await poured([partner])).toEqual(['CUSTOMER_NOT_ACTIVE']);
  // A single email covers everything, although the membership ended first and the account afterwards.
  expect(await subjectsOf(partner)).toEqual(['You no longer share a membership']);
  expect(await (await again(partner.caller)).must('GET', '/api/pours/own')).toHaveLength(1);
});
