import { describe, expect, test } from 'vitest';
import { CARD, createTiers, pageOf, startHarness, submitForm } from '../support/sandbox/harness.ts';

async function memberInPortal() {
  const harness = await startHarness();
  const { stripe, sandbox } = harness;
  const { premier } = await createTiers(stripe);
  const session = await stripe.checkout.sessions.create({
    mode: 'subscription',
    line_items: [{ price: premier.id, quantity: 1 }],
    success_url: 'http://club.test/',
  });
  await submitForm(pageOf(harness, session), CARD);
  const [subscription] = (await stripe.subscriptions.list()).data;
  if (!subscription) throw new Error('no subscription');
  const portal = await stripe.billingPortal.sessions.create({
    customer: String(subscription.customer),
    return_url: 'http://club.test/dashboard',
    flow_data: {
      type: 'payment_method_update',
      after_completion: { type: 'redirect', redirect: { return_url: 'http://club.test/card-changed' } },
    },
  });
  const url = `${sandbox.url}${new URL(portal.url).pathname}`;
  return { ...harness, subscription, portal, url };
}

describe('billing portal', () => {
  test('changes the card of the customer and of the subscription', async () => {
    const { url, stripe, subscription } = await memberInPortal();
    const page = await (await fetch(url)).text();
    for (const piece of ['Save card', 'http://club.test/dashboard']) expect(page).toContain(piece);
    expect((await fetch(`${url}x`)).status).toBe(404);
    const refused = await submitForm(`${url}/card`, { ...CARD, number: '4000 0000 0000 0002' });
    expect(refused.status).toBe(402);
    expect(await refused.text()).toContain('Your card was declined.');
    const saved = await submitForm(`${url}/card`, { ...CARD, number: '5555 5555 5555 4444' });
    expect(saved.headers.get('location')).toBe('http://club.test/card-changed');
    const after = await stripe.subscriptions.retrieve(subscription.id, {
      expand: ['default_payment_method', 'customer.invoice_settings.default_payment_method'],
    });
    expect(after).toMatchObject({
      default_payment_method: { card: { last4: '4242', brand: 'visa' } },
      customer: {
        invoice_settings: { default_payment_method: { card: { last4: '4444', brand: 'mastercard' } } },
      },
    });
  });

  test('a card that fails later can be saved and fails the renewal', async () => {
    const { url, stripe, subscription, advance } = await memberInPortal();
    await stripe.subscriptions.update(subscription.id, { default_payment_method: '' });
    await submitForm(`${url}/card`, { ...CARD, number: '4000 0000 0000 0341' });
    expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe('active');
    await advance('1 month');
    expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe('past_due');
    const [open] = (await stripe.invoices.list({ status: 'open' })).data;
    await submitForm(`${url}/card`, CARD);
    await submitForm(new URL(`/i/${open?.id}`, url).href, {});
    expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe('active');
  });

  test('a 3-D Secure card is saved once confirmed, and renews without it', async () => {
    const { url, stripe, subscription, advance } = await memberInPortal();
    await stripe.subscriptions.update(subscription.id, { default_payment_method: '' });
    const first = await submitForm(`${url}/card`, { ...CARD, number: '4000 0025 0000 3155' });
    const bank = new URL(first.headers.get('location') ?? '', url).href;
    const token = /name="token" value="([^"]+)"/.exec(await (await fetch(bank)).text())?.[1] ?? '';
    await submitForm(bank, { token, answer: 'complete' });
    await advance('1 month');
    const after = await stripe.subscriptions.retrieve(subscription.id, {
      expand: ['customer.invoice_settings.default_payment_method'],
    });
    expect(after).toMatchObject({
      status: 'active',
      customer: { invoice_settings: { default_payment_method: { card: { last4: '3155' } } } },
    });
  });

  test('has a default configuration and accepts others', async () => {
    const { stripe } = await memberInPortal();
    const made = await stripe.billingPortal.configurations.create({
      features: {
        payment_method_update: { enabled: true },
        subscription_cancel: { enabled: true },
        invoice_history: { enabled: true },
      },
    });
    expect((await stripe.billingPortal.configurations.list({ is_default: true })).data).toHaveLength(1);
    expect(await stripe.billingPortal.configurations.retrieve(made.id)).toMatchObject({ is_default: false });
  });
});
