import { z } from 'zod';
import { REFUND_OBSTACLES } from '../../domain/staff/refund.ts';
import { cents, day, GET, id, POST, timestamp } from '../base.ts';
import { reason } from '../forms/pour-fields.ts';
import { refusals } from '../refusals.ts';
import { text } from '../text.ts';

const payment = z.object({
  id: z.string(),
  paid_at: timestamp,
  amount: cents,
  amount_refunded: cents,
  /** Given back by a credit note in Stripe, without a refund. */
  amount_credited: cents,
  currency: z.string(),
  status: z.string(),
  /** The period of the payment, and its tier as it was then; null if it belongs to none. */
  paid_for: z.object({ tier: z.string(), from: timestamp, until: timestamp }).nullable(),
  /** Whether it is the difference for the rest of the period or year, after a change to a larger tier. */
  difference: z.boolean(),
  /**
   * The months of a year, or of the difference to a dearer tier in one, that have not begun, their share, and until when it is
   * paid without them; null for others. back_to: of a difference, the tier that comes back then.
   */
  unused: z
    .object({ months: z.number().int(), amount: cents, until: day, back_to: z.string().nullable() })
    .nullable(),
  obstacle: z.enum(REFUND_OBSTACLES).nullable(),
});
export type MemberPayment = z.infer<typeof payment>;

export const refunds = {
  listPayments: GET('/customers/{customer_id}/payments', {
    summary: 'List the payments of a member',
    description: 'Those by card, the latest first, at most 100.',
  })
    .input(z.strictObject({ customer_id: id }))
    .errors(refusals('NOT_FOUND'))
    .output(z.array(payment)),
  create: POST('/customers/{customer_id}/refunds', {
    successStatus: 201,
    summary: 'Refund a payment, or part of it',
    description:
      'Once accepted it will be made, however long Stripe is unavailable; repeating the same request_id asks for nothing more.',
  })
    .input(
      z.strictObject({
        request_id: id,
        customer_id: id,
        payment_id: text(100),
        amount: cents.min(1).max(100_000_000),
        /** The amount already refunded, as shown on the page: if it is out of date, nothing is refunded. */
        shown_refunded: cents.min(0).max(100_000_000),
        /** Gives these months of a year, or of its difference, back; `amount` is that of the payment's `unused`. */
        unused_months: z.number().int().min(1).max(12).optional(),
        reason,
      }),
    )
    .errors(refusals('NOT_FOUND', 'REFUND_REFUSED', 'REQUEST_ID_REUSED', 'PAYMENTS_OFF'))
    .output(
      z.object({
        /** asked: Stripe did not respond in time, and the request is repeated every minute. */
        status: z.enum(['asked', 'done']),
        amount: cents,
        currency: z.string(),
      }),
    ),
};
