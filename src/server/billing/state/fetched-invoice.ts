import type Stripe from 'stripe';
import type { DueInvoice } from '../../../domain/membership/collection.ts';
import { YEAR_MONTHS } from '../../../domain/membership/dues.ts';
import { leadingDispute } from '../../../domain/staff/dispute.ts';
import type { RefundableCharge } from '../../../domain/staff/refund.ts';
import { isUuid } from '../../../domain/uuid.ts';
import type { ChargeDisputes, FetchedDispute } from '../disputes.ts';
import { idOf, instant } from '../stripe-objects.ts';
import { methodKey } from './fetched-subscription.ts';

export interface FetchedPayment {
  stripe_invoice_id: string;
  /** The invoice's number, as the payer sees it, and its page at Stripe; a draft has neither. */
  number: string | null;
  hosted_url: string | null;
  /** Null for a year, which has no subscription. */
  stripe_subscription_id: string | null;
  /** The year that it paid for, or the dearer tier in one, as its page named it; null for a subscription. */
  year: PaidYear | null;
  /** The Stripe payments for the invoice; none if it was paid out of band. */
  payment_intents: string[];
  /** The invoice's paid charges, with the amount left to refund; less what credit notes gave back in another way. */
  charges: RefundableCharge[];
  amount_paid_cents: number;
  /** The tax on the invoice, included in its total. */
  tax_cents: number;
  /** The part of the invoice that the customer's credit at Stripe paid; not in `amount_paid_cents`. */
  credit_cents: number;
  amount_refunded_cents: number;
  /** Given back by credit notes without a refund: as credit for later invoices, or outside of Stripe. */
  amount_credited_cents: number;
  /** The payer's bank disputes it, or took it back; false once the club won. */
  disputed: boolean;
  /** The most important dispute; null if there was none. */
  dispute: FetchedDispute | null;
  currency: string;
  invoiced_at: Date;
  paid_at: Date;
  /** The subscription's periods that it paid the regular charge for, with their prices. */
  periods: PaidPeriod[];
  /** Settled changes of price within a period: the rest of the period, at the new price. */
  changes: PaidPeriod[];
}

/** A year, or the rest of one in a dearer tier, that was bought on a page of ours. */
export interface PaidYear {
  attempt_id: string;
  application_id: string;
  tier: string;
  months: number;
  /** The tier before, if it is the difference to a dearer one; null for a year. */
  from_tier: string | null;
  /** The price, before tax that is added. */
  price_cents: number;
}

export interface PaidPeriod {
  start: Date;
  end: Date;
  stripe_price_id: string | null;
}

/** An invoice that can still be paid: open, or a draft, or written off by Stripe. */
export interface FetchedDue extends DueInvoice {
  status: 'open' | 'draft' | 'uncollectible';
  currency: string;
  hosted_url: string | null;
  /** Why Stripe could not finalize a draft, in its words; null if nothing failed. */
  finalization_error: string | null;
  periods: PaidPeriod[];
  /** Declined charges, newest first. */
  declined: DeclinedCharge[];
}

interface DeclinedCharge {
  /** The payment method as it was then (methodKey). */
  method: string;
  /** Stripe's code for the bank's reason, such as 'insufficient_funds'. */
  code: string | null;
}

export interface OpenPayment {
  /** Keys of the payment methods of attempts that left no charge. */
  tried: string[];
  /** The bank has it, and has not answered yet. */
  is_under_way: boolean;
}

const hasStatus = (invoice: Stripe.Invoice): invoice is Stripe.Invoice & { status: FetchedDue['status'] } =>
  invoice.status === 'open' || invoice.status === 'draft' || invoice.status === 'uncollectible';

export const subscriptionOf = ({ parent }: Stripe.Invoice) =>
  idOf(parent?.subscription_details?.subscription);

/** An invoice of a subscription that can still be paid; null for any other. */
export function readDue(
  invoice: Stripe.Invoice,
  charges: Stripe.Charge[],
  openPayments: Map<string, OpenPayment>,
): FetchedDue | null {
  const subscription = subscriptionOf(invoice);
  if (!subscription || !invoice.id || !hasStatus(invoice)) return null;
  const intents = intentsOf(invoice);
  const declined = charges
    .filter((it) => it.status === 'failed' && intents.includes(idOf(it.payment_intent) ?? ''))
    .map(({ payment_method, payment_method_details: details, outcome, failure_code }) => ({
      method: methodKey(payment_method ?? '', details?.card),
      code: outcome?.reason ?? failure_code,
    }));
  const open = intents.map((id) => openPayments.get(id)).filter((it) => it !== undefined);
  return {
    stripe_invoice_id: invoice.id,
    stripe_subscription_id: subscription,
    status: invoice.status,
    is_automatic: invoice.collection_method === 'charge_automatically' && invoice.billing_reason !== 'manual',
    amount_cents: invoice.amount_remaining,
    currency: invoice.currency,
    hosted_url: invoice.hosted_invoice_url ?? null,
    finalization_error: finalizationError(invoice),
    created_at: instant(invoice.created),
    periods: regularPeriods(invoice),
    declined,
    tried: [...declined.map(({ method }) => method), ...open.flatMap(({ tried }) => tried)],
    is_under_way: open.some(({ is_under_way }) => is_under_way),
  };
}

const finalizationError = ({ status, last_finalization_error: error }: Stripe.Invoice) =>
  status === 'draft' && error ? (error.message ?? error.code ?? error.type) : null;

/** The year, or the rest of one, that an invoice is for; null if it is for anything else. */
function yearOf({ parent, metadata, subtotal: price_cents }: Stripe.Invoice): PaidYear | null {
  const { attempt_id, application_id, tier, from_tier = null } = metadata ?? {};
  const months = Number(metadata?.months);
  const isOurs = parent === null && tier && isUuid(attempt_id ?? '');
  const isKnown = from_tier ? months >= 1 && months < YEAR_MONTHS : months === YEAR_MONTHS;
  return isOurs && isKnown && attempt_id
    ? { attempt_id, application_id: application_id ?? '', tier, months, from_tier, price_cents }
    : null;
}

/** A paid invoice of a subscription, or of a year; null for any other. */
export function readPayment(
  invoice: Stripe.Invoice,
  charges: Stripe.Charge[],
  { disputes, disputed }: ChargeDisputes,
  credited: Map<string, number>,
): FetchedPayment | null {
  const subscription = subscriptionOf(invoice);
  const year = yearOf(invoice);
  if (!(subscription || year) || !invoice.id || invoice.status !== 'paid') return null;
  const intents = intentsOf(invoice, 'paid');
  const ours = charges.filter(({ payment_intent }) => intents.includes(idOf(payment_intent) ?? ''));
  const amount_refunded_cents = ours.reduce((sum, charge) => sum + charge.amount_refunded, 0);
  const amount_credited_cents = Math.min(
    credited.get(invoice.id) ?? 0,
    Math.max(0, invoice.amount_paid - amount_refunded_cents),
  );
  return {
    stripe_invoice_id: invoice.id,
    number: invoice.number,
    hosted_url: invoice.hosted_invoice_url ?? null,
    stripe_subscription_id: subscription,
    year,
    payment_intents: intents,
    charges: lessCredited(
      amount_credited_cents,
      ours
        .filter(({ paid }) => paid)
        .map(({ payment_intent, amount, amount_refunded }) => ({
          payment_intent: idOf(payment_intent) ?? '',
          refundable_cents: amount - amount_refunded,
        })),
    ),
    amount_paid_cents: invoice.amount_paid,
    tax_cents: (invoice.total_taxes ?? []).reduce((sum, { amount }) => sum + amount, 0),
    credit_cents: creditUsed(invoice),
    amount_refunded_cents,
    amount_credited_cents,
    disputed: ours.some(({ id }) => disputed.has(id)),
    dispute: leadingDispute(disputes.filter(({ charge }) => ours.some(({ id }) => id === charge))),
    currency: invoice.currency,
    invoiced_at: instant(invoice.created),
    paid_at: instant(invoice.status_transitions.paid_at ?? invoice.created),
    periods: regularPeriods(invoice),
    // The rest of the earlier price is credited on a separate, negative line.
    changes: isFirst(invoice) ? [] : linesOf(invoice, (line) => isProration(line) && line.amount >= 0),
  };
}

function lessCredited(credited_cents: number, charges: RefundableCharge[]): RefundableCharge[] {
  let remaining_cents = credited_cents;
  return charges.map(({ payment_intent, refundable_cents }) => {
    const taken = Math.min(remaining_cents, refundable_cents);
    remaining_cents -= taken;
    return { payment_intent, refundable_cents: refundable_cents - taken };
  });
}

/** A negative balance is credit. A positive one, such as an amount too small to charge, is owed. */
const creditUsed = ({ starting_balance, ending_balance }: Stripe.Invoice): number =>
  Math.max(0, Math.min(0, ending_balance ?? starting_balance) - Math.min(0, starting_balance));

export function intentsOf({ payments }: Stripe.Invoice, status?: 'paid' | 'open'): string[] {
  return (payments?.data ?? [])
    .filter((it) => status === undefined || it.status === status)
    .map(({ payment }) => idOf(payment.payment_intent))
    .filter((it) => it !== null);
}

/** Stripe names the subscription's item as a proration's parent; in older answers, an invoice item. */
const isProration = ({ parent }: Stripe.InvoiceLineItem) =>
  (parent?.subscription_item_details ?? parent?.invoice_item_details)?.proration === true;

const isFirst = ({ billing_reason }: Stripe.Invoice) => billing_reason === 'subscription_create';

/** Stripe prorates a first period that is shortened to a fixed billing day: that charge pays for it, and changes nothing. */
const regularPeriods = (invoice: Stripe.Invoice) =>
  linesOf(
    invoice,
    (line) =>
      line.parent?.subscription_item_details?.proration === false || (isFirst(invoice) && isProration(line)),
  );

function linesOf(
  { lines }: Stripe.Invoice,
  isWanted: (line: Stripe.InvoiceLineItem) => boolean,
): PaidPeriod[] {
  return lines.data.filter(isWanted).map(({ period, pricing }) => ({
    start: instant(period.start),
    end: instant(period.end),
    stripe_price_id: idOf(pricing?.price_details?.price),
  }));
}
