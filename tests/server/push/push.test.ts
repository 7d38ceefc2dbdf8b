import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addDays, addMonths, atHour, localDate } from '../../../src/domain/calendar.ts';
import { MAX_PUSH_DEVICES } from '../../../src/domain/push/push-endpoint.ts';
import { createStripe } from '../../../src/server/billing/stripe-client.ts';
import { billing_customer, deliveries, push_device } from '../../../src/server/db/schema.ts';
import { createDeliveries } from '../../../src/server/deliveries/deliveries.ts';
import { remindOfGlasses } from '../../../src/server/pours/glasses-reminders.ts';
import { pushKeysFrom } from '../../../src/server/push/push-keys.ts';
import { pushSender } from '../../../src/server/push/push-outbox.ts';
import { type FakeDevice, type FakePushService, startPushService } from '../../support/fakes/push-service.ts';
import { cardMember, pour, venueMember } from '../../support/fixtures/members.ts';
import { createTestApp, PASSWORD, type TestApp, VENUE_ZONE } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

interface Listed {
  server_key: string;
  devices: { id: string; endpoint: string }[];
}

let service: FakePushService;
let app: TestApp;
beforeAll(async () => {
  service = await startPushService();
  app = await createTestApp({ pushAgent: service.agent });
});
afterAll(async () => {
  await app.close();
  await service.close();
});
beforeEach(async () => {
  service.answer(null);
  await app.services.db.delete(deliveries);
  await app.services.db.delete(push_device);
});

const listed = (caller: Caller) => caller.must<Listed>('GET', '/api/push-devices');

async function turnOn(caller: Caller): Promise<FakeDevice & { id: string }> {
  const device = service.subscribe((await listed(caller)).server_key);
  const { id } = await caller.must<{ id: string }>('POST', '/api/push-devices', device.subscription);
  return Object.assign(device, { id });
}

const deliver = () => app.services.deliveries.deliver('push');
const news = (user_id: string, cause = 'test:1') => ({
  user_id,
  cause,
  message: { tag: 'glasses_left' as const, title: 'Test Cellar', body: 'Soon.', path: '/dashboard' },
  expires_at: new Date(app.clock.now().getTime() + 86_400_000),
});
const enqueue = (caller: Caller, cause?: string) =>
  app.services.push.enqueue(app.services.db, news(caller.id, cause));

describe('a device', () => {
  it('gets messages that only its own keys can decrypt, signed with the key it subscribed with', async () => {
    const member = await app.customer();
    const [phone, laptop] = [await turnOn(member), await turnOn(await signedInAgain(member))];
    expect(await enqueue(member)).toBe(2);
    expect(await deliver()).toEqual({ sent: 2, failed: 0 });
    for (const { received } of [phone, laptop]) {
      expect(received).toEqual([
        { message: news(member.id).message, ttl: 86_400, topic: 'glasses_left', urgency: 'normal' },
      ]);
    }
    expect(await deliver()).toEqual({ sent: 0, failed: 0 });
    const [row] = await app.services.db.select().from(deliveries).where(eq(deliveries.kind, 'push'));
    expect(row).toMatchObject({ payload: null, outcome: 'sent', finished_at: app.clock.now() });
  });

  it('is one per session, moves with its endpoint, and can be removed only by its member', async () => {
    const [ada, eve] = [await app.customer(), await app.customer()];
    await turnOn(ada);
    const second = await turnOn(ada);
    expect((await listed(ada)).devices).toMatchObject([{ id: second.id }]);
    await eve.must('POST', '/api/push-devices', second.subscription);
    expect((await listed(ada)).devices).toEqual([]);
    const [moved] = (await listed(eve)).devices;
    expect(moved?.endpoint).toBe(second.subscription.endpoint);
    expect((await ada.call('DELETE', `/api/push-devices/${moved?.id}`)).status).toBe(404);
    await eve.must('DELETE', `/api/push-devices/${moved?.id}`);
    expect((await listed(eve)).devices).toEqual([]);
  });

  it(`has room for ${MAX_PUSH_DEVICES} of an account; the oldest makes way`, async () => {
    const member = await app.customer();
    const first = await turnOn(member);
    for (let more = 0; more < MAX_PUSH_DEVICES; more += 1) {
      app.clock.advance({ seconds: 1 });
      await turnOn(await signedInAgain(member));
    }
    const { devices } = await listed(member);
    expect(devices).toHaveLength(MAX_PUSH_DEVICES);
    expect(devices.map(({ id }) => id)).not.toContain(first.id);
  });

  it.each([
    ['of a private network', { endpoint: 'https://192.168.1.1/x' }],
    ['of no push service', { endpoint: 'http://fcm.googleapis.com/x' }],
    ['that is too long', { endpoint: `https://fcm.googleapis.com/${'x'.repeat(1000)}` }],
    ['with a short key', { keys: { p256dh: 'BPk', auth: 'x'.repeat(22) } }],
    ['with more than that', { user_id: 'somebody' }],
  ])('%s is refused', async (_, wrong) => {
    const member = await app.customer();
    const { subscription } = service.subscribe('');
    const answer = await member.call('POST', '/api/push-devices', { ...subscription, ...wrong });
    expect(answer.status).toBe(400);
    expect((await listed(member)).devices).toEqual([]);
  });

  it('gets nothing after its session was ended, there or from elsewhere', async () => {
    const member = await app.customer();
    const other = await signedInAgain(member);
    const [, away] = [await turnOn(member), await turnOn(other)];
    await other.must('POST', '/api/auth/sign-out', {});
    const { devices } = await listed(member);
    expect(devices).toHaveLength(1);
    expect(devices.map(({ id }) => id)).not.toContain(away.id);
    const third = await signedInAgain(member);
    await turnOn(third);
    await member.must('POST', '/api/sessions/delete-others', {});
    expect((await listed(member)).devices).toEqual(devices);
  });
});

describe('a message', () => {
  it('is shown once per cause, even after the device has subscribed again', async () => {
    const member = await app.customer();
    await turnOn(member);
    await Promise.all([enqueue(member), enqueue(member)]);
    await deliver();
    const again = await turnOn(member);
    expect(await enqueue(member)).toBe(0);
    await deliver();
    expect(again.received).toEqual([]);
  });

  it('waits through the venue’s night, from nine in the evening to nine in the morning there', async () => {
    const member = await app.customer();
    const phone = await turnOn(member);
    const today = localDate(app.clock.now(), VENUE_ZONE);
    app.clock.set(new Date(atHour(today, 21, VENUE_ZONE).getTime() - 1000));
    await enqueue(member);
    expect(await deliver()).toEqual({ sent: 1, failed: 0 });
    app.clock.advance({ seconds: 1 });
    await enqueue(member, 'test:2');
    const morning = atHour(addDays(today, 1), 9, VENUE_ZONE);
    app.clock.set(new Date(morning.getTime() - 1000));
    expect(await deliver()).toEqual({ sent: 0, failed: 0 });
    app.clock.set(morning);
    expect(await deliver()).toEqual({ sent: 1, failed: 0 });
    expect(phone.received).toHaveLength(2);
  });

  it('is not shown on a device that another member has taken over since', async () => {
    const [ada, eve] = [await app.customer(), await app.customer()];
    const phone = await turnOn(ada);
    await enqueue(ada);
    await eve.must('POST', '/api/push-devices', phone.subscription);
    expect(await deliver()).toEqual({ sent: 0, failed: 1 });
    expect(phone.received).toEqual([]);
    await enqueue(eve, 'test:2');
    expect(await deliver()).toEqual({ sent: 1, failed: 0 });
    expect(phone.received).toHaveLength(1);
  });

  it.each([500, 429, 403])('is retried after a failure (%i), until it is out of date', async (status) => {
    const member = await app.customer();
    const phone = await turnOn(member);
    await enqueue(member);
    service.answer(status);
    expect(await deliver()).toEqual({ sent: 0, failed: 1 });
    expect(await deliver()).toEqual({ sent: 0, failed: 0 });
    service.answer(null);
    app.clock.advance({ seconds: 30 });
    expect(await deliver()).toEqual({ sent: 1, failed: 0 });
    expect(phone.received).toHaveLength(1);
    await enqueue(member, 'test:2');
    app.clock.advance({ days: 1 });
    expect(await deliver()).toEqual({ sent: 0, failed: 0 });
  });

  it.each([404, 410])('to a device that its push service forgot (%i) removes the device', async (status) => {
    const member = await app.customer();
    await turnOn(member);
    await enqueue(member);
    service.answer(status);
    expect(await deliver()).toEqual({ sent: 0, failed: 1 });
    expect((await listed(member)).devices).toEqual([]);
    app.clock.advance({ days: 1 });
    expect(await deliver()).toEqual({ sent: 0, failed: 0 });
  });

  it('that the push service will never accept is not retried', async () => {
    const member = await app.customer();
    await turnOn(member);
    await enqueue(member);
    service.answer(413);
    await deliver();
    service.answer(null);
    app.clock.advance({ minutes: 360 });
    expect(await deliver()).toEqual({ sent: 0, failed: 0 });
    expect((await listed(member)).devices).toHaveLength(1);
  });

  it('is not sent with keys from another secret: the device has to subscribe again', async () => {
    const member = await app.customer();
    await turnOn(member);
    await enqueue(member);
    const asked = service.requests();
    const push = pushSender({
      ...app.services,
      keys: pushKeysFrom('another secret of more than 32 characters'),
      contact: () => 'mailto:help@venue.test',
      agent: service.agent,
    });
    const other = createDeliveries(app.services, { push });
    expect(await other.deliver()).toEqual({ sent: 0, failed: 1 });
    expect(service.requests()).toBe(asked);
    expect((await listed(member)).devices).toEqual([]);
  });

  it('is logged without its endpoint', async () => {
    const member = await app.customer();
    const { subscription } = await turnOn(member);
    await enqueue(member);
    service.answer(500);
    await deliver();
    const lines = app.logged.join('\n');
    expect(lines).toContain('notification not sent');
    for (const secret of [new URL(subscription.endpoint).pathname, ...Object.values(subscription.keys)]) {
      expect(lines).not.toContain(secret);
    }
  });
});

describe('glasses that are left', () => {
  const remind = () => remindOfGlasses(app.services);

  it('are announced once a period, from three days before it ends, to members with a device', async () => {
    // In the evening, when UTC has the next day.
    app.clock.set(atHour(addDays(localDate(app.clock.now(), VENUE_ZONE), 1), 18, VENUE_ZONE));
    const joined = app.clock.now();
    const { caller } = await cardMember(app);
    await cardMember(app);
    const phone = await turnOn(caller);
    const reset = addMonths(localDate(joined, VENUE_ZONE), 1);
    app.clock.advance({ days: 26 });
    expect(await remind()).toBe(0);
    app.clock.advance({ days: 1, minutes: 60 });
    expect(await remind()).toBe(1);
    expect(await remind()).toBe(0);
    await deliver();
    expect(phone.received.map(({ message }) => message)).toMatchObject([
      { tag: 'glasses_left', title: 'Test Cellar', path: '/dashboard' },
    ]);
    const day = new Intl.DateTimeFormat('en-US', { month: 'long', day: 'numeric', timeZone: 'UTC' });
    expect(phone.received[0]?.message.body).toBe(
      `You have pours left this month. They reset on ${day.format(new Date(reset))}.`,
    );
  });

  it('are not announced when none are left', async () => {
    const staff = await app.staff();
    const { caller, customer_id } = await venueMember(app, staff);
    await turnOn(caller);
    app.clock.advance({ days: 28 });
    await pour(staff, customer_id, { quantity: 4 });
    expect(await remind()).toBe(0);
  });
});

describe('a payment that failed', () => {
  it('is announced once, with the email, until grace is over', async () => {
    const { caller } = await cardMember(app);
    const phone = await turnOn(caller);
    await failNextCharge(caller);
    app.clock.advance({ days: 31, minutes: 1 });
    await control('clock', { advance: 0 });
    await control('webhooks/idle');
    await deliver();
    expect(phone.received).toMatchObject([
      { message: { tag: 'payment_failed', title: 'Test Cellar', path: '/account' }, topic: 'payment_failed' },
    ]);
    expect(phone.received[0]?.ttl).toBeGreaterThan(6 * 86_400);
    await app.services.billing.reconcile(caller.id);
    await deliver();
    expect(phone.received).toHaveLength(1);
  });
});

async function control(path: string, body: object = {}): Promise<void> {
  const answer = await fetch(`${app.sandbox.url}/_sandbox/${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(await answer.text());
}

/** Replaces the member's card by one that can be stored but not charged. */
async function failNextCharge({ id }: Caller): Promise<void> {
  const { sandbox, services } = app;
  const stripe = createStripe({ secretKey: sandbox.stripeSecretKey, apiUrl: sandbox.url });
  const [account] = await services.db.select().from(billing_customer).where(eq(billing_customer.user_id, id));
  const customer = account?.stripe_customer_id ?? '';
  const method = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer });
  await stripe.customers.update(customer, { invoice_settings: { default_payment_method: method.id } });
}

/** Signs the same user in on another device. */
async function signedInAgain(member: Caller): Promise<Caller> {
  const { user } = await member.must<{ user: { email: string } }>('GET', '/api/session');
  const other = app.visitor();
  await other.must('POST', '/api/auth/sign-in', { email: user.email, password: PASSWORD });
  return other;
}
