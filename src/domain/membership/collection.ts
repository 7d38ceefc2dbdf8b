import { isOverdue } from '../billing.ts';
import type { Standing } from '../standing.ts';

/** An unpaid invoice of a subscription, for deciding whether a new payment method pays it. */
export interface DueInvoice {
  stripe_invoice_id: string;
  stripe_subscription_id: string;
  status: string;
  /** Made by the subscription itself, and charged to a payment method. */
  is_automatic: boolean;
  amount_cents: number;
  created_at: Date;
  /** Keys of the payment methods that were tried for it. */
  tried: string[];
  /** The bank has a payment of it, and has not answered yet. */
  is_under_way: boolean;
}

/**
 * The invoice that a member has to pay to be paid up: the newest of the subscription. A draft counts only if Stripe has given
 * up (`unpaid`) and so leaves it one; an older invoice is then for a month without access.
 */
export function dueInvoice<Invoice extends DueInvoice>(
  invoices: readonly Invoice[],
  { stripe_subscription_id, status }: { stripe_subscription_id: string; status: string },
): Invoice | null {
  const payable = status === 'unpaid' ? ['open', 'draft'] : ['open'];
  const due = invoices
    .filter((it) => it.stripe_subscription_id === stripe_subscription_id && it.is_automatic)
    .filter((it) => it.amount_cents > 0 && payable.includes(it.status))
    .sort((a, b) => b.created_at.getTime() - a.created_at.getTime());
  return due[0] ?? null;
}

export interface CollectionFacts {
  /** Stripe's status, and the membership's standing. */
  status: string;
  standing: Standing;
  /** Stripe collects nothing, now or from the end of the period. */
  is_pausing: boolean;
  invoice: DueInvoice;
  /** The payment method that would be charged; `key` names it with its expiration date. */
  method: { key: string; created_at: Date };
  /** Keys of the methods that were tried for any due invoice of the subscription. */
  failed: string[];
  /** Until now there was no payment method that Stripe could have charged. */
  is_first: boolean;
}

/**
 * Whether a payment method that has not been tried pays a due invoice at once (docs/rules/billing.md, "Billing: a new payment
 * method"). If no attempt is recorded, Stripe is about to try the method that was there when the invoice was made, if there
 * was one; once it has given up it tries none, so that one which has not failed is new, also if it was saved before.
 */
export function isCollectable(facts: CollectionFacts): boolean {
  const { status, standing, is_pausing, invoice, method, failed, is_first } = facts;
  if (!isOverdue(status) || is_pausing) return false;
  if (standing !== 'grace' && status !== 'unpaid') return false;
  if (invoice.is_under_way) return false;
  if (invoice.tried.length === 0) {
    const isOther = status === 'unpaid' && failed.length > 0 && !failed.includes(method.key);
    return is_first || isOther || method.created_at > invoice.created_at;
  }
  return !invoice.tried.includes(method.key);
}

/** How a collection ended without the money. authentication: the bank asks the member to confirm it. */
export const COLLECTION_FAILURES = ['declined', 'authentication'] as const;
export type CollectionFailure = (typeof COLLECTION_FAILURES)[number];

/** Stripe's decline codes that a member can act on (docs.stripe.com/declines/codes). */
const REASONS: Record<string, string> = {
  card_not_supported: 'it can’t be used for this kind of payment',
  card_velocity_exceeded: 'it is over its limit',
  currency_not_supported: 'it can’t be charged in this currency',
  expired_card: 'it has expired',
  incorrect_cvc: 'its security code is wrong',
  incorrect_number: 'its number is wrong',
  insufficient_funds: 'there isn’t enough money on it',
  invalid_cvc: 'its security code is wrong',
  invalid_expiry_month: 'its expiration date is wrong',
  invalid_expiry_year: 'its expiration date is wrong',
  invalid_number: 'its number is wrong',
  issuer_not_available: 'the bank couldn’t be reached',
  new_account_information_available: 'its details have changed',
  processing_error: 'the bank couldn’t be reached',
  reenter_transaction: 'the bank couldn’t be reached',
  try_again_later: 'the bank couldn’t be reached',
  withdrawal_count_limit_exceeded: 'it is over its limit',
};

/**
 * A bank's reason for declining, after 'declined: '. A card reported as lost gets no reason of its own: its holder must not
 * learn of the report (docs.stripe.com/declines/codes).
 */
export const declineReason = (code: string | null): string =>
  REASONS[code ?? ''] ?? 'the bank gives no reason, and can tell you more';
