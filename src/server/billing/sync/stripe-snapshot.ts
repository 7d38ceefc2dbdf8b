import type Stripe from 'stripe';
import { leadingDispute } from '../../../domain/staff/dispute.ts';
import type { RefundableCharge } from '../../../domain/staff/refund.ts';
import type { BillingDeps } from '../billing-context.ts';
import { type ChargeDisputes, type FetchedDispute, fetchDisputes } from '../disputes.ts';
import { isMissing, unlessMissing } from '../stripe-errors.ts';
import {
  EXPANDED_IN_SUBSCRIPTIONS,
  type FetchedSubscription,
  idOf,
  instant,
  readSubscription,
} from './fetched-subscription.ts';

export interface FetchedPayment {
  stripe_invoice_id: string;
  /** The invoice's number, as the payer sees it, and its page at Stripe; a draft has neither. */
  number: string | null;
  hosted_url: string | null;
  stripe_subscription_id: string;
  /** The Stripe payments for the invoice; none if it was paid out of band. */
  payment_intents: string[];
  /** The invoice's paid charges, with the amount left to refund. */
  charges: RefundableCharge[];
  amount_paid_cents: number;
  amount_refunded_cents: number;
  /** The payer's bank disputes it, or took it back; false once the club won. */
  disputed: boolean;
  /** The most important dispute; null if there was none. */
  dispute: FetchedDispute | null;
  currency: string;
  paid_at: Date;
  /** The subscription's periods that it paid the regular charge for, with their prices. */
  periods: PaidPeriod[];
  /** Settled changes of price within a period: the rest of the period, at the new price. */
  changes: PaidPeriod[];
}

export interface PaidCharge {
  payment_intent: string | null;
  refunded_cents: number;
  /** The payer's bank disputes it, or took it back; false once the club won. */
  disputed: boolean;
}

export interface PaidPeriod {
  start: Date;
  end: Date;
  stripe_price_id: string | null;
}

export interface StripeSnapshot {
  /** Our clock's time just before the fetch. */
  fetched_at: Date;
  /** deleted: someone deleted the customer at Stripe, which canceled its subscriptions. unknown: Stripe has no such id. */
  customer: 'found' | 'deleted' | 'unknown';
  subscriptions: FetchedSubscription[];
  payments: FetchedPayment[];
  /** All payments of the customer, for any product. */
  charges: PaidCharge[];
}

/** The paid invoices of a subscription; empty for null. */
export const paymentsOf = ({ payments }: StripeSnapshot, subscriptionId: string | null): FetchedPayment[] =>
  payments.filter((it) => it.stripe_subscription_id === subscriptionId);

export const keptCents = (snapshot: StripeSnapshot, subscriptionId: string): number =>
  paymentsOf(snapshot, subscriptionId).reduce(
    (sum, it) => sum + it.amount_paid_cents - it.amount_refunded_cents,
    0,
  );

const ALL_PAGES = { limit: 10_000 };
const PAGE_SIZE = 100;

type FetchDeps = Pick<BillingDeps, 'stripe' | 'now'>;

/**
 * A customer's subscriptions, paid invoices and charges: amounts in cents, instants in UTC. Throws Stripe's errors, but
 * not for a missing customer: `customer` says so.
 */
export async function fetchSnapshot({ stripe, now }: FetchDeps, customer: string): Promise<StripeSnapshot> {
  const fetched_at = now();
  try {
    return { fetched_at, ...(await fetchAll(stripe, customer)) };
  } catch (error) {
    if (!isMissing(error, 'customer')) throw error;
    const missing = await whyMissing(stripe, customer);
    if (missing === null) throw error;
    return { fetched_at, customer: missing, subscriptions: [], payments: [], charges: [] };
  }
}

async function fetchAll(stripe: Stripe, customer: string): Promise<Omit<StripeSnapshot, 'fetched_at'>> {
  const [subscriptions, invoices, charges] = await Promise.all([
    allOf(
      stripe.subscriptions.list({
        customer,
        status: 'all',
        limit: PAGE_SIZE,
        expand: EXPANDED_IN_SUBSCRIPTIONS,
      }),
    ),
    allOf(stripe.invoices.list({ customer, status: 'paid', limit: PAGE_SIZE, expand: ['data.payments'] })),
    allOf(stripe.charges.list({ customer, limit: PAGE_SIZE })),
  ]);
  const disputes = await fetchDisputes(stripe, charges);
  const isDeleted = subscriptions.some(({ customer: it }) => typeof it !== 'string' && it.deleted);
  return {
    customer: isDeleted ? 'deleted' : 'found',
    subscriptions: subscriptions.map(readSubscription).filter((it) => it !== null),
    payments: invoices.map((invoice) => readPayment(invoice, charges, disputes)).filter((it) => it !== null),
    charges: readCharges(charges, disputes),
  };
}

/** The paid charges of a payment. Throws Stripe's errors. */
export async function fetchCharges(stripe: Stripe, of: { payment_intent: string }): Promise<PaidCharge[]> {
  const charges = await allOf(stripe.charges.list({ ...of, limit: PAGE_SIZE }));
  return readCharges(charges, await fetchDisputes(stripe, charges));
}

const readCharges = (charges: Stripe.Charge[], { disputed }: ChargeDisputes): PaidCharge[] =>
  charges
    .filter(({ paid }) => paid)
    .map(({ id, payment_intent, amount_refunded }) => ({
      payment_intent: idOf(payment_intent),
      refunded_cents: amount_refunded,
      disputed: disputed.has(id),
    }));

/** Few customers have a second page, so the first is read without the iterator. */
async function allOf<T>(list: Stripe.ApiListPromise<T>): Promise<T[]> {
  const { data, has_more } = await list;
  return has_more ? list.autoPagingToArray(ALL_PAGES) : data;
}

/** Null if the customer exists at Stripe after all. */
async function whyMissing(stripe: Stripe, customer: string): Promise<'deleted' | 'unknown' | null> {
  const found = await unlessMissing(stripe.customers.retrieve(customer));
  if (!found) return 'unknown';
  return found.deleted ? 'deleted' : null;
}

function readPayment(
  invoice: Stripe.Invoice,
  charges: Stripe.Charge[],
  { disputes, disputed }: ChargeDisputes,
): FetchedPayment | null {
  const subscription = idOf(invoice.parent?.subscription_details?.subscription);
  if (!subscription || !invoice.id) return null;
  const intents = (invoice.payments?.data ?? [])
    .filter(({ status }) => status === 'paid')
    .map(({ payment }) => idOf(payment.payment_intent))
    .filter((it) => it !== null);
  const ours = charges.filter(({ payment_intent }) => intents.includes(idOf(payment_intent) ?? ''));
  return {
    stripe_invoice_id: invoice.id,
    number: invoice.number,
    hosted_url: invoice.hosted_invoice_url ?? null,
    stripe_subscription_id: subscription,
    payment_intents: intents,
    charges: ours
      .filter(({ paid }) => paid)
      .map(({ payment_intent, amount, amount_refunded }) => ({
        payment_intent: idOf(payment_intent) ?? '',
        refundable_cents: amount - amount_refunded,
      })),
    amount_paid_cents: invoice.amount_paid,
    amount_refunded_cents: ours.reduce((sum, charge) => sum + charge.amount_refunded, 0),
    disputed: ours.some(({ id }) => disputed.has(id)),
    dispute: leadingDispute(disputes.filter(({ charge }) => ours.some(({ id }) => id === charge))),
    currency: invoice.currency,
    paid_at: instant(invoice.status_transitions.paid_at ?? invoice.created),
    periods: linesOf(invoice, ({ subscription_item_details: it }) => it?.proration === false),
    // The rest of the earlier price is credited on a separate, negative line.
    changes: linesOf(
      invoice,
      ({ invoice_item_details: it }, { amount }) => it?.proration === true && amount >= 0,
    ),
  };
}

function linesOf(
  { lines }: Stripe.Invoice,
  isWanted: (parent: Stripe.InvoiceLineItem.Parent, line: Stripe.InvoiceLineItem) => boolean,
): PaidPeriod[] {
  return lines.data
    .filter((line) => line.parent && isWanted(line.parent, line))
    .map(({ period, pricing }) => ({
      start: instant(period.start),
      end: instant(period.end),
      stripe_price_id: idOf(pricing?.price_details?.price),
    }));
}
