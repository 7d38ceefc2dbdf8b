import { createHmac } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { WEBHOOK_EVENTS } from '../../../src/server/billing/webhook-events.ts';
import { billing_customer, stripe_event } from '../../../src/server/db/schema.ts';
import { breakable, openSharedDatabase } from '../../support/billing/databases.ts';
import { stripeCustomerId } from '../../support/billing/member-state.ts';
import { openVenue, SECRET, type Venue } from '../../support/billing/venue.ts';

beforeAll(openSharedDatabase);

function signed(venue: Venue, body: string, secret = SECRET, ageSeconds = 0): string {
  const t = Math.floor(venue.clock.now().getTime() / 1000) - ageSeconds;
  return `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`;
}

function event(venue: Venue, object: object, type = 'customer.subscription.updated', id = 'evt_1'): string {
  const created = Math.floor(venue.clock.now().getTime() / 1000);
  return JSON.stringify({
    id,
    object: 'event',
    api_version: '2026-10-28.endive',
    type,
    created,
    data: { object },
  });
}

const stored = (venue: Venue) => venue.db.select().from(stripe_event);

test.each([
  ['none', () => undefined],
  ['an empty one', () => ''],
  ['nonsense', () => 'v1=abc'],
  ['by another secret', (venue: Venue, body: string) => signed(venue, body, 'whsec_of_another')],
  ['over another body', (venue: Venue, body: string) => signed(venue, `${body} `)],
  ['older than five minutes', (venue: Venue, body: string) => signed(venue, body, SECRET, 301)],
])('signature: %s is refused, and nothing is kept', async (_name, sign) => {
  const venue = await openVenue();
  const body = event(venue, { object: 'subscription', customer: 'cus_1' });
  const answer = await venue.billing.handleWebhook(body, sign(venue, body));
  expect(answer).toMatchObject({ status: 400, body: { code: 'BAD_SIGNATURE' } });
  expect(await stored(venue)).toEqual([]);
});

test('signature: while a secret is being replaced, both are accepted, afterwards only the new one', async () => {
  const venue = await openVenue();
  const both = venue.anotherProcess({ webhookSecrets: ['whsec_new', SECRET] });
  const after = venue.anotherProcess({ webhookSecrets: ['whsec_new'] });
  const body = event(venue, { object: 'subscription', customer: 'cus_1' });
  expect((await both.handleWebhook(body, signed(venue, body))).status).toBe(200);
  expect((await both.handleWebhook(body, signed(venue, body, 'whsec_new'))).status).toBe(200);
  expect((await after.handleWebhook(body, signed(venue, body, 'whsec_new'))).status).toBe(200);
  expect((await after.handleWebhook(body, signed(venue, body))).status).toBe(400);
});

test('signature: its age is measured in real time, even where the venue’s clock is simulated', async () => {
  const venue = await openVenue();
  const body = event(venue, { object: 'subscription', customer: 'cus_1' });
  const signature = signed(venue, body);
  const wallClock = () => new Date('2026-06-15T12:00:01Z');
  venue.clock.advance({ days: 31 });
  expect((await venue.anotherProcess({ wallClock }).handleWebhook(body, signature)).status).toBe(200);
});

test('a signed body that is not JSON is refused', async () => {
  const venue = await openVenue();
  expect((await venue.billing.handleWebhook('no json', signed(venue, 'no json'))).status).toBe(400);
});

test('an event we do not handle is ignored; one about an unknown customer is stored as processed', async () => {
  const venue = await openVenue();
  const boring = event(venue, { object: 'price', id: 'price_1' }, 'price.created');
  expect((await venue.billing.handleWebhook(boring, signed(venue, boring))).status).toBe(200);
  expect(await stored(venue)).toEqual([]);
  const strange = event(venue, { object: 'subscription', customer: 'cus_of_another_product' });
  expect((await venue.billing.handleWebhook(strange, signed(venue, strange))).status).toBe(200);
  expect(await stored(venue)).toMatchObject([{ id: 'evt_1', processed_at: venue.clock.now() }]);
});

test.each([
  [
    'a payment page',
    [
      ...['checkout.session.completed', 'checkout.session.expired'],
      ...['checkout.session.async_payment_succeeded', 'checkout.session.async_payment_failed'],
    ],
  ],
  [
    'a subscription',
    [
      ...['customer.subscription.created', 'customer.subscription.updated', 'customer.subscription.deleted'],
      ...['customer.subscription.paused', 'customer.subscription.resumed'],
      ...['customer.subscription.pending_update_applied', 'customer.subscription.pending_update_expired'],
      ...['subscription_schedule.updated', 'subscription_schedule.released'],
    ],
  ],
  ['the customer', ['customer.updated', 'customer.deleted']],
  [
    'an invoice',
    [
      ...['invoice.paid', 'invoice.payment_failed', 'invoice.payment_action_required'],
      'invoice.finalization_failed',
    ],
  ],
  [
    'a payment method',
    [
      ...['payment_method.attached', 'payment_method.detached', 'payment_method.updated'],
      'payment_method.automatically_updated',
    ],
  ],
  [
    'money that goes back, or may',
    ['charge.refunded', 'refund.failed', 'charge.dispute.created', 'charge.dispute.closed'],
  ],
])('every event about %s is one that we ask Stripe for, and handle', async (_name, types) => {
  const venue = await openVenue();
  for (const type of types) {
    const body = event(venue, { object: 'subscription', customer: 'cus_1' }, type, `evt_${type}`);
    expect(await venue.billing.handleWebhook(body, signed(venue, body))).toMatchObject({ status: 200 });
  }
  expect((await stored(venue)).map(({ type }) => type).sort()).toEqual(types.sort());
  expect(WEBHOOK_EVENTS).toEqual(expect.arrayContaining(types));
});

test('the content of an event is not trusted', async () => {
  const venue = await openVenue();
  const applicant = await venue.applicant();
  await venue.checkout(applicant);
  const customer = await stripeCustomerId(venue.db, applicant.user);
  const claim = { object: 'subscription', id: 'sub_1', customer, status: 'active' };
  const body = event(venue, claim, 'customer.subscription.created');
  expect((await venue.billing.handleWebhook(body, signed(venue, body))).status).toBe(200);
  expect(await venue.state(applicant.user)).toMatchObject({ customer: null, application: 'pending' });
});

test('an event about a dispute whose charge Stripe no longer has counts as processed', async () => {
  const venue = await openVenue();
  const body = event(venue, { object: 'dispute', charge: 'ch_gone' }, 'charge.dispute.closed');
  expect((await venue.billing.handleWebhook(body, signed(venue, body))).status).toBe(200);
  expect(await stored(venue)).toMatchObject([{ stripe_customer_id: null, processed_at: expect.any(Date) }]);
});

test('a duplicate is reported as one, without a request to Stripe', async () => {
  const venue = await openVenue();
  const member = await venue.member();
  const customer = await stripeCustomerId(venue.db, member.user);
  const body = event(venue, { object: 'subscription', customer });
  expect((await venue.billing.handleWebhook(body, signed(venue, body))).body).toEqual({ received: true });
  await venue.control('fail-next', { path: '/v1/', status: 500, times: 100 });
  const again = await venue.billing.handleWebhook(body, signed(venue, body));
  expect(again).toEqual({ status: 200, body: { received: true, duplicate: true } });
});

test('the database fails during a webhook: 503, and the webhook sent again makes the member', async () => {
  const venue = await openVenue();
  await venue.webhooks('hold');
  const applicant = await venue.applicant();
  await venue.pay(await venue.checkout(applicant));
  const broken = breakable(venue.db);
  broken.failTransactions(true);
  venue.serveWith(venue.anotherProcess({ db: broken.db }));
  await venue.control('webhooks/release');
  await venue.delivered();
  expect(await venue.state(applicant.user)).toMatchObject({ customer: null, application: 'pending' });
  const open = (await stored(venue)).filter(({ processed_at }) => processed_at === null);
  expect(open.length).toBeGreaterThan(0);
  // Refused events were sent again.
  expect(venue.responses.filter((it) => it === 503).length).toBeGreaterThan(open.length);

  broken.failTransactions(false);
  const [first] = open;
  await venue.webhooks('normal');
  await venue.control('webhooks/replay', { event: first?.id });
  await venue.delivered();
  expect(venue.responses.at(-1)).toBe(200);
  expect(await venue.state(applicant.user)).toMatchObject({ memberships: 1, application: 'approved' });

  await venue.advance({ minutes: 6 });
  expect(await venue.billing.sweep()).toMatchObject({ events: open.length - 1, failures: 0 });
  expect((await stored(venue)).filter(({ processed_at }) => processed_at === null)).toEqual([]);
});

test('Stripe fails during a webhook: 503, and the sweeper processes it', async () => {
  const venue = await openVenue();
  await venue.webhooks('drop');
  const applicant = await venue.applicant();
  await venue.pay(await venue.checkout(applicant));
  const customer = await stripeCustomerId(venue.db, applicant.user);
  const body = event(venue, { object: 'subscription', customer });
  await venue.control('fail-next', { path: '/v1/subscriptions', method: 'GET', status: 500 });
  expect((await venue.billing.handleWebhook(body, signed(venue, body))).status).toBe(503);
  expect(await venue.state(applicant.user)).toMatchObject({ customer: null });
  await venue.advance({ minutes: 6 });
  await venue.billing.sweep();
  expect(await venue.state(applicant.user)).toMatchObject({ customer: { status: 'active' } });
});

test('after an older backup was restored, our customer is recognized by its metadata', async () => {
  const venue = await openVenue();
  await venue.webhooks('drop');
  const applicant = await venue.applicant();
  await venue.pay(await venue.checkout(applicant));
  const customer = await stripeCustomerId(venue.db, applicant.user);
  await venue.db.delete(billing_customer).where(eq(billing_customer.user_id, applicant.user));
  const body = event(venue, { object: 'subscription', customer });
  expect((await venue.billing.handleWebhook(body, signed(venue, body))).status).toBe(200);
  expect(await venue.state(applicant.user)).toMatchObject({ customer: { status: 'active' }, memberships: 1 });
});

test('ten simultaneous events about one member cost two reconciliations', async () => {
  const venue = await openVenue();
  const member = await venue.member();
  const customer = await stripeCustomerId(venue.db, member.user);
  const list = venue.stripe.subscriptions.list.bind(venue.stripe.subscriptions);
  let requests = 0;
  venue.stripe.subscriptions.list = ((...args: Parameters<typeof list>) => {
    requests += 1;
    return list(...args);
  }) as typeof list;
  const bodies = Array.from({ length: 10 }, (_, nth) =>
    event(venue, { object: 'subscription', customer }, undefined, `evt_${nth}`),
  );
  const answers = await Promise.all(
    bodies.map((body) => venue.billing.handleWebhook(body, signed(venue, body))),
  );
  expect(answers.every(({ status }) => status === 200)).toBe(true);
  expect(requests).toBeLessThanOrEqual(3);
});

test('a thin event is accepted and ignored, and the log says what to choose at Stripe', async () => {
  const venue = await openVenue();
  const body = JSON.stringify({
    id: 'evt_thin',
    object: 'v2.core.event',
    type: 'v1.billing.meter.error_report_triggered',
    created: venue.clock.now().toISOString(),
    related_object: { id: 'mtr_1', type: 'billing.meter', url: '/v1/billing/meters/mtr_1' },
  });
  expect((await venue.billing.handleWebhook(body, signed(venue, body))).status).toBe(200);
  expect(venue.logged.join()).toContain('snapshot payload');
  expect((await venue.billing.handleWebhook(body, signed(venue, body, 'whsec_wrong'))).status).toBe(400);
});

test('a dispute whose charge is gone is processed once', async () => {
  const venue = await openVenue();
  const dispute = { id: 'dp_1', object: 'dispute', charge: 'ch_gone' };
  const body = event(venue, dispute, 'charge.dispute.created', 'evt_gone');
  expect((await venue.billing.handleWebhook(body, signed(venue, body))).status).toBe(200);
  expect(await venue.billing.handleWebhook(body, signed(venue, body))).toMatchObject({
    body: { duplicate: true },
  });
});
