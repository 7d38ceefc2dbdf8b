import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import { type Harness, startHarness } from '../support/sandbox/harness.ts';
import { member } from '../support/sandbox/test-clock-member.ts';

const corkage = (
  { stripe }: Harness,
  customer: string,
  fields: Partial<Stripe.InvoiceItemCreateParams> = {},
) =>
  stripe.invoiceItems.create({ customer, amount: 1500, currency: 'usd', description: 'Corkage', ...fields });

const amounts = (invoice: unknown) => (invoice as Stripe.Invoice).lines.data.map(({ amount }) => amount);

test('an invoice item is on the preview and on the next invoice, before the renewal', async () => {
  const harness = await startHarness();
  const { customer, subscription, to } = await member(harness, '2027-01-01T10:00:00Z');
  const item = await corkage(harness, customer.id);
  const preview = await harness.stripe.invoices.createPreview({ subscription: subscription.id });
  expect(amounts(preview)).toEqual([1500, 6000]);
  const { latest_invoice } = await to('2027-02-02T00:00:00Z');
  expect(latest_invoice).toMatchObject({ total: 7500, status: 'paid' });
  const [line] = (latest_invoice as Stripe.Invoice).lines.data;
  expect(line?.parent).toMatchObject({
    type: 'invoice_item_details',
    invoice_item_details: { invoice_item: item.id, proration: false },
  });
  expect(await harness.stripe.invoiceItems.retrieve(item.id)).toMatchObject({
    invoice: (latest_invoice as Stripe.Invoice).id,
  });
  expect((await harness.stripe.invoiceItems.list({ pending: true })).data).toEqual([]);
});

test('an invoice item of another subscription or currency waits for its own invoice', async () => {
  const harness = await startHarness();
  const { customer, premier, to } = await member(harness, '2027-01-01T10:00:00Z');
  await to('2027-01-10T00:00:00Z');
  const other = await harness.stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: premier.id }],
  });
  await corkage(harness, customer.id, { subscription: other.id });
  await corkage(harness, customer.id, { currency: 'eur' });
  expect(amounts((await to('2027-02-02T00:00:00Z')).latest_invoice)).toEqual([6000]);
  await to('2027-02-11T00:00:00Z');
  const renewed = await harness.stripe.subscriptions.retrieve(other.id, { expand: ['latest_invoice'] });
  expect(amounts(renewed.latest_invoice)).toEqual([1500, 6000]);
  expect((await harness.stripe.invoiceItems.list({ pending: true })).data).toMatchObject([
    { currency: 'eur' },
  ]);
});

test('an invoice item can be deleted until it is on an invoice', async () => {
  const harness = await startHarness();
  const { customer, to } = await member(harness, '2027-01-01T10:00:00Z');
  const { id } = await corkage(harness, customer.id);
  await harness.stripe.invoiceItems.del(id);
  const billed = await corkage(harness, customer.id, { amount: 200 });
  expect(amounts((await to('2027-02-02T00:00:00Z')).latest_invoice)).toEqual([200, 6000]);
  await expect(harness.stripe.invoiceItems.del(billed.id)).rejects.toMatchObject({ statusCode: 400 });
});

test('an invoice item of a canceled subscription stays for another invoice of the customer', async () => {
  const harness = await startHarness();
  const { customer, premier, subscription } = await member(harness, '2027-01-01T10:00:00Z');
  await corkage(harness, customer.id, { subscription: subscription.id });
  await harness.stripe.subscriptions.cancel(subscription.id);
  const again = await harness.stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: premier.id }],
    expand: ['latest_invoice'],
  });
  expect(amounts(again.latest_invoice)).toEqual([1500, 6000]);
});
