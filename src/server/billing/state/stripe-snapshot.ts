import type Stripe from 'stripe';
import type { BillingDeps } from '../billing-context.ts';
import { type ChargeDisputes, fetchDisputes } from '../disputes.ts';
import { isMissing, unlessMissing } from '../stripe-errors.ts';
import { idOf } from '../stripe-objects.ts';
import { fetchCredited } from './credit-notes.ts';
import { type FetchedDue, type FetchedPayment, readDue, readPayment } from './fetched-invoice.ts';
import {
  EXPANDED_IN_SUBSCRIPTIONS,
  type FetchedSubscription,
  readSubscription,
} from './fetched-subscription.ts';
import { readTiers } from './known-tiers.ts';
import type { KnownTiers } from './membership-item.ts';
import { fetchOpenPayments } from './open-payments.ts';
import { fetchExtras } from './subscription-extras.ts';
import { allOf, completeInvoice, completeItems, PAGE_SIZE } from './whole-lists.ts';

export interface PaidCharge {
  payment_intent: string | null;
  refunded_cents: number;
  /** The payer's bank disputes it, or took it back; false once the club won. */
  disputed: boolean;
}

export interface StripeSnapshot {
  /** Our clock's time just before the fetch. */
  fetched_at: Date;
  /** deleted: someone deleted the customer at Stripe, which canceled its subscriptions. unknown: Stripe has no such id. */
  customer: 'found' | 'deleted' | 'unknown';
  subscriptions: FetchedSubscription[];
  payments: FetchedPayment[];
  /** Invoices of subscriptions that can still be paid, newest first. */
  due: FetchedDue[];
  /** All payments of the customer, for any product. */
  charges: PaidCharge[];
}

/** The paid invoices of a subscription; empty for null. */
export const paymentsOf = ({ payments }: StripeSnapshot, subscriptionId: string | null): FetchedPayment[] =>
  subscriptionId === null ? [] : payments.filter((it) => it.stripe_subscription_id === subscriptionId);

export const keptCents = (snapshot: StripeSnapshot, subscriptionId: string): number =>
  paymentsOf(snapshot, subscriptionId).reduce(
    (sum, it) => sum + it.amount_paid_cents - it.amount_refunded_cents - it.amount_credited_cents,
    0,
  );

type FetchDeps = Pick<BillingDeps, 'db' | 'stripe' | 'now'>;

/**
 * A customer's subscriptions, invoices and charges: amounts in cents, instants in UTC. Throws Stripe's errors, but not for a
 * missing customer: `customer` says so.
 */
export async function fetchSnapshot(
  { db, stripe, now }: FetchDeps,
  customer: string,
): Promise<StripeSnapshot> {
  const fetched_at = now();
  const tiers = await readTiers(db);
  try {
    return { fetched_at, ...(await fetchAll(stripe, customer, tiers)) };
  } catch (error) {
    if (!isMissing(error, 'customer')) throw error;
    const missing = await whyMissing(stripe, customer);
    if (missing === null) throw error;
    return { fetched_at, customer: missing, subscriptions: [], payments: [], due: [], charges: [] };
  }
}

async function fetchAll(
  stripe: Stripe,
  customer: string,
  tiers: KnownTiers,
): Promise<Omit<StripeSnapshot, 'fetched_at'>> {
  const [subscriptions, invoices, charges] = await Promise.all([
    allOf(
      stripe.subscriptions.list({
        customer,
        status: 'all',
        limit: PAGE_SIZE,
        expand: EXPANDED_IN_SUBSCRIPTIONS,
      }),
    ),
    allOf(stripe.invoices.list({ customer, limit: PAGE_SIZE, expand: ['data.payments'] })),
    allOf(stripe.charges.list({ customer, limit: PAGE_SIZE })),
  ]);
  await Promise.all([
    ...subscriptions.map((it) => completeItems(stripe, it)),
    ...invoices.map((it) => completeInvoice(stripe, it)),
  ]);
  const disputes = await fetchDisputes(stripe, charges);
  const extras = await fetchExtras(stripe, subscriptions);
  const credited = await fetchCredited(stripe, invoices);
  const openPayments = await fetchOpenPayments(stripe, invoices);
  const isDeleted = subscriptions.some(({ customer: it }) => typeof it !== 'string' && it.deleted);
  return {
    customer: isDeleted ? 'deleted' : 'found',
    subscriptions: subscriptions.map((it) => readSubscription(it, tiers, extras)).filter((it) => it !== null),
    payments: invoices
      .map((invoice) => readPayment(invoice, charges, disputes, credited))
      .filter((it) => it !== null),
    due: invoices.map((invoice) => readDue(invoice, charges, openPayments)).filter((it) => it !== null),
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

/** Null if the customer exists at Stripe after all. */
async function whyMissing(stripe: Stripe, customer: string): Promise<'deleted' | 'unknown' | null> {
  const found = await unlessMissing(stripe.customers.retrieve(customer));
  if (!found) return 'unknown';
  return found.deleted ? 'deleted' : null;
}
