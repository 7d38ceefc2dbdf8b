import { describe, expect, test } from 'vitest';
import {
  CARD,
  createTiers,
  pageOf,
  SECRET,
  startEndpoint,
  startHarness,
  submitForm,
} from '../support/sandbox/harness.ts';

describe('the home page', () => {
  test('shows subscriptions and deliveries, and moves the clock', async () => {
    const endpoint = await startEndpoint();
    const harness = await startHarness({ webhook: { url: endpoint.url, secret: SECRET } });
    const { stripe, sandbox } = harness;
    expect(await (await fetch(sandbox.url)).text()).toContain('None yet.');
    const { premier } = await createTiers(stripe);
    const session = await stripe.checkout.sessions.create({
      mode: 'subscription',
      line_items: [{ price: premier.id, quantity: 1 }],
      success_url: 'http://club.test/',
    });
    await submitForm(pageOf(harness, session), CARD);
    const moved = await submitForm(`${sandbox.url}/clock`, { advance: '1 month' });
    expect(moved.headers.get('location')).toBe('/');
    expect((await stripe.invoices.list()).data).toHaveLength(2);
    const page = await (await fetch(sandbox.url)).text();
    for (const piece of [
      CARD.email,
      'Premier',
      'active',
      'checkout.session.completed',
      'days ahead of today',
    ])
      expect(page).toContain(piece);
    expect((await fetch(`${sandbox.url}/nothing`)).status).toBe(404);
  });

  test('the state can be read and reset, with its settings', async () => {
    const { stripe, control } = await startHarness();
    const customer = await stripe.customers.create();
    expect(await control('state')).toMatchObject({ customers: { [customer.id]: { id: customer.id } } });
    await control('settings', { tax_percent: 7 });
    await control('reset', {});
    expect(await control('state')).toMatchObject({
      customers: {},
      clock_offset: 0,
      settings: { tax_percent: 20 },
    });
    await expect(control('nothing', {})).rejects.toThrow('No such control');
  });
});
