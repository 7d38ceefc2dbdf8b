import { z } from 'zod';
import { END_OBSTACLES, END_TIMES } from '../../domain/membership/end.ts';
import { TAX_BEHAVIORS } from '../../domain/money.ts';
import { LEAVING_REASONS } from '../../domain/reports/leaving-reason.ts';
import { cents, DELETE, GET, id, POST, timestamp } from '../base.ts';
import { refusals } from '../refusals.ts';

const charge = z.object({ amount: cents, currency: z.string(), tax_behavior: z.enum(TAX_BEHAVIORS) });

const offer = z.object({
  /** How the membership is paid; null without one, and once it has ended. */
  paid_by: z.enum(['card', 'venue']).nullable(),
  /** Why the membership cannot end with the period, or at all; null if it can. */
  obstacle: z.enum(END_OBSTACLES).nullable(),
  period_end: timestamp.nullable(),
  /** Whether the membership is paused until then, without glasses. */
  paused: z.boolean(),
  /** Charged at the end of the period for what waits for an invoice, if it ends then; null for nothing. */
  last_charge: charge.nullable(),
  /** About to be charged for the month that has begun; null for nothing. */
  charging: charge.nullable(),
  /** An end already set, by the venue or the member, or from the beginning, and whether the request to Stripe is still pending. */
  ending: z
    .object({
      at: timestamp,
      by: z.enum(['venue', 'member', 'given', 'card', 'year']),
      under_way: z.boolean(),
    })
    .nullable(),
});
export type EndOffer = z.infer<typeof offer>;

const ofMember = { customer_id: id };

/** Staff ending a membership, or keeping it after all: docs/rules/membership.md, "Ending by staff". */
export const membershipEnd = {
  get: GET('/customers/{customer_id}/membership-end', {
    summary: 'Get what ending a membership would mean now',
    description: 'When it would end, and whether an end is already set.',
  })
    .input(z.strictObject(ofMember))
    .errors(refusals('NOT_FOUND'))
    .output(offer),
  create: POST('/customers/{customer_id}/membership-end', {
    summary: "End a member's membership",
    description:
      'At the end of the paid period, which is `period_end` as it was shown, or at once. Nothing more is charged, except `charging` within the hour and `last_charge` at the end of the period. Nothing is refunded; a refund is a separate call.',
  })
    .input(
      z.strictObject({
        ...ofMember,
        when: z.enum(END_TIMES),
        reason: z.enum(LEAVING_REASONS),
        period_end: timestamp,
      }),
    )
    .errors(refusals('NOT_FOUND', 'END_REFUSED', 'PREVIEW_EXPIRED', 'PAYMENTS_UNAVAILABLE'))
    .output(offer),
  withdraw: DELETE('/customers/{customer_id}/membership-end', {
    summary: 'Withdraw an end that staff set',
    description: 'Before it has ended. It renews as before.',
  })
    .input(z.strictObject(ofMember))
    .errors(refusals('NOT_FOUND', 'END_REFUSED', 'PAYMENTS_UNAVAILABLE'))
    .output(offer),
};
