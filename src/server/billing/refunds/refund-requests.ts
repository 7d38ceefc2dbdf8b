import type Stripe from 'stripe';
import { type RefundableCharge, type RefundObstacle, splitRefund } from '../../../domain/staff/refund.ts';
import type { BillingDeps } from '../billing-context.ts';
import { withKey } from '../idempotency-key.ts';
import { type RefundTerms, refundParams } from '../request-params.ts';
import { isRefundRefused } from '../stripe-errors.ts';

/** What Stripe has made of a refund. Amounts in cents. */
export interface MadeRefunds {
  made: Map<string, number>;
  is_sent_back: boolean;
}

/** A refund never reached the payer. A pending one, or one that the payer must act on, counts as made until then. */
const isSentBack = ({ status }: Stripe.Refund) => status === 'failed' || status === 'canceled';

/** Finds the refunds at Stripe that carry this metadata: what was made of each payment. Throws Stripe's errors. */
export async function readRefunds(
  { stripe }: BillingDeps,
  payment_intents: string[],
  metadata: RefundTerms['metadata'],
): Promise<MadeRefunds> {
  const result: MadeRefunds = { made: new Map(), is_sent_back: false };
  for (const payment_intent of payment_intents) {
    const all = await stripe.refunds
      .list({ payment_intent, limit: 100 })
      .autoPagingToArray({ limit: 10_000 });
    const ours = all.filter((it) =>
      Object.entries(metadata).every(([name, value]) => it.metadata?.[name] === value),
    );
    const amount = ours.reduce((sum, it) => sum + (isSentBack(it) ? 0 : it.amount), 0);
    if (amount > 0) result.made.set(payment_intent, amount);
    result.is_sent_back ||= ours.some(isSentBack);
  }
  return result;
}

/** What became of a request. Stripe will never make what has an obstacle; `why` is its reason, for staff. */
export interface RefundAnswer {
  refunded_cents: number;
  obstacle: RefundObstacle | null;
  why: string;
}

/**
 * Refunds an amount in cents, split over charges. `id` is of the committed row that the refund is for, and makes the
 * idempotency key. Throws Stripe's errors, unless it refuses for good.
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
      deps.log.warn({ payment_intent: part.payment_intent, code: error.code }, 'Refund refused');
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
