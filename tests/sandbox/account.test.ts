import Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import { createPayer, startEndpoint, startHarness } from '../support/sandbox/harness.ts';

describe('webhook endpoints made over the API', () => {
  test('an endpoint gets the events it names, signed with a secret that only its creation shows', async () => {
    const { stripe } = await startHarness();
    const own = await startEndpoint();
    const made = await stripe.webhookEndpoints.create({
      url: own.url,
      enabled_events: ['customer.updated'],
      api_version: Stripe.API_VERSION,
      metadata: { by: 'test' },
    });
    expect(made).toMatchObject({
      object: 'webhook_endpoint',
      status: 'enabled',
      api_version: Stripe.API_VERSION,
      enabled_events: ['customer.updated'],
      metadata: { by: 'test' },
      secret: expect.stringMatching(/^whsec_/),
    });
    const customer = await stripe.customers.create({ email: 'ada@example.test' });
    await stripe.customers.update(customer.id, { name: 'Ada' });
    await own.until((received) => received.length > 0);
    const [event] = own.received;
    expect(event?.type).toBe('customer.updated');
    expect(() =>
      stripe.webhooks.constructEvent(event?.body ?? '', event?.signature ?? '', made.secret ?? ''),
    ).not.toThrow();

    expect(await stripe.webhookEndpoints.retrieve(made.id)).not.toHaveProperty('secret');
    const [listed] = (await stripe.webhookEndpoints.list()).data;
    expect(listed).toMatchObject({ id: made.id });
    expect(listed).not.toHaveProperty('secret');
  });

  test('an endpoint gets events beside the configured one, each with its own signature', async () => {
    const [configured, own] = [await startEndpoint(), await startEndpoint()];
    const { stripe } = await startHarness({ webhook: { url: configured.url, secret: 'whsec_configured' } });
    const { secret } = await stripe.webhookEndpoints.create({ url: own.url, enabled_events: ['*'] });
    await stripe.customers.create();
    for (const endpoint of [configured, own]) await endpoint.until((received) => received.length === 1);
    const [first, second] = [configured.received[0], own.received[0]];
    expect(first?.id).toBe(second?.id);
    expect(() =>
      stripe.webhooks.constructEvent(first?.body ?? '', first?.signature ?? '', 'whsec_configured'),
    ).not.toThrow();
    expect(() =>
      stripe.webhooks.constructEvent(second?.body ?? '', second?.signature ?? '', secret ?? ''),
    ).not.toThrow();
  });

  test('a disabled endpoint gets nothing, not even what was due, until it is enabled again', async () => {
    const own = await startEndpoint(() => 500);
    const { stripe, control } = await startHarness({ retryDelaysMs: [600_000] });
    const { id } = await stripe.webhookEndpoints.create({ url: own.url, enabled_events: ['*'] });
    await stripe.customers.create({ name: 'failed once' });
    await own.until((received) => received.length === 1);
    expect(await stripe.webhookEndpoints.update(id, { disabled: true })).toMatchObject({
      status: 'disabled',
    });
    await control('webhooks', { mode: 'hold' });
    await stripe.customers.create({ name: 'never sent' });
    await stripe.webhookEndpoints.update(id, { disabled: false });
    await stripe.customers.create({ name: 'held' });
    await stripe.webhookEndpoints.update(id, { disabled: true });
    await control('webhooks/release', {});
    await control('webhooks/idle', {});
    expect(own.received).toHaveLength(1);
    const { deliveries } = await control<{ deliveries: { state: string }[] }>('webhooks');
    expect(deliveries.map(({ state }) => state)).toEqual(['pending', 'dropped']);
  });

  test('updating changes only the given fields; a deleted one is gone', async () => {
    const { stripe } = await startHarness();
    const { id } = await stripe.webhookEndpoints.create({
      url: 'https://club.test/a',
      enabled_events: ['invoice.paid'],
    });
    const updated = await stripe.webhookEndpoints.update(id, {
      url: 'https://club.test/b',
      enabled_events: ['*'],
    });
    expect(updated).toMatchObject({ url: 'https://club.test/b', enabled_events: ['*'], status: 'enabled' });
    expect(await stripe.webhookEndpoints.del(id)).toMatchObject({ id, deleted: true });
    await expect(stripe.webhookEndpoints.retrieve(id)).rejects.toThrow('No such webhook endpoint');
    const wrong = (params: object) =>
      stripe.webhookEndpoints.create(params as Stripe.WebhookEndpointCreateParams);
    await expect(wrong({ url: 'club.test', enabled_events: ['*'] })).rejects.toThrow('Not a valid URL');
    await expect(wrong({ url: 'https://club.test/' })).rejects.toThrow('enabled_events');
    await expect(wrong({ url: 'https://club.test/', enabled_events: ['paid'] })).rejects.toThrow(
      'enabled_events[0]',
    );
    // The endpoint's version is fixed at creation.
    await expect(
      stripe.webhookEndpoints.update('we_1', { api_version: Stripe.API_VERSION } as object),
    ).rejects.toThrow('api_version');
  });
});

describe('portal configurations', () => {
  test('a new one enables only the requested features, and a session can name it', async () => {
    const { stripe } = await startHarness();
    const made = await stripe.billingPortal.configurations.create({
      features: { payment_method_update: { enabled: true } },
      metadata: { by: 'test' },
    });
    expect(made).toMatchObject({
      is_default: false,
      features: {
        payment_method_update: { enabled: true },
        subscription_cancel: { enabled: false },
        invoice_history: { enabled: false },
      },
    });
    const payer = await createPayer(stripe);
    const open = () =>
      stripe.billingPortal.sessions.create({
        customer: payer.id,
        configuration: made.id,
        flow_data: { type: 'payment_method_update' },
      });
    expect(await open()).toMatchObject({ configuration: made.id });

    const changed = await stripe.billingPortal.configurations.update(made.id, {
      features: { payment_method_update: { enabled: false }, subscription_cancel: { enabled: true } },
      metadata: { of: 'club' },
    });
    expect(changed).toMatchObject({
      features: { payment_method_update: { enabled: false }, subscription_cancel: { enabled: true } },
      metadata: { by: 'test', of: 'club' },
    });
    await expect(open()).rejects.toThrow('payment_method_update');
    await stripe.billingPortal.configurations.update(made.id, { active: false });
    await expect(open()).rejects.toThrow('not active');
  });
});

test('the account, its tax settings and its payment methods follow the sandbox settings', async () => {
  const { stripe, control } = await startHarness();
  expect(await stripe.accounts.retrieveCurrent()).toMatchObject({
    charges_enabled: true,
    settings: { payments: { statement_descriptor: 'CELLAR DOOR' } },
  });
  expect(await stripe.tax.settings.retrieve()).toMatchObject({ status: 'pending' });
  await control('settings', {
    charges_enabled: false,
    statement_descriptor: null,
    tax_status: 'active',
    payment_methods: ['us_bank_account'],
  });
  expect(await stripe.accounts.retrieveCurrent()).toMatchObject({
    charges_enabled: false,
    settings: { payments: { statement_descriptor: null } },
  });
  expect(await stripe.tax.settings.retrieve()).toMatchObject({ status: 'active' });
  const [methods] = (await stripe.paymentMethodConfigurations.list()).data;
  expect(methods).toMatchObject({ is_default: true, us_bank_account: { available: true } });
  expect(methods).not.toHaveProperty('card');
});
