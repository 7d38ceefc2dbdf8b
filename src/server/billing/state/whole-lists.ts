import type Stripe from 'stripe';

const ALL_PAGES = { limit: 10_000 };
/** Stripe's most. */
export const PAGE_SIZE = 100;

// Stripe embeds about ten entries of a list in an object (Invoice.lines in the SDK).

/** Few customers have a second page, so the first is read without the iterator. */
export async function allOf<T>(list: Stripe.ApiListPromise<T>): Promise<T[]> {
  const { data, has_more } = await list;
  return has_more ? list.autoPagingToArray(ALL_PAGES) : data;
}

/** Reads the items beyond those that Stripe embeds. */
export async function completeItems(stripe: Stripe, { id, items }: Stripe.Subscription): Promise<void> {
  if (!items.has_more) return;
  items.data = await allOf(stripe.subscriptionItems.list({ subscription: id, limit: PAGE_SIZE }));
}

/** Reads the lines and payments beyond those that Stripe embeds, of an invoice that was paid or can be. */
export async function completeInvoice(
  stripe: Stripe,
  { id, status, lines, payments }: Stripe.Invoice,
): Promise<void> {
  if (!id || status === 'void') return;
  if (lines.has_more) lines.data = await allOf(stripe.invoices.listLineItems(id, { limit: PAGE_SIZE }));
  if (payments?.has_more)
    payments.data = await allOf(stripe.invoicePayments.list({ invoice: id, limit: PAGE_SIZE }));
}
