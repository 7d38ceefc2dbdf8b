import type Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import { createPayer, type Harness, startHarness } from '../support/sandbox/harness.ts';

/** A subscription with twelve items, so twelve lines. */
async function twelve({ stripe }: Harness): Promise<Stripe.Subscription> {
  const product = await stripe.products.create({ name: 'Locker' });
  const prices = await Promise.all(
    Array.from({ length: 12 }, (_, place) =>
      stripe.prices.create({
        product: product.id,
        currency: 'usd',
        unit_amount: 100 + place,
        recurring: { interval: 'month' },
      }),
    ),
  );
  const payer = await createPayer(stripe);
  return stripe.subscriptions.create({ customer: payer.id, items: prices.map(({ id }) => ({ price: id })) });
}

const idsOf = (entries: { id: string }[]) => entries.map(({ id }) => id);

describe('a list inside an object', () => {
  test('has at most ten entries, and the number of all', async () => {
    const harness = await startHarness();
    const { items, latest_invoice } = await twelve(harness);
    expect(items).toMatchObject({ has_more: true, total_count: 12 });
    expect(items.data).toHaveLength(10);
    const invoice = await harness.stripe.invoices.retrieve(String(latest_invoice));
    expect(invoice.lines).toMatchObject({ has_more: true, total_count: 12 });
    expect(invoice.lines.data).toHaveLength(10);
    const [listed] = (await harness.stripe.invoices.list()).data;
    expect(listed?.lines.data).toHaveLength(10);
  });

  test('has at most ten entries in an event', async () => {
    const harness = await startHarness();
    await twelve(harness);
    const [event] = (await harness.stripe.events.list({ type: 'invoice.paid' })).data;
    const { lines } = (event?.data.object ?? {}) as Partial<Stripe.Invoice>;
    expect(lines).toMatchObject({ has_more: true, total_count: 12 });
    expect(lines?.data).toHaveLength(10);
  });

  test('counts no more than it has if it is short', async () => {
    const { stripe } = await startHarness();
    const payer = await createPayer(stripe);
    const product = await stripe.products.create({ name: 'Locker' });
    const price = await stripe.prices.create({
      product: product.id,
      currency: 'usd',
      unit_amount: 500,
      recurring: { interval: 'month' },
    });
    const { items } = await stripe.subscriptions.create({
      customer: payer.id,
      items: [{ price: price.id }],
    });
    expect(items).toMatchObject({ has_more: false, total_count: 1 });
  });
});

describe('the pages of a list inside an object', () => {
  test('of lines have all lines in the order of the invoice', async () => {
    const harness = await startHarness();
    const { stripe } = harness;
    const id = String((await twelve(harness)).latest_invoice);
    const { lines } = await stripe.invoices.retrieve(id);
    const all = await stripe.invoices.listLineItems(id, { limit: 100 });
    expect(all).toMatchObject({ has_more: false, url: lines.url });
    expect(idsOf(all.data).slice(0, 10)).toEqual(idsOf(lines.data));
    expect(all.data).toHaveLength(12);
    const rest = await stripe.invoices.listLineItems(id, { starting_after: all.data[9]?.id });
    expect(idsOf(rest.data)).toEqual(idsOf(all.data).slice(10));
    const back = await stripe.invoices.listLineItems(id, { ending_before: all.data[3]?.id, limit: 2 });
    expect(back.has_more).toBe(true);
    expect(idsOf(back.data)).toEqual(idsOf(all.data).slice(1, 3));
  });

  test('of lines exist for a preview', async () => {
    const harness = await startHarness();
    const { stripe } = harness;
    const { id } = await twelve(harness);
    const preview = await stripe.invoices.createPreview({ subscription: id });
    expect(preview.lines.data).toHaveLength(10);
    const all = await stripe.invoices.listLineItems(String(preview.id), { limit: 100 });
    expect(all.data).toHaveLength(12);
  });

  test('of items have all items', async () => {
    const harness = await startHarness();
    const { id, items } = await twelve(harness);
    const all = await harness.stripe.subscriptionItems.list({ subscription: id, limit: 100 });
    expect(idsOf(all.data).slice(0, 10)).toEqual(idsOf(items.data));
    expect(all.data).toHaveLength(12);
  });

  test('of line items are those of the checkout session', async () => {
    const { stripe } = await startHarness();
    const product = await stripe.products.create({ name: 'Gift' });
    const session = await stripe.checkout.sessions.create({
      mode: 'payment',
      success_url: 'https://club.test/',
      line_items: Array.from({ length: 11 }, () => ({
        price_data: { currency: 'usd', unit_amount: 100, product: product.id },
      })),
      expand: ['line_items'],
    });
    expect(session.line_items).toMatchObject({ has_more: true });
    expect(session.line_items?.data).toHaveLength(10);
    const all = await stripe.checkout.sessions.listLineItems(session.id, { limit: 100 });
    expect(all.data).toHaveLength(11);
  });

  test('of payments are those of the invoice', async () => {
    const harness = await startHarness();
    const invoice = String((await twelve(harness)).latest_invoice);
    const { data } = await harness.stripe.invoicePayments.list({ invoice });
    expect(data).toMatchObject([{ invoice, status: 'paid' }]);
  });
});
