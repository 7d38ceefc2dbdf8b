import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import {
  CARD,
  createPayer,
  createTiers,
  type Harness,
  pageOf,
  startHarness,
  submitForm,
} from '../support/sandbox/harness.ts';

async function createPrice(stripe: Stripe, price: Omit<Stripe.PriceCreateParams, 'product'>) {
  const product = await stripe.products.create({ name: 'Select' });
  return stripe.prices.create({ recurring: { interval: 'month' }, ...price, product: product.id });
}

const latestInvoice = async ({ stripe }: Harness, subscription: string) => {
  const [invoice] = (await stripe.invoices.list({ subscription })).data;
  if (!invoice) throw new Error('The subscription has no invoice');
  return invoice;
};

test('less than the minimum charge is not charged, but owed with the next invoice', async () => {
  const harness = await startHarness();
  const { stripe, advance } = harness;
  const { select } = await createTiers(stripe);
  const slightly = await createPrice(stripe, { currency: 'usd', unit_amount: 3049 });
  const { id: customer } = await createPayer(stripe);
  const { id, items } = await stripe.subscriptions.create({ customer, items: [{ price: select.id }] });
  const change = { items: [{ id: items.data[0]?.id, price: slightly.id }] };

  const preview = await stripe.invoices.createPreview({
    subscription: id,
    subscription_details: { ...change, proration_behavior: 'always_invoice' },
  });
  expect(preview).toMatchObject({ total: 49, amount_due: 0, starting_balance: 0, ending_balance: 49 });
  await stripe.subscriptions.update(id, { ...change, proration_behavior: 'always_invoice' });
  expect(await latestInvoice(harness, id)).toMatchObject({ status: 'paid', total: 49, amount_paid: 0 });
  expect(await stripe.customers.retrieve(customer)).toMatchObject({ balance: 49 });

  await advance('1 month');
  expect(await latestInvoice(harness, id)).toMatchObject({ status: 'paid', total: 3049, amount_paid: 3098 });
  expect(await stripe.customers.retrieve(customer)).toMatchObject({ balance: 0 });
});

test('automatic tax is added to an exclusive price, and is part of an inclusive one', async () => {
  const harness = await startHarness();
  const { stripe, advance } = harness;
  await harness.control('settings', { tax_percent: 20 });
  const amounts = async (tax_behavior: 'exclusive' | 'inclusive') => {
    const price = await createPrice(stripe, { currency: 'eur', unit_amount: 3900, tax_behavior });
    const { id: customer } = await createPayer(stripe);
    const { id } = await stripe.subscriptions.create({
      customer,
      items: [{ price: price.id }],
      automatic_tax: { enabled: true },
    });
    await advance('1 month');
    const { subtotal, total, total_excluding_tax, amount_paid, total_taxes } = await latestInvoice(
      harness,
      id,
    );
    return { subtotal, total, total_excluding_tax, amount_paid, tax: total_taxes?.[0]?.amount };
  };
  expect(await amounts('exclusive')).toEqual({
    subtotal: 3900,
    total: 4680,
    total_excluding_tax: 3900,
    amount_paid: 4680,
    tax: 780,
  });
  expect(await amounts('inclusive')).toEqual({
    subtotal: 3900,
    total: 3900,
    total_excluding_tax: 3250,
    amount_paid: 3900,
    tax: 650,
  });
});

test('a checkout with automatic tax needs the address of its customer, or the page asks for it', async () => {
  const harness = await startHarness();
  const { stripe } = harness;
  const price = await createPrice(stripe, { currency: 'usd', unit_amount: 3900, tax_behavior: 'exclusive' });
  const { id: customer } = await createPayer(stripe);
  const session: Stripe.Checkout.SessionCreateParams = {
    mode: 'subscription',
    customer,
    line_items: [{ price: price.id }],
    success_url: 'https://club.example',
    automatic_tax: { enabled: true },
  };
  await expect(stripe.checkout.sessions.create(session)).rejects.toMatchObject({
    code: 'customer_tax_location_invalid',
  });
  const open = await stripe.checkout.sessions.create({ ...session, customer_update: { address: 'auto' } });
  expect(await (await fetch(pageOf(harness, open))).text()).toContain('$46.80');
  expect((await submitForm(pageOf(harness, open), CARD)).status).toBe(303);
  const paid = await stripe.checkout.sessions.retrieve(open.id);
  expect(paid).toMatchObject({
    amount_subtotal: 3900,
    amount_total: 4680,
    total_details: { amount_tax: 780 },
  });
  expect(await stripe.customers.retrieve(customer)).toMatchObject({ address: { country: 'US' } });
  expect(await stripe.subscriptions.retrieve(String(paid.subscription))).toMatchObject({
    automatic_tax: { enabled: true },
  });
});

test('a customer has one currency at a time', async () => {
  const { stripe } = await startHarness();
  const { select } = await createTiers(stripe);
  const yen = await createPrice(stripe, { currency: 'jpy', unit_amount: 3900 });
  const { id: customer } = await createPayer(stripe);
  const { id } = await stripe.subscriptions.create({ customer, items: [{ price: select.id }] });
  const other = () => stripe.subscriptions.create({ customer, items: [{ price: yen.id }] });
  await expect(other()).rejects.toThrow('You cannot combine currencies on a single customer.');
  await stripe.subscriptions.cancel(id);
  expect(await other()).toMatchObject({ currency: 'jpy', status: 'active' });
});
