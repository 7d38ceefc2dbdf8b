import { z } from 'zod';
import { TIER_CHANGE_KINDS } from '../domain/tier-change.ts';
import { cents, epochSeconds, id, procedure, text, timestamp } from './base.ts';
import { subscription } from './functions.ts';
import { refusals } from './refusals.ts';

export const payment = z.object({
  /** Stripe's invoice id. */
  id: z.string(),
  status: z.string(),
  amount: cents,
  amount_refunded: cents,
  currency: z.string(),
  created_at: timestamp,
});
export type Payment = z.infer<typeof payment>;

const glasses = z.object({ available_pours: z.number().int(), tier_max: z.number().int() });

/** What a change of tier would cost and bring: agreed to as it is shown, by its id, for 15 minutes. */
export const tierPreview = z.object({
  id,
  tier: z.string(),
  kind: z.enum(TIER_CHANGE_KINDS),
  charged_now: cents,
  effective_at: epochSeconds,
  /** The next regular charge. */
  next_amount: cents,
  next_billing_at: epochSeconds,
  glasses_now: glasses,
  /** Once it is in force. */
  glasses_then: glasses,
});
export type TierPreview = z.infer<typeof tierPreview>;

const subscriptionAnswer = z.object({ subscription: subscription.nullable() });

export const billing = {
  /** What another tier would cost the signed-in member. Charges nothing. */
  previewTier: procedure
    .route({ method: 'POST', path: '/billing/tier/preview' })
    .input(z.strictObject({ tier: text(50) }))
    .errors(
      refusals(
        'NO_SUBSCRIPTION',
        'TIER_NOT_AVAILABLE',
        'TIER_CHANGE_REFUSED',
        'TOO_MANY_ATTEMPTS',
        'PAYMENTS_UNAVAILABLE',
      ),
    )
    .output(tierPreview),
  /** Carries out what a preview showed, once, however often it is asked for. */
  changeTier: procedure
    .route({ method: 'POST', path: '/billing/tier' })
    .input(z.strictObject({ preview_id: id }))
    .errors(
      refusals(
        'NOT_FOUND',
        'NO_SUBSCRIPTION',
        'TIER_CHANGE_REFUSED',
        'PREVIEW_EXPIRED',
        'PAYMENT_REFUSED',
        'PAYMENTS_UNAVAILABLE',
      ),
    )
    .output(subscriptionAnswer),
  /** Takes back a change that waits for the end of the period. */
  cancelTierChange: procedure
    .route({ method: 'POST', path: '/billing/tier/cancel-change' })
    .errors(refusals('NO_SUBSCRIPTION', 'PAYMENTS_UNAVAILABLE'))
    .output(subscriptionAnswer),
  /** Takes a scheduled cancellation back. */
  resumeSubscription: procedure
    .route({ method: 'POST', path: '/billing/resume' })
    .errors(refusals('NO_SUBSCRIPTION', 'PAYMENTS_UNAVAILABLE'))
    .output(subscriptionAnswer),
  /** Where the signed-in member changes their card: a page of the payment service. */
  updatePaymentMethod: procedure
    .route({ method: 'POST', path: '/billing/payment-method' })
    .errors(refusals('NO_SUBSCRIPTION', 'PAYMENTS_UNAVAILABLE'))
    .output(z.object({ url: z.string() })),
  /**
   * Where the signed-in member sees an invoice of theirs, and pays it if it is open: a page of the payment
   * service. Without an id, the one that waits for its payment.
   */
  openInvoice: procedure
    .route({ method: 'POST', path: '/billing/invoice' })
    .input(z.strictObject({ invoice_id: text(100).optional() }))
    .errors(refusals('NOT_FOUND', 'NO_SUBSCRIPTION', 'PAYMENTS_UNAVAILABLE'))
    .output(z.object({ url: z.string() })),
  /** The signed-in member's payments, newest first, two years of them. */
  listPayments: procedure.route({ method: 'GET', path: '/billing/payments' }).output(z.array(payment)),
};
