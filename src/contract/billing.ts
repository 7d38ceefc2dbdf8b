import { z } from 'zod';
import { cents, procedure, timestamp } from './base.ts';
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

export const billing = {
  /** Takes a scheduled cancellation back. */
  resume: procedure
    .route({ method: 'POST', path: '/billing/resume' })
    .errors(refusals('NO_SUBSCRIPTION', 'PAYMENTS_UNAVAILABLE'))
    .output(z.object({ subscription: subscription.nullable() })),
  /** Where the signed-in member changes their card: a page of the payment service. */
  updateCard: procedure
    .route({ method: 'POST', path: '/billing/card' })
    .errors(refusals('NO_SUBSCRIPTION', 'PAYMENTS_UNAVAILABLE'))
    .output(z.object({ url: z.string() })),
  /** The signed-in member's payments, newest first, two years of them. */
  payments: procedure.route({ method: 'GET', path: '/billing/payments' }).output(z.array(payment)),
};
