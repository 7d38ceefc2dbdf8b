import type Stripe from 'stripe';
import { type RefundableCharge, type RefundObstacle, splitRefund } from '../../../domain/staff/refund.ts';
import type { BillingDeps } from '../billing-context.ts';
import { withKey } from '../idempotency-key.ts';
import { type RefundTerms, refundParams } from '../request-params.ts';
import { isRefundRefused } from '../stripe-errors.ts';

/** A refund at Stripe. Sent back: it never reached the payer. Until then, one that is pending or asks the payer counts. */
interface FoundRefund {
  payment_intent: string;
  amount_cents: number;
  is_sent_back: boolean;
}

/** The refunds of payments that carry this metadata. Throws Stripe's errors. */
export async function findRefunds(
  { stripe }: BillingDeps,
  payment_intents: string[],
  metadata: RefundTerms['metadata'],
): Promise<FoundRefund[]> {
  const refunds: FoundRefund[] = [];
  for (const payment_intent of payment_intents) {
    const list = stripe.refunds.list({ payment_intent, limit: 100 });
    for (const { status, amount: amount_cents, metadata: theirs } of await list.autoPagingToArray(
      ALL_PAGES,
    )) {
      const isOurs = Object.entries(metadata).every(([name, value]) => theirs?.[name] === value);
      const is_sent_back = status === 'failed' || status === 'canceled';
      if (isOurs) refunds.push({ payment_intent, amount_cents, is_sent_back });
    }
  }
  return refunds;
}

const ALL_PAGES = { limit: 10_000 };

/** What came of a request. Stripe will never make what has an obstacle; `why` tells staff. */
export interface RefundAnswer {
  refunded_cents: number;
  obstacle: RefundObstacle | null;
  why: string;
}

/**
 * Refunds an amount in cents, split over charges. `id` is of the committed row behind it, and makes the idempotency key.
 * Throws Stripe's errors, unless it refuses for good.
 */
export async function requestRefund(
  deps: BillingDeps,
  id: string,
  terms: RefundTerms,
  { amount_cents, charges }: { amount_cents: number; charges: RefundableCharge[] },
): Promise<RefundAnswer> {
  const answer: RefundAnswer = { refunded_cents: 0, obstacle: null, why: '' };
  for (const part of splitRefund(amount_cents, charges)) {
    try {
      const key = `refund:${id}:${part.payment_intent}:${part.amount_cents}`;
      const { amount } = await withKey(deps, key, (options) =>
        deps.stripe.refunds.create(refundParams(terms, part), options),
      );
      answer.refunded_cents += amount;
    } catch (error) {
      if (!isRefundRefused(error)) throw error;
      answer.obstacle = obstacleOf(error);
      answer.why = `Stripe won’t refund it: ${error.message}`;
    }
  }
  return answer;
}

function obstacleOf({ code, param }: Stripe.errors.StripeError): RefundObstacle {
  if (code === 'charge_disputed') return 'disputed';
  if (code === 'charge_already_refunded') return 'nothing_left';
  return param === 'amount' ? 'too_much' : 'refused';
}
