/**
 * What staff may give back of a payment: docs/rules/billing.md, "Refunds by staff". Amounts in the currency's smallest
 * unit.
 */

/**
 * Why a refund is not made. under_way: another one of the same payment is not settled yet. disputed: the payer's bank
 * decides about it. unrefundable: no money went through Stripe, or Stripe refused for good. outdated: more was given back
 * since the staff member looked. refused: Stripe says no, for a reason of its own.
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

/** asked: stored, and not at Stripe yet. failed: Stripe made it, and the payer's bank sent it back later. */
export const REFUND_STATUSES = ['asked', 'done', 'refused', 'failed'] as const;

/** A refund can still fail this many days after it was made: Stripe says banks send it back within a month. */
export const REFUND_MAY_FAIL_DAYS = 45;

export interface RefundablePayment {
  paid_cents: number;
  refunded_cents: number;
  disputed: boolean;
  unrefundable: boolean;
  /** A refund of it is not settled yet. */
  under_way: boolean;
}

export interface RefundAsk {
  amount_cents: number;
  /** What was already refunded of it, as the staff member saw it. */
  shown_refunded_cents: number;
}

/** Why nothing can be given back of a payment at all; null if something can. */
export function paymentObstacle(payment: RefundablePayment): RefundObstacle | null {
  if (payment.under_way) return 'under_way';
  if (payment.disputed) return 'disputed';
  if (payment.unrefundable) return 'unrefundable';
  return payment.refunded_cents >= payment.paid_cents ? 'nothing_left' : null;
}

/** Why this amount cannot be given back; null if it can. */
export function refundObstacle(
  payment: RefundablePayment,
  { amount_cents, shown_refunded_cents }: RefundAsk,
): RefundObstacle | null {
  const obstacle = paymentObstacle(payment);
  if (obstacle) return obstacle;
  // Two staff who looked at the same moment would otherwise both give back.
  if (shown_refunded_cents !== payment.refunded_cents) return 'outdated';
  return amount_cents > payment.paid_cents - payment.refunded_cents ? 'too_much' : null;
}

/** One of the charges that paid an invoice; there is more than one only if it was paid in parts. */
export interface RefundableCharge {
  payment_intent: string;
  /** What is left of it to give back. */
  refundable_cents: number;
}

/** How much of which charge: the first ones first, never more than is left. */
export function splitRefund(
  amount_cents: number,
  charges: RefundableCharge[],
): { payment_intent: string; amount_cents: number }[] {
  let left = amount_cents;
  const parts: { payment_intent: string; amount_cents: number }[] = [];
  for (const { payment_intent, refundable_cents } of charges) {
    const part = Math.min(left, refundable_cents);
    if (part <= 0) continue;
    parts.push({ payment_intent, amount_cents: part });
    left -= part;
  }
  return parts;
}
