import { z } from 'zod';
import { PAUSE_MONTHS, PAUSE_OBSTACLES } from '../domain/membership/pause.ts';
import { TAX_BEHAVIORS } from '../domain/money.ts';
import { TIER_CHANGE_KINDS } from '../domain/tier-change.ts';
import { cents, epochSeconds, GET, id, POST, timestamp } from './base.ts';
import { consentVersion } from './consent.ts';
import { subscription } from './functions.ts';
import { refusals } from './refusals.ts';
import { text } from './text.ts';
import { pendingTier } from './tiers.ts';

const payment = z.object({
  id: z.string(),
  status: z.string(),
  amount: cents,
  amount_refunded: cents,
  currency: z.string(),
  created_at: timestamp,
});
export type Payment = z.infer<typeof payment>;

const glasses = z.object({ available_pours: z.number().int(), period_pours: z.number().int() });

/** The cost and glasses of a tier change. The preview can be accepted by its id for 15 minutes. */
const tierPreview = z.object({
  id,
  tier: z.string(),
  kind: z.enum(TIER_CHANGE_KINDS),
  charged_now: cents,
  /** Too little to charge now; added to the next charge. */
  charged_later: cents,
  /** ISO code in lowercase. */
  currency: z.string(),
  /** Says whether next_amount includes tax; charged_now always does. */
  tax_behavior: z.enum(TAX_BEHAVIORS),
  effective_at: epochSeconds,
  next_amount: cents,
  next_billing_at: epochSeconds,
  glasses_now: glasses,
  glasses_then: glasses,
  /** The additional glasses until next_billing_at; 0 for a change at the end of the period. */
  added_glasses: z.number().int(),
  monthly_glasses: z.number().int(),
});
export type TierPreview = z.infer<typeof tierPreview>;

const pauseMonths = z.literal(PAUSE_MONTHS);

const pauseOffer = z.object({
  obstacle: z.enum(PAUSE_OBSTACLES).nullable(),
  /** The first renewal at which the next pause can begin, if that is the obstacle. */
  again_at: epochSeconds.nullable(),
  /** How many months of any twelve members can pause. */
  months_a_year: z.number().int(),
  /** Each choice runs from the end of the paid period to the next charged renewal. */
  choices: z.array(z.object({ months: pauseMonths, from: epochSeconds, until: epochSeconds })),
  pause: z
    .object({
      from: epochSeconds,
      /** Null for an open-ended pause made at the payment service. */
      until: epochSeconds.nullable(),
      begun: z.boolean(),
      can_end: z.boolean(),
      /** The end once the member extends it by a month; null if that is not possible. */
      extended_until: epochSeconds.nullable(),
      amount: cents,
      /** ISO code in lowercase. */
      currency: z.string(),
      tax_behavior: z.enum(TAX_BEHAVIORS),
    })
    .nullable(),
});
export type PauseOffer = z.infer<typeof pauseOffer>;

/** An upcoming or current pause; `until` is null for an open-ended one. */
const pauseShown = subscription.shape.pause;

const subscriptionResult = z.object({ subscription: subscription.nullable() });

const billingRefusals = refusals('NO_SUBSCRIPTION', 'PAYMENTS_OFF', 'PAYMENTS_UNAVAILABLE');

/** What a member orders who has a membership: the page where it is paid. */
const orderInput = z.strictObject({ consentVersion });
const orderRefusals = refusals(
  'DUES_REFUSED',
  'TIER_NOT_AVAILABLE',
  'CONSENT_OUTDATED',
  'PAYMENTS_OFF',
  'PAYMENTS_UNAVAILABLE',
);
const page = z.object({ url: z.string() });

export const billing = {
  previewTier: POST('/billing/tier/preview', {
    summary: 'Show what another tier would cost',
    description: 'Charges nothing.',
  })
    .input(z.strictObject({ tier: text(50) }))
    .errors({ ...billingRefusals, ...refusals('TIER_NOT_AVAILABLE', 'TIER_CHANGE_REFUSED') })
    .output(tierPreview),
  changeTier: POST('/billing/tier', {
    summary: 'Change the tier',
    description: 'Makes the change that a preview showed. A repeated call does not repeat it.',
  })
    .input(z.strictObject({ preview_id: id }))
    .errors({
      ...billingRefusals,
      ...refusals('NOT_FOUND', 'TIER_CHANGE_REFUSED', 'PREVIEW_EXPIRED', 'PAYMENT_REFUSED'),
    })
    .output(subscriptionResult),
  cancelTierChange: POST('/billing/tier/cancel-change', {
    summary: 'Cancel a tier change',
    description: 'The one that is scheduled for the end of the period.',
  })
    .errors(billingRefusals)
    .output(subscriptionResult),
  resumeSubscription: POST('/billing/resume', {
    summary: 'Withdraw a cancellation',
    description: 'Before it takes effect.',
  })
    .errors(billingRefusals)
    .output(subscriptionResult),
  buyYear: POST('/billing/year', {
    summary: 'Pay a year',
    description:
      'For the signed-in member: of dues, for the months after what is paid; by card, from the end of the paid month. A repeated call leads to the same page.',
  })
    .input(orderInput)
    .errors(orderRefusals)
    .output(page),
  buyTierUp: POST('/billing/year/tier', {
    summary: 'Pay for a dearer tier in a year',
    description:
      'For the signed-in member, whose year is paid once: one of `tiers_up` of GET /customers/own, for the months that have not begun. A repeated call leads to the same page.',
  })
    .input(z.strictObject({ tier: text(50), consentVersion }))
    .errors({ ...orderRefusals, ...refusals('TIER_CHANGE_REFUSED') })
    .output(page),
  payByCard: POST('/billing/by-card', {
    summary: 'Change to a card',
    description:
      'For a signed-in member who pays dues at the venue: what is paid there counts, and the first charge is for the first unpaid day, or at once if that is over. A repeated call leads to the same page.',
  })
    .input(orderInput)
    .errors({ ...orderRefusals, ...refusals('SUBSCRIPTION_EXISTS', 'EMAIL_NOT_VERIFIED') })
    .output(page),
  getPause: GET('/billing/pause', {
    summary: 'Get what a pause would mean now',
    description: 'Whether the signed-in member can pause, for how long, and what a pause of theirs is.',
  }).output(pauseOffer),
  pause: POST('/billing/pause', {
    summary: 'Pause the membership',
    description: "The signed-in member's, from the end of the paid period.",
  })
    .input(z.strictObject({ months: pauseMonths }))
    .errors({ ...billingRefusals, ...refusals('PAUSE_REFUSED') })
    .output(subscriptionResult),
  endPause: POST('/billing/pause/end', {
    summary: 'End a pause',
    description:
      'Cancels a pause that has not begun. If it has begun, the signed-in member comes back now and is charged `amount`, as getPause returned it.',
  })
    .input(z.strictObject({ amount: cents }))
    .errors({ ...billingRefusals, ...refusals('PAUSE_REFUSED', 'PREVIEW_EXPIRED', 'PAYMENT_REFUSED') })
    .output(subscriptionResult),
  extendPause: POST('/billing/pause/extend', {
    summary: 'Extend the pause by a month',
    description:
      'The signed-in member’s, `until` being its end as it was shown. A repeated call does not extend it again.',
  })
    .input(z.strictObject({ until: epochSeconds }))
    .errors({ ...billingRefusals, ...refusals('PAUSE_REFUSED') })
    .output(subscriptionResult),
  extendPauseForMember: POST('/customers/{customer_id}/pause/extend', {
    summary: "Extend a member's pause by a month",
    description: 'Staff. `until` is its end as it was shown. A repeated call does not extend it again.',
  })
    .input(z.strictObject({ customer_id: id, until: epochSeconds }))
    .errors({ ...billingRefusals, ...refusals('NOT_FOUND', 'PAUSE_REFUSED') })
    .output(z.object({ pause: pauseShown })),
  pauseForMember: POST('/customers/{customer_id}/pause', {
    summary: "Pause a member's membership",
    description: 'Staff. From the end of the paid period.',
  })
    .input(z.strictObject({ customer_id: id, months: pauseMonths }))
    .errors({ ...billingRefusals, ...refusals('NOT_FOUND', 'PAUSE_REFUSED') })
    .output(z.object({ pause: pauseShown })),
  withdrawPause: POST('/customers/{customer_id}/pause/withdraw', {
    summary: "Take back a member's pause",
    description: 'Staff. Before it begins.',
  })
    .input(z.strictObject({ customer_id: id }))
    .errors({ ...billingRefusals, ...refusals('NOT_FOUND', 'PAUSE_REFUSED') })
    .output(z.object({ pause: pauseShown })),
  changeTierAtVenue: POST('/customers/{customer_id}/tier', {
    summary: 'Change the tier of a membership at the venue',
    description:
      'Staff. At today’s price, from the first unpaid day on; from today, if that is over or dues are not counted.',
  })
    .input(z.strictObject({ customer_id: id, tier_name: text(50) }))
    .errors(refusals('NOT_FOUND', 'DUES_REFUSED', 'TIER_NOT_AVAILABLE', 'TIER_CHANGE_REFUSED'))
    .output(z.object({ pending_tier: pendingTier.nullable() })),
  keepTierAtVenue: POST('/customers/{customer_id}/tier/keep', {
    summary: 'Take a scheduled tier at the venue back',
    description: 'Staff. Until it begins.',
  })
    .input(z.strictObject({ customer_id: id }))
    .errors(refusals('NOT_FOUND', 'DUES_REFUSED'))
    .output(z.object({ pending_tier: pendingTier.nullable() })),
  updatePaymentMethod: POST('/billing/payment-method', {
    summary: 'Open the page for the payment method',
    description: "Returns the URL of the payment service's page where the signed-in member changes it.",
  })
    .errors(billingRefusals)
    .output(z.object({ url: z.string() })),
  openInvoice: POST('/billing/invoice', {
    summary: 'Open the page of an invoice',
    description:
      "Returns the URL of the payment service's page of one of the signed-in member's invoices, where an open one can be paid. Without an id, the open one.",
  })
    .input(z.strictObject({ invoice_id: text(100).optional() }))
    .errors({ ...billingRefusals, ...refusals('NOT_FOUND') })
    .output(z.object({ url: z.string() })),
  listPayments: GET('/billing/payments', {
    summary: "List the signed-in member's payments",
    description: 'The latest 24, newest first.',
  }).output(z.array(payment)),
};
