import { z } from 'zod';
import {
  DUES_KINDS,
  DUES_METHODS,
  DUES_MONTHS,
  DUES_OBSTACLES,
  DUES_STATES,
  PAID_METHODS,
} from '../../domain/membership/dues.ts';
import { cents, day, GET, id, POST, timestamp } from '../base.ts';
import { reason } from '../forms/pour-fields.ts';
import { referenceNumber } from '../forms/staff-fields.ts';
import { refusals } from '../refusals.ts';
import { text } from '../text.ts';
import { pendingTier, tierUp } from '../tiers.ts';

/** Beside the reference number of a first payment at the venue. By default, the amount is the price of the months. */
export const firstPayment = {
  months: z.union(DUES_MONTHS.map((months) => z.literal(months))).default(1),
  amount_cents: cents.min(0).optional(),
  method: z.enum(DUES_METHODS).nullable().default(null),
};

const entry = z.object({
  id,
  kind: z.enum(DUES_KINDS),
  reference: z.string().nullable(),
  amount_cents: cents,
  /** For a pause: how many months it got, or lost if below 0. For a difference: those of the year that were left. */
  months: z.number().int(),
  method: z.enum(PAID_METHODS).nullable(),
  paid_on: day,
  paid_from: day,
  /** The first day that it does not pay for; of a pause, its end. */
  paid_until: day,
  /** The tier that a payment or a difference paid for; null for others, and where it was not noted. */
  tier: z.string().nullable(),
  /** Null for a pause by the member, and for what was paid online. */
  recorded_by: z.string().nullable(),
  recorded_at: timestamp,
  voided: z.object({ by: z.string(), at: timestamp, reason: z.string().nullable() }).nullable(),
});
export type DuesEntry = z.infer<typeof entry>;

const dues = z.object({
  /** Null without a membership that is billed at the venue. */
  state: z.enum(DUES_STATES).nullable(),
  /** The first day that is not paid; null if dues are not counted. */
  paid_until: z.nullable(day),
  /** The first day without pours while that is not paid. */
  grace_until: z.nullable(day),
  /** The price of the next month that is paid. */
  price_cents: cents,
  /** The price of twelve months at once; null if they cost twelve times one. */
  year_cents: cents.nullable(),
  /** Another tier that staff scheduled, and its first day. */
  pending_tier: pendingTier.nullable(),
  /** The dearer tiers for the months of a year that have not begun, and the difference for these. */
  tiers_up: z.array(tierUp),
  /** The first day on which it is paid by card, as the member ordered; null if it is not. */
  by_card_from: z.nullable(day),
  currency: z.string(),
  /** The first day from which dues can be counted, and the start of each later month. */
  months_begin: z.array(day),
  entries: z.array(entry),
});
export type Dues = z.infer<typeof dues>;

const ofMember = { customer_id: id };

/** What members pay at the venue: docs/rules/dues.md. */
export const memberDues = {
  get: GET('/customers/{customer_id}/dues', {
    summary: "Get a member's dues at the venue",
    description: 'Until when they are paid, and each payment, newest first.',
  })
    .input(z.strictObject(ofMember))
    .errors(refusals('NOT_FOUND'))
    .output(dues),
  record: POST('/customers/{customer_id}/dues', {
    summary: 'Record a payment at the venue',
    description:
      'For whole months after what is paid. `paid_until` is the first unpaid day as it was shown: if someone has recorded a payment since, DUES_CHANGED says who. While a bank payment for a year is on its way, BANK_PAYMENT_PENDING, unless `beside_bank_payment` says that it was seen. The same request_id again changes nothing.',
    successStatus: 201,
  })
    .input(
      z.strictObject({
        request_id: id,
        ...ofMember,
        reference: referenceNumber,
        amount_cents: cents.min(0),
        months: z.union(DUES_MONTHS.map((months) => z.literal(months))),
        method: z.enum(DUES_METHODS),
        /** The day it was received; today without it. */
        paid_on: z.optional(day),
        paid_until: z.nullable(day),
        beside_bank_payment: z.optional(z.boolean()),
      }),
    )
    .errors(
      refusals('NOT_FOUND', 'DUES_REFUSED', 'DUES_CHANGED', 'BANK_PAYMENT_PENDING', 'REQUEST_ID_REUSED'),
    )
    .output(dues),
  recordDifference: POST('/customers/{customer_id}/dues/difference', {
    summary: 'Record a dearer tier paid at the venue',
    description:
      'For the months of a year that have not begun: one of `tiers_up`, whose `amount_cents` it is. The tier begins at once, with its email. `from_tier` and `paid_until` are those that were shown: if they are others by now, DUES_CHANGED says who recorded what. The same request_id again changes nothing.',
    successStatus: 201,
  })
    .input(
      z.strictObject({
        request_id: id,
        ...ofMember,
        tier: text(50),
        reference: referenceNumber,
        amount_cents: cents.min(0),
        method: z.enum(DUES_METHODS),
        from_tier: text(50),
        paid_until: z.nullable(day),
      }),
    )
    .errors(
      refusals(
        'NOT_FOUND',
        'DUES_REFUSED',
        'DUES_CHANGED',
        'TIER_CHANGE_REFUSED',
        'TIER_NOT_AVAILABLE',
        'PREVIEW_EXPIRED',
        'REQUEST_ID_REUSED',
      ),
    )
    .output(dues),
  void: POST('/dues/{id}/void', {
    summary: 'Void a payment at the venue',
    description:
      'What was poured is not taken back: it is owed. Days of grace begin today if nothing else pays for today. Of the difference to a dearer tier: the tier before comes back with the next month.',
  })
    .input(z.strictObject({ id, reason }))
    .errors(refusals('NOT_FOUND', 'DUES_REFUSED', 'TIER_CHANGE_REFUSED'))
    .output(dues),
  countFrom: POST('/dues/start', {
    summary: 'Begin to count the dues of members',
    description:
      'For older memberships that are not counted: `day` is the first unpaid one, or the start of the membership’s next month after it. Members who cannot be counted so are named.',
  })
    .input(z.strictObject({ customer_ids: z.array(id).min(1).max(100), day }))
    .output(
      z.object({
        counted: z.number().int(),
        skipped: z.array(z.object({ customer_id: id, reason: z.enum(DUES_OBSTACLES) })),
      }),
    ),
};
