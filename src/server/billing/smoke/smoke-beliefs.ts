import type Stripe from 'stripe';
import type { BillingDeps } from '../billing-context.ts';
import { defaultMethodParams } from '../request-params.ts';
import { readSubscriber, type Subscriber } from './smoke-look.ts';
import type { Recorder } from './smoke-report.ts';
import { advanceClock } from './smoke-stage.ts';

/** Stripe keeps a renewal's invoice as a draft for about an hour before charging; two hours are surely enough. */
export const PAST_DRAFT_MS = 2 * 3_600_000;

const MANY_LINES = 12;

/**
 * What the product relies on and no document of Stripe settles: one line each, with what was seen and what we believe. Leaves
 * the subscription paid, at the price it had.
 */
export async function tryBeliefs(
  deps: BillingDeps,
  recorder: Recorder,
  at: Subscriber,
  id: string,
): Promise<void> {
  const { belief } = recorder;
  await belief('parent of a proration', 'subscription_item_details', () => prorationParent(deps, at));
  await belief('a preview of an end', 'what waits, and no month', () => previewOfEnd(deps, at, id));
  await belief('lines that an invoice embeds', '10, and more to fetch', () => embeddedLines(deps, at, id));
  await belief('tax rates that a phase does not name', 'unset', () => unnamedTaxRates(deps, at, id));
  await belief('a due invoice after a new default card', 'open', () => dueAfterNewCard(deps, at, id));
  await belief('a due invoice paid with the new card', 'paid', () => collect(deps, id));
}

const newestInvoice = async ({ stripe }: BillingDeps, subscription: string): Promise<Stripe.Invoice> => {
  const { data } = await stripe.invoices.list({ subscription, limit: 1 });
  const [newest] = data;
  if (!newest) throw new Error('the subscription has no invoice');
  return newest;
};

async function prorationParent({ stripe }: BillingDeps, { payer }: Subscriber): Promise<string> {
  const { data } = await stripe.invoices.list({ customer: payer, limit: 100 });
  const parents = data.flatMap(({ lines }) => lines.data).map(({ parent }) => parent);
  const of = parents.find(
    (it) => it?.subscription_item_details?.proration || it?.invoice_item_details?.proration,
  );
  return of?.type ?? 'no line says that it is one';
}

/** Previews the end of the period with an item that waits for an invoice. */
async function previewOfEnd(
  { stripe, currency }: BillingDeps,
  { payer: customer }: Subscriber,
  subscription: string,
): Promise<string> {
  const item = await stripe.invoiceItems.create({ customer, subscription, amount: 100, currency });
  const { lines } = await stripe.invoices.createPreview({
    subscription,
    subscription_details: { cancel_at_period_end: true },
  });
  await stripe.invoiceItems.del(item.id);
  const waits = lines.data.some(({ parent }) => parent?.invoice_item_details?.invoice_item === item.id);
  const isMonth = lines.data.some(({ parent }) => parent?.subscription_item_details?.proration === false);
  return `${waits ? 'what waits' : 'nothing that waits'}, and ${isMonth ? 'a month' : 'no month'}`;
}

/** Renews with a dozen more items on the invoice. */
async function embeddedLines(deps: BillingDeps, at: Subscriber, subscription: string): Promise<string> {
  for (let n = 1; n <= MANY_LINES; n++)
    await deps.stripe.invoiceItems.create({
      customer: at.payer,
      subscription,
      amount: 100,
      currency: deps.currency,
      description: `Item ${n}`,
    });
  await renew(deps, at);
  const { lines } = await newestInvoice(deps, subscription);
  return `${lines.data.length}${lines.has_more ? ', and more to fetch' : ''}`;
}

async function renew({ stripe, ...deps }: BillingDeps, at: Subscriber): Promise<void> {
  const { subscription } = await readSubscriber({ ...deps, stripe }, at);
  await advanceClock(stripe, at.clock, new Date(subscription.current_period_end.getTime() + PAST_DRAFT_MS));
}

async function unnamedTaxRates({ stripe }: BillingDeps, { id: name }: Subscriber, subscription: string) {
  const rate = await stripe.taxRates.create({ display_name: name, inclusive: true, percentage: 1 });
  try {
    await stripe.subscriptions.update(subscription, { default_tax_rates: [rate.id] });
    const { id, phases } = await stripe.subscriptionSchedules.create({ from_subscription: subscription });
    const [phase] = phases;
    if (!phase) throw new Error('the schedule has no phase');
    const items = phase.items.map(({ price, quantity }) => ({
      price: typeof price === 'string' ? price : price.id,
      quantity,
    }));
    await stripe.subscriptionSchedules.update(id, {
      phases: [{ items, start_date: phase.start_date, end_date: phase.end_date }],
      proration_behavior: 'none',
    });
    const { default_tax_rates } = await stripe.subscriptions.retrieve(subscription);
    await stripe.subscriptionSchedules.release(id);
    return default_tax_rates && default_tax_rates.length > 0 ? 'kept' : 'unset';
  } finally {
    await stripe.subscriptions.update(subscription, { default_tax_rates: '' });
    await stripe.taxRates.update(rate.id, { active: false });
  }
}

/** Lets a renewal fail, and then gives the customer another default card, like the portal. */
async function dueAfterNewCard(deps: BillingDeps, at: Subscriber, subscription: string): Promise<string> {
  const { stripe } = deps;
  const makeDefault = async (card: string) => {
    const { id } = await stripe.paymentMethods.attach(card, { customer: at.payer });
    await stripe.customers.update(at.payer, defaultMethodParams(id));
  };
  await makeDefault('pm_card_chargeCustomerFail');
  await renew(deps, at);
  await makeDefault('pm_card_visa');
  return String((await newestInvoice(deps, subscription)).status);
}

async function collect(deps: BillingDeps, subscription: string): Promise<string> {
  const { id, customer } = await newestInvoice(deps, subscription);
  const payer = await deps.stripe.customers.retrieve(String(customer));
  const card = payer.deleted ? null : payer.invoice_settings.default_payment_method;
  const { status } = await deps.stripe.invoices.pay(id ?? '', { payment_method: String(card) });
  return String(status);
}
