import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import { createPayer, createTiers, startHarness } from '../support/sandbox/harness.ts';
import { failCard, member } from '../support/sandbox/test-clock-member.ts';

test('a card source is charged if there is no payment method', async () => {
  const { stripe } = await startHarness();
  const { premier } = await createTiers(stripe);
  const { id, default_source, invoice_settings } = await stripe.customers.create({ source: 'tok_visa' });
  expect(invoice_settings.default_payment_method).toBeNull();
  const customer = await stripe.customers.retrieve(id, { expand: ['default_source'] });
  expect(customer).toMatchObject({
    default_source: { id: default_source, object: 'card', brand: 'Visa', last4: '4242', customer: id },
  });
  const subscription = await stripe.subscriptions.create({ customer: id, items: [{ price: premier.id }] });
  expect(subscription.status).toBe('active');
  expect((await stripe.charges.list()).data).toMatchObject([{ payment_method: default_source, paid: true }]);
});

test('a payment method comes before a card source', async () => {
  const { stripe } = await startHarness();
  const { premier } = await createTiers(stripe);
  const payer = await createPayer(stripe);
  await stripe.customers.createSource(payer.id, { source: 'tok_chargeCustomerFail' });
  const { status } = await stripe.subscriptions.create({
    customer: payer.id,
    items: [{ price: premier.id }],
  });
  expect(status).toBe('active');
});

test('a second source is the default only if it is set, and must be of the customer', async () => {
  const { stripe } = await startHarness();
  const { id, default_source } = await stripe.customers.create({ source: 'tok_visa' });
  const second = await stripe.customers.createSource(id, { source: 'tok_mastercard' });
  expect(await stripe.customers.retrieve(id)).toMatchObject({ default_source });
  const changed = await stripe.customers.update(id, { default_source: second.id });
  expect(changed.default_source).toBe(second.id);
  const { id: other } = await stripe.customers.create();
  await expect(stripe.customers.update(other, { default_source: second.id })).rejects.toMatchObject({
    statusCode: 400,
  });
});

test.each([
  ['source', 'active'],
  ['default_source', 'past_due'],
] as const)('a new %s leaves an overdue subscription %s', async (kind, status) => {
  const harness = await startHarness();
  const { stripe } = harness;
  const { customer, to } = await member(harness, '2027-01-01T10:00:00Z');
  await failCard(stripe, customer.id);
  const late = await to('2027-02-02T00:00:00Z');
  await stripe.customers.update(customer.id, { invoice_settings: { default_payment_method: '' } });
  const attempt = (late.latest_invoice as Stripe.Invoice).next_payment_attempt;
  if (kind === 'source') await stripe.customers.update(customer.id, { source: 'tok_visa' });
  else {
    const { id } = await stripe.customers.createSource(customer.id, { source: 'tok_visa' });
    await stripe.customers.update(customer.id, { default_source: id });
  }
  const after = await stripe.subscriptions.retrieve(late.id, { expand: ['latest_invoice'] });
  expect(after).toMatchObject({
    status,
    latest_invoice: { next_payment_attempt: status === 'active' ? null : attempt },
  });
});
