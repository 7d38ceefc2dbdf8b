import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Stripe from 'stripe';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  CARD,
  createPayer,
  createTiers,
  pageOf,
  startHarness,
  submitForm,
} from '../support/sandbox/harness.ts';

const call = (url: string, init: RequestInit & { key?: string } = {}) =>
  fetch(url, {
    ...init,
    headers: {
      authorization: `Bearer ${init.key ?? 'sk_test_x'}`,
      ...(init.headers as Record<string, string>),
    },
  });

describe('the API itself', () => {
  test("returns unknown paths in Stripe's error envelope", async () => {
    const { sandbox } = await startHarness();
    for (const [path, method] of [
      ['/v1/nothing', 'GET'],
      ['/v1/customers/cus_1/nothing', 'POST'],
      ['/v1/customers', 'PUT'],
      ['/v1/', 'GET'],
      ['/v1/%E0%A4%A', 'GET'],
    ] as const) {
      const answer = await call(`${sandbox.url}${path}`, { method });
      expect(answer.status, `${method} ${path}`).toBeGreaterThanOrEqual(400);
      expect(answer.status).toBeLessThan(500);
      expect(await answer.json()).toMatchObject({
        error: { type: 'invalid_request_error', message: expect.any(String) },
      });
    }
  });

  test('requires a test key and refuses a live one', async () => {
    const { sandbox } = await startHarness();
    for (const key of ['sk_live_abc', 'rk_live_abc', 'pk_test_abc', '']) {
      const answer = await call(`${sandbox.url}/v1/customers`, { key });
      expect(answer.status).toBe(401);
    }
    const live = (await (await call(`${sandbox.url}/v1/customers`, { key: 'sk_live_abc' })).json()) as {
      error: { message: string };
    };
    expect(live.error.message).toContain('refuses live keys');
  });

  test("accepts only the SDK's API version", async () => {
    const { sandbox, stripe } = await startHarness();
    const list = await stripe.customers.list();
    expect(list.lastResponse.apiVersion).toBe(Stripe.API_VERSION);
    expect(list.lastResponse.requestId).toMatch(/^req_/);
    const other = await call(`${sandbox.url}/v1/customers`, { headers: { 'stripe-version': '2020-08-27' } });
    expect(other.status).toBe(400);
    expect(other.headers.get('stripe-version')).toBe(Stripe.API_VERSION);
  });

  test.each([
    ['customers', { emial: 'x' }, 'emial'],
    ['customers', { 'invoice_settings[foo]': '1' }, 'invoice_settings[foo]'],
    ['checkout/sessions', { 'payment_method_types[0]': 'card' }, 'payment_method_types'],
    ['subscriptions', { customer: 'cus_1', 'items[0][amount]': 'x' }, 'items[0][amount]'],
    ['customers', { __proto__x: '1' }, '__proto__x'],
    ['customers', { constructor: '1' }, 'constructor'],
  ])('%s refuses the unknown parameter %o', async (path, body, param) => {
    const { sandbox } = await startHarness();
    const answer = await call(`${sandbox.url}/v1/${path}`, {
      method: 'POST',
      body: new URLSearchParams(body as Record<string, string>),
    });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: { code: 'parameter_unknown', param } });
  });

  test('names all unknown parameters of a request, before anything that is missing', async () => {
    const { sandbox } = await startHarness();
    const body = new URLSearchParams({ emial: 'x', 'address[town]': 'y', name: 'z' });
    const answer = await call(`${sandbox.url}/v1/customers`, { method: 'POST', body });
    expect(await answer.json()).toMatchObject({
      error: { message: 'Received unknown parameters: emial, address[town]', param: 'emial' },
    });
  });

  test.each([
    ['refunds', { reason: 'bored' }, 'reason', 'duplicate, fraudulent, or requested_by_customer'],
    [
      'checkout/sessions',
      { billing_address_collection: 'no' },
      'billing_address_collection',
      'auto or required',
    ],
    [
      'subscriptions/sub_1',
      { cancel_at: 'soon' },
      'cancel_at',
      'max_billed_until, max_period_end, or min_period_end',
    ],
  ])('%s refuses the value in %o', async (path, body, param, words) => {
    const { sandbox } = await startHarness();
    const answer = await call(`${sandbox.url}/v1/${path}`, {
      method: 'POST',
      body: new URLSearchParams(body as Record<string, string>),
    });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      error: { message: `Invalid ${param}: must be one of ${words}`, param },
    });
  });

  test("refuses a parameter of Stripe's that the sandbox lacks as unsupported, not as unknown", async () => {
    const { stripe } = await startHarness();
    const refused = stripe.checkout.sessions.create({
      mode: 'subscription',
      line_items: [],
      success_url: 'http://club.test/',
      consent_collection: { terms_of_service: 'required' },
    });
    await expect(refused).rejects.toMatchObject({
      code: undefined,
      message: "The sandbox does not support this parameter of Stripe's: consent_collection",
    });
  });

  test('names missing and invalid parameters', async () => {
    const { stripe, sandbox } = await startHarness();
    await expect(stripe.customers.retrieve('cus_none')).rejects.toMatchObject({
      statusCode: 404,
      code: 'resource_missing',
      message: "No such customer: 'cus_none'",
    });
    await expect(stripe.subscriptions.retrieve('sub_none')).rejects.toMatchObject({
      code: 'resource_missing',
    });
    await expect(stripe.products.create({} as Stripe.ProductCreateParams)).rejects.toMatchObject({
      code: 'parameter_missing',
      param: 'name',
    });
    await expect(stripe.customers.create({ email: 'no' })).rejects.toMatchObject({ code: 'email_invalid' });
    await expect(stripe.customers.list({ limit: 101 })).rejects.toMatchObject({ param: 'limit' });
    const json = await call(`${sandbox.url}/v1/customers`, {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    });
    expect(json.status).toBe(400);
  });

  test('replays an idempotent request and refuses its key for another', async () => {
    const { stripe } = await startHarness();
    const key = { idempotencyKey: 'join-user-1' };
    const first = await stripe.customers.create({ email: 'a@example.test' }, key);
    const again = await stripe.customers.create({ email: 'a@example.test' }, key);
    expect(again.id).toBe(first.id);
    expect(again.lastResponse.headers['idempotent-replayed']).toBe('true');
    expect(first.lastResponse.headers['idempotent-replayed']).toBeUndefined();
    expect((await stripe.customers.list()).data).toHaveLength(1);
    await expect(stripe.customers.create({ email: 'b@example.test' }, key)).rejects.toBeInstanceOf(
      Stripe.errors.StripeIdempotencyError,
    );
    await expect(stripe.products.create({ name: 'x' }, key)).rejects.toMatchObject({
      type: 'StripeIdempotencyError',
    });
    expect((await stripe.events.list({ type: 'customer.created' })).data[0]?.request).toEqual({
      id: first.lastResponse.requestId,
      idempotency_key: 'join-user-1',
    });
  });

  test('an invalid parameter does not use up a key; a declined card does', async () => {
    const { stripe } = await startHarness();
    const key = { idempotencyKey: 'k1' };
    await expect(stripe.customers.create({ email: 'nonsense' }, key)).rejects.toMatchObject({
      statusCode: 400,
    });
    await stripe.customers.create({ email: 'a@example.test' }, key);

    const { premier } = await createTiers(stripe);
    const payer = await createPayer(stripe, 'pm_card_chargeCustomerFail');
    const { data } = await stripe.subscriptions.list();
    expect(data).toEqual([]);
    const subscription = await stripe.subscriptions.create({
      customer: payer.id,
      items: [{ price: premier.id }],
    });
    expect(subscription.status).toBe('incomplete');
    const invoice = String(subscription.latest_invoice);
    for (const _ of [1, 2])
      await expect(stripe.invoices.pay(invoice, {}, { idempotencyKey: 'k2' })).rejects.toMatchObject({
        statusCode: 402,
        code: 'card_declined',
        decline_code: 'generic_decline',
      });
    expect((await stripe.charges.list({ customer: payer.id })).data).toHaveLength(2);
  });

  test.each(['before', 'after'] as const)(
    'a 500 under a key is the answer to that key from then on (%s the request did its work)',
    async (when) => {
      const { stripe, control } = await startHarness();
      const key = { idempotencyKey: 'k' };
      await control('fail-next', { path: '/v1/customers', status: 500, when });
      for (const replayed of [undefined, 'true'])
        await expect(stripe.customers.create({ name: 'Ada' }, key)).rejects.toMatchObject({
          statusCode: 500,
          headers: replayed ? { 'idempotent-replayed': replayed } : { 'stripe-should-retry': 'false' },
        });
      expect((await stripe.customers.list()).data).toHaveLength(when === 'after' ? 1 : 0);
      await stripe.customers.create({ name: 'Ada' }, { idempotencyKey: 'k:1' });
    },
  );

  test('a refusal by the request itself is replayed, too; what a gateway or a limit refuses is not', async () => {
    const { stripe, control } = await startHarness();
    const key = { idempotencyKey: 'price' };
    const input = { product: 'wine', currency: 'usd', unit_amount: 100 };
    const refused = { statusCode: 400, code: 'resource_missing' };
    await expect(stripe.prices.create(input, key)).rejects.toMatchObject(refused);
    await stripe.products.create({ id: 'wine', name: 'Wine' });
    await expect(stripe.prices.create(input, key)).rejects.toMatchObject(refused);
    for (const status of [403, 409, 429, 503]) {
      await control('fail-next', { path: '/v1/prices', status });
      await expect(stripe.prices.create(input, { idempotencyKey: `price:${status}` })).rejects.toMatchObject({
        statusCode: status,
      });
      await stripe.prices.create(input, { idempotencyKey: `price:${status}` });
    }
  });

  test('pages through lists in both directions', async () => {
    const { stripe } = await startHarness();
    const made: string[] = [];
    for (let n = 0; n < 25; n += 1) made.unshift((await stripe.customers.create({ name: `n${n}` })).id);
    const all: string[] = [];
    for await (const customer of stripe.customers.list({ limit: 7 })) all.push(customer.id);
    expect(all).toEqual(made);
    const first = await stripe.customers.list();
    expect(first).toMatchObject({ object: 'list', has_more: true, url: '/v1/customers' });
    expect(first.data).toHaveLength(10);
    const back = await stripe.customers.list({ ending_before: made[12], limit: 5 });
    expect(back.data.map((customer) => customer.id)).toEqual(made.slice(7, 12));
    expect(back.has_more).toBe(true);
    await expect(stripe.customers.list({ starting_after: 'cus_none' })).rejects.toMatchObject({
      statusCode: 400,
    });
  });

  test('expands references, nested and within lists, four levels deep and no further', async () => {
    const harness = await startHarness();
    const { stripe } = harness;
    const { premier } = await createTiers(stripe);
    const session = await stripe.checkout.sessions.create({
      mode: 'subscription',
      line_items: [{ price: premier.id, quantity: 1 }],
      success_url: 'http://club.test/',
    });
    await submitForm(pageOf(harness, session), CARD);
    const list = await stripe.subscriptions.list({
      expand: ['data.latest_invoice.payments', 'data.customer', 'data.items.data.price'],
    });
    expect(list.data[0]).toMatchObject({
      customer: { email: CARD.email },
      latest_invoice: { payments: { data: [{ status: 'paid', amount_paid: 6000 }] } },
    });
    await expect(
      stripe.subscriptions.list({ expand: ['data.items.data.price.product'] }),
    ).rejects.toMatchObject({
      code: 'property_expansion_max_depth',
    });
    const [paid] = (await stripe.invoices.list()).data;
    const invoice = await stripe.invoices.retrieve(paid?.id ?? '', {
      expand: ['payments.data.payment.payment_intent'],
    });
    expect(invoice.payments?.data[0]?.payment.payment_intent).toMatchObject({ status: 'succeeded' });
    const one = await stripe.subscriptions.retrieve(list.data[0]?.id ?? '', {
      expand: ['items.data.price.product'],
    });
    expect(one.items.data[0]?.price.product).toMatchObject({ name: 'Premier' });
    await expect(stripe.customers.list({ expand: ['data.a.b.c.d'] })).rejects.toMatchObject({
      code: 'property_expansion_max_depth',
    });
    await expect(stripe.customers.list({ expand: ['data.nonsense'] })).rejects.toMatchObject({
      statusCode: 400,
    });
    await expect(stripe.customers.list({ expand: ['data.email'] })).rejects.toMatchObject({
      statusCode: 400,
    });
  });

  test('fails on demand: before or after, with a status or a closed connection', async () => {
    const { stripe, control } = await startHarness();
    await control('fail-next', { path: '/v1/customers', status: 500 });
    await expect(stripe.customers.create()).rejects.toMatchObject({ statusCode: 500 });
    expect((await stripe.customers.list()).data).toHaveLength(0);
    await control('fail-next', { path: '/v1/customers', status: 503, when: 'after' });
    await expect(stripe.customers.create({}, { idempotencyKey: 'k' })).rejects.toMatchObject({
      statusCode: 503,
    });
    expect((await stripe.customers.list()).data).toHaveLength(1);
    await stripe.customers.create({}, { idempotencyKey: 'k' });
    expect((await stripe.customers.list()).data).toHaveLength(1);
    // Twice, because the SDK retries once when a connection breaks.
    await control('fail-next', { path: '/v1/customers', kind: 'drop', when: 'after', times: 2 });
    await expect(stripe.customers.create({}, { idempotencyKey: 'k2' })).rejects.toBeInstanceOf(
      Stripe.errors.StripeConnectionError,
    );
    expect((await stripe.customers.list()).data).toHaveLength(2);
  });

  test('keeps everything across a restart', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'sandbox-'));
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
    const first = await startHarness({ dataDir });
    const { premier } = await createTiers(first.stripe);
    const payer = await createPayer(first.stripe);
    const subscription = await first.stripe.subscriptions.create({
      customer: payer.id,
      items: [{ price: premier.id }],
    });
    const made = await first.stripe.customers.create({ name: 'Grace' }, { idempotencyKey: 'k' });
    await first.advance('40 days');
    await first.sandbox.close();

    const second = await startHarness({ dataDir });
    const after = await second.stripe.subscriptions.retrieve(subscription.id);
    expect(after.items.data[0]?.current_period_start).toBe(subscription.items.data[0]?.current_period_end);
    expect((await second.stripe.invoices.list({ customer: payer.id })).data).toHaveLength(2);
    const again = await second.stripe.customers.create({ name: 'Grace' }, { idempotencyKey: 'k' });
    expect(again.id).toBe(made.id);
    const clock = await second.control<{ offset_seconds: number }>('clock');
    expect(clock.offset_seconds).toBe(40 * 86_400);
  });
});

describe('the catalog', () => {
  test('prices are found by lookup key, product and activity', async () => {
    const { stripe } = await startHarness();
    const { select, premier } = await createTiers(stripe);
    const found = await stripe.prices.list({ lookup_keys: ['premier'], expand: ['data.product'] });
    expect(found.data).toMatchObject([{ id: premier.id, unit_amount: 6000, product: { name: 'Premier' } }]);
    await expect(
      stripe.prices.create({
        product: String(select.product),
        currency: 'usd',
        unit_amount: 1,
        lookup_key: 'premier',
      }),
    ).rejects.toMatchObject({ param: 'lookup_key' });
    const moved = await stripe.prices.create({
      product: String(premier.product),
      currency: 'usd',
      unit_amount: 7000,
      recurring: { interval: 'month' },
      lookup_key: 'premier',
      transfer_lookup_key: true,
    });
    expect((await stripe.prices.list({ lookup_keys: ['premier'] })).data.map((price) => price.id)).toEqual([
      moved.id,
    ]);
    await stripe.prices.update(select.id, { active: false, metadata: { tier: 'select' } });
    expect((await stripe.prices.list({ active: false })).data).toMatchObject([
      { id: select.id, metadata: { tier: 'select' } },
    ]);
    expect((await stripe.prices.list({ product: String(premier.product) })).data).toHaveLength(2);
    await expect(
      stripe.checkout.sessions.create({
        mode: 'subscription',
        line_items: [{ price: select.id, quantity: 1 }],
        success_url: 'http://club.test/',
      }),
    ).rejects.toMatchObject({ param: 'line_items[0][price]' });
    expect(moved.unit_amount_decimal?.toString()).toBe('7000');
  });
});
