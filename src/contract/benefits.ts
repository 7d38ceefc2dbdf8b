import { z } from 'zod';
import { MAX_POUR_WAIT_DAYS, MAX_REASON_LENGTH } from '../domain/pour.ts';
import { id, POST, timestamp } from './base.ts';
import { refusals } from './refusals.ts';
import { text } from './text.ts';
import { benefit } from './tiers.ts';

/** A benefit as a member has it now. */
export const ownBenefit = benefit.extend({
  /** What is left of the number in the running window; null for a standing one. */
  left: z.number().int().nullable(),
  /** The end of that window; null for a standing one, and for one that is given once. */
  until: timestamp.nullable(),
});
export type OwnBenefit = z.infer<typeof ownBenefit>;

export const barBenefit = ownBenefit.extend({
  /** What was taken in the running window, the latest first. */
  taken: z.array(z.object({ id, at: timestamp, by: z.string(), own: z.boolean() })),
});
export type BarBenefit = z.infer<typeof barBenefit>;

const takeInput = z.strictObject({
  request_id: id,
  customer_id: id,
  benefit_id: id,
  taken_at: timestamp.optional(),
});
export type TakeBenefitInput = z.infer<typeof takeInput>;

/** The member's benefits after the call, as the bar sees them. */
const benefitsLeft = z.object({ benefits: z.array(barBenefit) });

export const benefits = {
  take: POST('/customers/{customer_id}/benefits/{benefit_id}', {
    summary: 'Take a counted benefit of a member',
    description: `One each time. The same request_id again takes nothing, so a call without an answer can be repeated. One that waited for a network has a taken_at, at most ${MAX_POUR_WAIT_DAYS} days ago.`,
    successStatus: 201,
  })
    .input(takeInput)
    .errors(refusals('NOT_FOUND', 'CUSTOMER_NOT_ACTIVE', 'BENEFIT_REFUSED', 'REQUEST_ID_REUSED'))
    .output(benefitsLeft.extend({ use_id: id, repeated: z.boolean() })),
  void: POST('/benefit-uses/{id}/void', {
    summary: 'Undo the taking of a benefit',
    description:
      'Who recorded it needs no reason within ten seconds; later, and for others, a reason is required. Undoing again changes nothing.',
  })
    .input(z.strictObject({ id, reason: text(MAX_REASON_LENGTH).trim().optional() }))
    .errors(refusals('NOT_FOUND', 'VOID_NEEDS_REASON'))
    .output(benefitsLeft),
};
