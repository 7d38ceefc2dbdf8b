import { z } from 'zod';
import { DISPUTE_STATES } from '../domain/staff/dispute.ts';
import { WEBHOOK_OFF_REASONS } from '../domain/staff/webhook.ts';
import { GIFT_REVERSALS, type StaffNoticeKind, UNKNOWN_STATES } from '../domain/staff-notice.ts';
import { cents, GET, id, POST, timestamp } from './base.ts';
import { refusals } from './refusals.ts';

/** The data of a notice of each kind. Amounts have their currency ('usd'); ids are Stripe's. */
const facts = {
  /** A payment for one of our products that matched no tier, so that it gave no membership. */
  payment_unmatched: z.object({
    amount_cents: cents,
    currency: z.string(),
    stripe_subscription_id: z.string(),
    product: z.string(),
  }),
  /** A payment that could not be refunded automatically. */
  reversal_impossible: z.object({
    amount_cents: cents,
    currency: z.string(),
    stripe_invoice_id: z.string(),
    why: z.string(),
  }),
  customer_missing: z.object({ stripe_customer_id: z.string() }),
  /** The venue's webhook endpoint was turned off. */
  webhook_off: z.object({ endpoint_id: id, host: z.string(), why: z.enum(WEBHOOK_OFF_REASONS) }),
  /** The payment of a gift was disputed, refunded at Stripe after redemption, or cannot be refunded. */
  gift_reversed: z.object({
    amount_cents: cents,
    currency: z.string(),
    stripe_payment_intent_id: z.string(),
    why: z.enum(GIFT_REVERSALS),
    redeemed: z.boolean(),
  }),
  /** The payer's bank disputes a membership payment. The notice follows the bank's decisions. */
  payment_disputed: z.object({
    amount_cents: cents,
    currency: z.string(),
    stripe_invoice_id: z.string(),
    stripe_dispute_id: z.string(),
    state: z.enum(DISPUTE_STATES),
  }),
  paid_more_than_once: z.object({
    amount_cents: cents,
    currency: z.string(),
    stripe_subscription_id: z.string(),
    tier: z.string(),
    quantity: z.number().int(),
  }),
  /** A payment for a subscription that had ended, or for a month on hold or in a pause, which is not refunded automatically. */
  paid_without_membership: z.object({
    amount_cents: cents,
    currency: z.string(),
    stripe_subscription_id: z.string(),
  }),
  /** A trial at Stripe that lasts longer than a month, and gives the glasses of one. */
  long_trial: z.object({ tier: z.string(), ends_at: timestamp, stripe_subscription_id: z.string() }),
  /** A renewal that Stripe could not turn into an invoice to collect; `why` in Stripe's words. */
  invoice_not_finalized: z.object({
    amount_cents: cents,
    currency: z.string(),
    stripe_invoice_id: z.string(),
    why: z.string(),
  }),
  /** A subscription on a price of the club that runs at Stripe, of a customer without an account here. */
  unknown_subscription: z.object({
    state: z.enum(UNKNOWN_STATES),
    stripe_subscription_id: z.string(),
    stripe_customer_id: z.string(),
    /** Null once it has ended. */
    name: z.string().nullable(),
    email: z.string().nullable(),
    tier: z.string().nullable(),
    amount_cents: cents.nullable(),
    currency: z.string(),
    interval: z.string(),
    started_at: timestamp,
  }),
  /** Events that Stripe's webhooks did not bring, and that were fetched. */
  caught_up: z.object({
    from: timestamp,
    to: timestamp,
    members: z.number().int(),
    renewals: z.number().int(),
    ends: z.number().int(),
    refunds: z.number().int(),
    disputes: z.number().int(),
  }),
  /** An email that the server of its address refused for good; the subject is null if it may name someone else. */
  email_refused: z.object({ subject: z.string().nullable() }),
} satisfies Record<StaffNoticeKind, z.ZodType>;
export type StaffNoticeFacts = { [Kind in StaffNoticeKind]: z.infer<(typeof facts)[Kind]> };

const base = {
  id,
  /** Null if the member is unknown, or the account was deleted. */
  member: z
    .object({
      user_id: id,
      first_name: z.string(),
      last_name: z.string(),
      email: z.string(),
      /** False for a user who was never a member and so has no page for staff. */
      has_record: z.boolean(),
    })
    .nullable(),
  created_at: timestamp,
  settled: z.object({ at: timestamp, by: z.string() }).nullable(),
};

const staffNotice = z.discriminatedUnion('kind', [
  z.object({ ...base, kind: z.literal('payment_unmatched'), facts: facts.payment_unmatched }),
  z.object({ ...base, kind: z.literal('reversal_impossible'), facts: facts.reversal_impossible }),
  z.object({ ...base, kind: z.literal('customer_missing'), facts: facts.customer_missing }),
  z.object({ ...base, kind: z.literal('webhook_off'), facts: facts.webhook_off }),
  z.object({ ...base, kind: z.literal('gift_reversed'), facts: facts.gift_reversed }),
  z.object({ ...base, kind: z.literal('payment_disputed'), facts: facts.payment_disputed }),
  z.object({ ...base, kind: z.literal('paid_more_than_once'), facts: facts.paid_more_than_once }),
  z.object({ ...base, kind: z.literal('paid_without_membership'), facts: facts.paid_without_membership }),
  z.object({ ...base, kind: z.literal('long_trial'), facts: facts.long_trial }),
  z.object({ ...base, kind: z.literal('invoice_not_finalized'), facts: facts.invoice_not_finalized }),
  z.object({ ...base, kind: z.literal('unknown_subscription'), facts: facts.unknown_subscription }),
  z.object({ ...base, kind: z.literal('caught_up'), facts: facts.caught_up }),
  z.object({ ...base, kind: z.literal('email_refused'), facts: facts.email_refused }),
]);
export type StaffNotice = z.infer<typeof staffNotice>;

export const staffNotices = {
  list: GET('/staff-notices', {
    summary: 'List notices for staff',
    description:
      'Open ones: summaries of missed events, then oldest first. Then those settled in the last 24 hours, latest first. At most 100.',
  }).output(z.array(staffNotice)),
  settle: POST('/staff-notices/{id}/settle', {
    summary: 'Settle a notice',
    description: 'Notes that someone has put it right. The first to settle it stays the one who did.',
  })
    .input(z.strictObject({ id }))
    .errors(refusals('NOT_FOUND'))
    .output(staffNotice),
  reopen: POST('/staff-notices/{id}/reopen', { summary: 'Reopen a notice', description: 'Undoes settling.' })
    .input(z.strictObject({ id }))
    .errors(refusals('NOT_FOUND'))
    .output(staffNotice),
};
