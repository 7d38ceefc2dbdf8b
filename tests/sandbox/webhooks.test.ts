import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Stripe from 'stripe';
import { describe, expect, onTestFinished, test } from 'vitest';
import { signature } from '../../sandbox/payments/http/webhooks.ts';
import {
  CARD,
  createTiers,
  pageOf,
  type Received,
  SECRET,
  startEndpoint,
  startHarness,
  submitForm,
} from '../support/sandbox/harness.ts';

const types = (received: Received[]) => received.map((entry) => entry.type);
const has = (type: string) => (received: Received[]) => received.some((entry) => entry.type === type);

async function paidSession(harness: Awaited<ReturnType<typeof startHarness>>) {
  const { premier } = await createTiers(harness.stripe);
  const session = await harness.stripe.checkout.sessions.create({
    mode: 'subscription',
    line_items: [{ price: premier.id, quantity: 1 }],
    success_url: 'http://club.test/',
  });
  await submitForm(pageOf(harness, session), CARD);
  return session;
}

describe('webhooks', () => {
  test('a payment sends its events in order when one goes at a time, signed for the SDK', async () => {
    const endpoint = await startEndpoint();
    const harness = await startHarness({ webhook: { url: endpoint.url, secret: SECRET } });
    await harness.control('webhooks', { concurrency: 1 });
    const session = await paidSession(harness);
    await endpoint.until(has('checkout.session.completed'));
    expect(types(endpoint.received).filter((type) => !/^(product|price)/.test(type))).toEqual([
      'customer.created',
      'payment_method.attached',
      'invoice.created',
      'customer.subscription.created',
      'invoice.finalized',
      'charge.succeeded',
      'payment_intent.succeeded',
      'invoice.paid',
      'invoice.payment_succeeded',
      'customer.subscription.updated',
      'checkout.session.completed',
    ]);
    const last = endpoint.received.at(-1);
    const event = harness.stripe.webhooks.constructEvent(last?.body ?? '', last?.signature ?? '', SECRET);
    expect(event).toMatchObject({
      type: 'checkout.session.completed',
      api_version: Stripe.API_VERSION,
      data: { object: { id: session.id, status: 'complete', payment_status: 'paid' } },
    });
    expect(() =>
      harness.stripe.webhooks.constructEvent(last?.body ?? '', last?.signature ?? '', 'whsec_other'),
    ).toThrow(Stripe.errors.StripeSignatureVerificationError);
    const started = endpoint.received.find((entry) => entry.type === 'customer.subscription.updated');
    expect(JSON.parse(started?.body ?? '{}')).toMatchObject({
      data: { object: { status: 'active' }, previous_attributes: { status: 'incomplete' } },
    });
  });

  test('the signature depends on the time', () => {
    const stripe = new Stripe('sk_test_x');
    const body = '{"id":"evt_1","object":"event"}';
    const old = signature(body, SECRET, Math.floor(Date.now() / 1000) - 3600);
    expect(() => stripe.webhooks.constructEvent(body, old, SECRET)).toThrow(/tolerance/);
  });

  test('a rejected event is sent again until it is accepted', async () => {
    const endpoint = await startEndpoint((_, count) => (count <= 2 ? 500 : 200));
    const harness = await startHarness({ webhook: { url: endpoint.url, secret: SECRET } });
    const customer = await harness.stripe.customers.create({ email: 'ada@example.test' });
    await endpoint.until((received) => received.length === 3);
    expect(new Set(endpoint.received.map((entry) => entry.id)).size).toBe(1);
    await harness.control('webhooks/idle', {});
    const { deliveries } = await harness.control<{ deliveries: object[] }>('webhooks');
    expect(deliveries).toMatchObject([
      {
        state: 'delivered',
        type: 'customer.created',
        attempts: [{ status: 500 }, { status: 500 }, { status: 200 }],
      },
    ]);
    const [event] = (await harness.stripe.events.list({ type: 'customer.created' })).data;
    expect(event).toMatchObject({ pending_webhooks: 0, data: { object: { id: customer.id } } });
  });

  test('after the last retry a delivery has failed, and its event can be sent again by hand', async () => {
    let broken = true;
    const endpoint = await startEndpoint(() => (broken ? 404 : 200));
    const harness = await startHarness({ webhook: { url: endpoint.url, secret: SECRET } });
    await harness.stripe.customers.create();
    await endpoint.until((received) => received.length === 4);
    await harness.control('webhooks/idle', {});
    const state = await harness.control<{ deliveries: { state: string; event: string }[] }>('webhooks');
    expect(state.deliveries).toMatchObject([{ state: 'failed' }]);
    broken = false;
    await harness.control('webhooks/replay', { event: state.deliveries[0]?.event });
    await endpoint.until((received) => received.length === 5);
  });

  test('an endpoint that does not respond in time is retried', async () => {
    const endpoint = await startEndpoint((_, count) => (count === 1 ? 'silence' : 200));
    const harness = await startHarness({
      webhookTimeoutMs: 50,
      webhook: { url: endpoint.url, secret: SECRET },
    });
    await harness.stripe.customers.create();
    await endpoint.until((received) => received.length === 2);
    expect(endpoint.received[0]?.id).toBe(endpoint.received[1]?.id);
  });

  test('drop, duplicate, hold and release', async () => {
    const endpoint = await startEndpoint();
    const harness = await startHarness({ webhook: { url: endpoint.url, secret: SECRET } });
    await harness.control('webhooks', { mode: 'drop' });
    await harness.stripe.customers.create({ name: 'dropped' });
    await harness.control('webhooks', { mode: 'duplicate' });
    await harness.stripe.customers.create({ name: 'twice' });
    await endpoint.until((received) => received.length === 2);
    expect(endpoint.received[0]?.id).toBe(endpoint.received[1]?.id);
    await harness.control('webhooks', { mode: 'hold' });
    await harness.stripe.customers.create({ name: 'first' });
    await harness.stripe.customers.create({ name: 'second' });
    await harness.control('webhooks/idle', {});
    expect(endpoint.received).toHaveLength(2);
    expect(await harness.control('webhooks/release', { reverse: true })).toEqual({ released: 2 });
    await endpoint.until((received) => received.length === 4);
    const names = endpoint.received.map((entry) => JSON.parse(entry.body).data.object.name);
    expect(names).toEqual(['twice', 'twice', 'second', 'first']);
  });

  test('what was not delivered is sent after a restart', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'sandbox-'));
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
    const first = await startHarness({
      dataDir,
      webhook: { url: 'http://127.0.0.1:9/', secret: SECRET },
      retryDelaysMs: [60_000],
    });
    const customer = await first.stripe.customers.create({ email: 'ada@example.test' });
    await first.sandbox.close();
    const endpoint = await startEndpoint();
    // Two minutes later the retry is due.
    await startHarness({
      dataDir,
      now: () => Date.now() + 120_000,
      webhook: { url: endpoint.url, secret: SECRET },
    });
    await endpoint.until((received) => received.length === 1);
    expect(JSON.parse(endpoint.received[0]?.body ?? '{}').data.object.id).toBe(customer.id);
  });
});
