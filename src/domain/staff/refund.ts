/** Refunds of a payment by staff: docs/rules/billing.md, "Refunds by staff". Amounts in the currency's smallest unit. */

/**
 * Why a refund is not made. under_way: another one of the same payment is not settled yet. disputed: the payer's bank is
 * deciding. unrefundable: no money went through Stripe, or Stripe refused permanently. outdated: more was refunded since
 * the staff member looked. refused: Stripe refuses for a reason of its own.
 */
export const REFUND_OBSTACLES = [
  'under_way',
  'disputed',
  'unrefundable',
  'nothing_left',
  'outdated',
  'too_much',
  'refused',
] as const;
export type RefundObstacle = (typeof REFUND_OBSTACLES)[number];

/** asked: stored, and not at Stripe yet. failed: Stripe made it, but the payer's bank returned it later. */
export const REFUND_STATUSES = ['asked', 'done', 'refused', 'failed'] as const;

/** Days after which a refund can no longer fail: Stripe says banks return it within a month. */
export const REFUND_MAY_FAIL_DAYS = 45;

export interface RefundablePayment {
  paid_cents: number;
  refunded_cents: number;
  /** Given back by credit notes without a refund. */
  credited_cents: number;
  disputed: boolean;
  unrefundable: boolean;
  under_way: boolean;
}

export interface RefundAsk {
  amount_cents: number;
  /** The amount already refunded, as shown to the staff member. */
  shown_refunded_cents: number;
}

const leftOf = ({ paid_cents, refunded_cents, credited_cents }: RefundablePayment) =>
  paid_cents - refunded_cents - credited_cents;

/** The reason nothing of a payment can be refunded; null if something can. */
export function paymentObstacle(payment: RefundablePayment): RefundObstacle | null {
  if (payment.under_way) return 'under_way';
  if (payment.disputed) return 'disputed';
  if (payment.unrefundable) return 'unrefundable';
  return leftOf(payment) <= 0 ? 'nothing_left' : null;
}

/** The reason this amount cannot be refunded; null if it can. */
export function refundObstacle(
  payment: RefundablePayment,
  { amount_cents, shown_refunded_cents }: RefundAsk,
): RefundObstacle | null {
  const obstacle = paymentObstacle(payment);
  if (obstacle) return obstacle;
  // Two staff who looked at the same time could otherwise both refund.
  if (shown_refunded_cents !== payment.refunded_cents) return 'outdated';
  return amount_cents > leftOf(payment) ? 'too_much' : null;
}

/** A charge that paid an invoice; there are several only if it was paid in parts. */
export interface RefundableCharge {
  payment_intent: string;
  refundable_cents: number;
}

/** Splits a refund over the charges in order, never more than is left of each. Amounts in cents. */
export function splitRefund(
  amount_cents: number,
  charges: RefundableCharge[],
): { payment_intent: string; amount_cents: number }[] {
  let remaining = amount_cents;
  const parts: { payment_intent: string; amount_cents: number }[] = [];
  for (const { payment_intent, refundable_cents } of charges) {
    const part = Math.min(remaining, refundable_cents);
    if (part <= 0) continue;
    parts.push({ payment_intent, amount_cents: part });
    remaining -= part;
  }
  return parts;
}
