import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import { createPayer, createTiers, startHarness } from '../support/sandbox/harness.ts';

const rateOf = (stripe: Stripe, percentage: number, inclusive: boolean) =>
  stripe.taxRates.create({ display_name: 'VAT', percentage, inclusive, jurisdiction: 'DE' });

async function subscribe(
  stripe: Stripe,
  input: (
    rates: { added: string; included: string },
    price: string,
  ) => Partial<Stripe.SubscriptionCreateParams>,
) {
  const { premier } = await createTiers(stripe);
  const added = (await rateOf(stripe, 7.5, false)).id;
  const included = (await rateOf(stripe, 20, true)).id;
  const payer = await createPayer(stripe);
  const subscription = await stripe.subscriptions.create({
    customer: payer.id,
    items: [{ price: premier.id }],
    expand: ['latest_invoice'],
    ...input({ added, included }, premier.id),
  });
  return { subscription, added, included, invoice: subscription.latest_invoice as Stripe.Invoice };
}

test('a default tax rate is added to every line', async () => {
  const { stripe } = await startHarness();
  const { subscription, added, invoice } = await subscribe(stripe, (rates) => ({
    default_tax_rates: [rates.added],
  }));
  expect(subscription.default_tax_rates).toMatchObject([{ id: added, percentage: 7.5 }]);
  expect(invoice).toMatchObject({
    subtotal: 6000,
    total: 6450,
    amount_paid: 6450,
    total_excluding_tax: 6000,
    default_tax_rates: [{ id: added }],
  });
  const tax = { amount: 450, taxable_amount: 6000, tax_behavior: 'exclusive' };
  expect(invoice.total_taxes).toMatchObject([{ ...tax, tax_rate_details: { tax_rate: added } }]);
  expect(invoice.lines.data[0]?.taxes).toMatchObject([{ ...tax, tax_rate_details: { tax_rate: added } }]);
});

test("an item's tax rates replace the default ones", async () => {
  const { stripe } = await startHarness();
  const { subscription, included, invoice } = await subscribe(stripe, (rates, price) => ({
    default_tax_rates: [rates.added],
    items: [{ price, tax_rates: [rates.included] }],
  }));
  expect(invoice).toMatchObject({ total: 6000, total_excluding_tax: 5000 });
  expect(invoice.total_taxes).toMatchObject([
    { amount: 1000, tax_behavior: 'inclusive', tax_rate_details: { tax_rate: included } },
  ]);
  const [item] = subscription.items.data;
  const cleared = await stripe.subscriptions.update(subscription.id, {
    items: [{ id: item?.id, tax_rates: '' }],
    default_tax_rates: '',
  });
  expect(cleared).toMatchObject({ default_tax_rates: [], items: { data: [{ tax_rates: [] }] } });
});

test('a tax rate can be found, archived and listed, and an unknown one is refused', async () => {
  const { stripe } = await startHarness();
  const { id } = await rateOf(stripe, 19, false);
  expect(await stripe.taxRates.update(id, { active: false })).toMatchObject({ active: false });
  expect((await stripe.taxRates.list({ active: true })).data).toEqual([]);
  expect((await stripe.taxRates.list({ inclusive: false })).data).toHaveLength(1);
  expect(await stripe.taxRates.retrieve(id)).toMatchObject({ percentage: 19, rate_type: 'percentage' });
  await expect(subscribe(stripe, () => ({ default_tax_rates: ['txr_none'] }))).rejects.toMatchObject({
    statusCode: 400,
    param: 'default_tax_rates[0]',
  });
});
