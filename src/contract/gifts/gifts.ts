import { z } from 'zod';
import { GIFT_DELIVERIES, GIFT_MONTHS, GIFT_STATUSES } from '../../domain/membership/gift.ts';
import { cents, day, GET, id, POST, PUT, timestamp } from '../base.ts';
import { consentVersion } from '../consent.ts';
import { giftCode, giftEmail, giftFields } from '../forms/gift-fields.ts';
import { refusals } from '../refusals.ts';
import { text } from '../text.ts';

const gift = z.object({
  id,
  tier: z.string(),
  months: z.number().int(),
  /** The amount paid, with tax. */
  amount: cents,
  currency: z.string(),
  from_name: z.string().nullable(),
  /** The recipient's name and email and the message are deleted on redemption or refund. */
  to_name: z.string().nullable(),
  message: z.string().nullable(),
  delivery: z.enum(GIFT_DELIVERIES),
  recipient_email: z.string().nullable(),
  send_on: z.nullable(day),
  sent_at: timestamp.nullable(),
  status: z.enum(GIFT_STATUSES),
  disputed: z.boolean(),
  paid_at: timestamp.nullable(),
  redeemed_at: timestamp.nullable(),
});
export type Gift = z.infer<typeof gift>;

const offeredGift = gift
  .pick({ tier: true, months: true, from_name: true, to_name: true, message: true })
  .extend({ tier_label: z.string(), monthly_pours: z.number().int(), redeemed: z.boolean() });
export type OfferedGift = z.infer<typeof offeredGift>;

export const giftForm = z.strictObject({
  tier: text(40).min(1, 'Please choose a membership.'),
  months: z.union(GIFT_MONTHS.map((it) => z.literal(it))),
  delivery: z.enum(GIFT_DELIVERIES),
  ...giftFields,
});

export const gifts = {
  buy: POST('/gifts', {
    successStatus: 201,
    summary: 'Buy a membership as a gift',
    description:
      'Returns the page where it is paid, once; null if it is paid. The same request_id again returns the same page; another one closes the page before.',
  })
    .input(giftForm.extend({ request_id: id, consent_version: consentVersion }))
    .errors(
      refusals(
        'TIER_NOT_AVAILABLE',
        'JOINING_CLOSED',
        'PAYMENTS_OFF',
        'CONSENT_OUTDATED',
        'EMAIL_SENDING_OFF',
        'GIFT_DAY_REFUSED',
        'REQUEST_ID_REUSED',
        'PAYMENTS_UNAVAILABLE',
      ),
    )
    .output(z.object({ url: z.string().nullable() })),
  list: GET('/gifts', {
    summary: 'List the gifts that the signed-in user bought',
    description: 'The latest first, at most 100.',
  }).output(z.array(gift)),
  check: POST('/gifts/{id}/check', {
    summary: 'Ask whether a gift is paid',
    description: 'Reconciles it with the payment service first. NOT_FOUND if it was never paid.',
  })
    .input(z.strictObject({ id }))
    .errors(refusals('NOT_FOUND', 'PAYMENTS_UNAVAILABLE'))
    .output(gift),
  showCode: POST('/gifts/{id}/code', {
    summary: 'Show the code of a gift to print',
    description:
      'For its buyer, while it can be redeemed. `renew` makes another one, which ends the one before. Null where the server’s secret was changed since: it works on, but only another one can be shown.',
  })
    .input(z.strictObject({ id, renew: z.boolean().default(false) }))
    .errors(refusals('NOT_FOUND', 'GIFT_REFUSED'))
    .output(z.object({ code: z.string().nullable() })),
  resend: PUT('/gifts/{id}/email', {
    summary: 'Send a gift to this email on that day',
    description:
      'Possible until it is redeemed, even after it was sent. A different email gets a different code.',
  })
    .input(z.strictObject({ id, ...giftEmail }))
    .errors(refusals('NOT_FOUND', 'GIFT_REFUSED', 'GIFT_DAY_REFUSED'))
    .output(gift),
  refund: POST('/gifts/{id}/refund', {
    summary: 'Give a gift back',
    description: 'Refunds the full price, until it is redeemed. Its code stops working at once.',
  })
    .input(z.strictObject({ id }))
    .errors(refusals('NOT_FOUND', 'GIFT_REFUSED'))
    .output(gift),
  look: POST('/gifts/look', {
    summary: 'See what the code of a gift gives',
    description: '20 codes an hour, together with those redeemed.',
  })
    .input(z.strictObject({ code: giftCode }))
    .errors(refusals('GIFT_CODE_UNKNOWN', 'GIFT_REFUSED'))
    .output(offeredGift),
  redeem: POST('/gifts/redeem', {
    summary: 'Redeem a gift',
    description:
      'Makes it a membership of the signed-in user, from today. Members keep their code for later.',
  })
    .input(z.strictObject({ code: giftCode, consent_version: consentVersion }))
    .errors(refusals('GIFT_CODE_UNKNOWN', 'GIFT_REFUSED', 'CONSENT_OUTDATED'))
    .output(z.object({ last_day: day })),
  listForMember: GET('/customers/{customer_id}/gifts', {
    summary: 'List the gifts that a member bought',
    description: 'Without message and email. The latest first, at most 100.',
  })
    .input(z.strictObject({ customer_id: id }))
    .errors(refusals('NOT_FOUND'))
    .output(z.array(gift)),
  refundForMember: POST('/customers/{customer_id}/gifts/{id}/refund', {
    summary: 'Give back a gift that a member bought',
    description: 'Refunds the full price, until it is redeemed. Its code stops working at once.',
  })
    .input(z.strictObject({ customer_id: id, id }))
    .errors(refusals('NOT_FOUND', 'GIFT_REFUSED'))
    .output(gift),
};
