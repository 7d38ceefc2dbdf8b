import { z } from 'zod';
import { COLLECTION_FAILURES } from '../domain/membership/collection.ts';
import { GUEST_GLASS_OBSTACLES } from '../domain/membership/guest-glass.ts';
import { TAX_BEHAVIORS } from '../domain/money.ts';
import { LEAVING_REASONS } from '../domain/reports/leaving-reason.ts';
import { surveyPreferences } from './applications.ts';
import { cents, day, epochSeconds, id, POST, timestamp } from './base.ts';
import { consentVersion } from './consent.ts';
import { availablePours, barCard } from './members.ts';
import { refusals } from './refusals.ts';
import { text } from './text.ts';

const noInput = z.strictObject({}).default({});

const verifiedCustomer = barCard.pick({
  id: true,
  first_name: true,
  last_name: true,
  tier: true,
  pours_balance: true,
});
export type VerifiedCustomer = z.infer<typeof verifiedCustomer>;

const refusedHolder = barCard.pick({
  id: true,
  first_name: true,
  last_name: true,
  standing: true,
  no_access_since: true,
  pours_return_on: true,
});
export type RefusedHolder = z.infer<typeof refusedHolder>;

const replacedHolder = barCard
  .pick({ id: true, first_name: true, last_name: true })
  .extend({ replaced_at: timestamp });
export type ReplacedHolder = z.infer<typeof replacedHolder>;

const guestRefused = barCard
  .pick({ id: true, first_name: true, last_name: true })
  .extend({ reason: z.enum(GUEST_GLASS_OBSTACLES) });
export type GuestRefused = z.infer<typeof guestRefused>;

/** A payment method in Stripe's words; all but the type are null unless it is a card. */
const namedMethod = z.object({
  type: z.string(),
  brand: z.string().nullable(),
  last4: z.string().nullable(),
  wallet: z.string().nullable(),
});

export const subscription = z.object({
  status: z.string(),
  cancel_at_period_end: z.boolean(),
  /** When the membership ends, once that is decided; this may not be the end of the period. Null while it renews. */
  ends_at: epochSeconds.nullable(),
  /** The day, at the venue, on which the last membership ended; null while it gives access. */
  ended_on: z.nullable(day),
  current_period_end: epochSeconds,
  /** The coming charge and its tier; null if nothing more is charged or the date is unknown. */
  next_charge: z.object({ at: epochSeconds, tier: z.string(), amount: cents }).nullable(),
  charge_if_kept: z.object({ at: epochSeconds, tier: z.string(), amount: cents }).nullable(),
  /** The charge at the end of the period for what waits for an invoice, if the membership ends then; null for none. */
  charge_if_canceled: z.object({ at: epochSeconds, tier: z.string(), amount: cents }).nullable(),
  /** The monthly amount, with continuing discounts. */
  amount: cents,
  /** ISO code in lowercase. */
  currency: z.string(),
  /** Says whether `amount` includes tax; 'unspecified' if no tax is calculated. */
  tax_behavior: z.enum(TAX_BEHAVIORS),
  tier: z.string(),
  pending_tier: z.object({ tier: z.string(), from: epochSeconds, amount: cents }).nullable(),
  /** An upgrade whose payment the member still has to approve with their bank, on the page of the open invoice. */
  approval: z.object({ tier: z.string(), until: epochSeconds }).nullable(),
  /** An announced price and the charge it begins with; null without a price move. */
  price_move: z.object({ tier: z.string(), from: epochSeconds, amount: cents }).nullable(),
  pause: z.object({ from: epochSeconds, until: epochSeconds.nullable(), begun: z.boolean() }).nullable(),
  /** The charge for ending the pause today; null without a current pause. */
  return_amount: cents.nullable(),
  /** The end of access if a failed payment stays unpaid; null without one. */
  grace_until: epochSeconds.nullable(),
  /** What a year would cost that follows the paid month; null if none can be paid now. */
  year_cents: cents.nullable().optional(),
  /** The start of the year that the member has paid, which follows; null without one. */
  year_from: epochSeconds.nullable().optional(),
  /** Stripe is about to charge the period that has just begun, as it does for an hour after a renewal. */
  is_charging: z.boolean(),
  /** What came of charging a new payment method for a due payment; null unless one is due. `code` is the bank's. */
  collection: z
    .object({
      state: z.enum(['under_way', ...COLLECTION_FAILURES]),
      code: z.string().nullable(),
      method: namedMethod,
    })
    .nullable(),
  /** The card's fields are null for other types. */
  payment_method: z
    .object({
      /** Stripe's name: 'card', 'link', 'sepa_debit', ... */
      type: z.string(),
      brand: z.string().nullable(),
      last4: z.string().nullable(),
      exp_month: z.number().int().nullable(),
      exp_year: z.number().int().nullable(),
      /** The wallet that the card is in, such as 'apple_pay'. */
      wallet: z.string().nullable(),
    })
    .nullable(),
});
export type Subscription = z.infer<typeof subscription>;

/** Preferences in a request body: the keys of storedPreferences, limited to what a person would type. */
const statedPreferences = z.strictObject({
  ...surveyPreferences.partial().shape,
  wineTypes: z.union([text(1000), z.array(text(100)).max(20)]).optional(),
  tastingNotes: text(2000).optional(),
  visitFrequency: text(200).optional(),
  comments: text(2000).optional(),
});

/** Reasons not to open a payment page for a membership. */
export const checkoutRefusals = refusals(
  'ALREADY_MEMBER',
  'APPLICATION_NOT_READY',
  'CONSENT_OUTDATED',
  'TIER_NOT_AVAILABLE',
  'JOINING_CLOSED',
  'SUBSCRIPTION_EXISTS',
  'EMAIL_NOT_VERIFIED',
  'PAYMENTS_OFF',
  'PAYMENTS_UNAVAILABLE',
);

/** What a membership is paid for: `year` pays the tier’s price of a year, once. */
export const orderPeriod = z.enum(['month', 'year']).default('month');

/**
 * A year that the member ordered, or a dearer tier for the months left of one, which the bank has not answered yet, or declined
 * in the last 14 days. `amount`: in cents, before added tax.
 */
const yearPayment = z.object({
  state: z.enum(['pending', 'declined']),
  tier: z.string(),
  months: z.number().int(),
  amount: cents,
});
export type YearPayment = z.infer<typeof yearPayment>;

/** The calls that the product's specification prescribes, under its names and with its fields. */
export const functions = {
  verifySubscriptionStatus: POST('/functions/verify-subscription-status', {
    summary: 'Reconcile the signed-in member with Stripe',
    description: "'updated' when something changed here.",
  })
    .input(noInput)
    .errors(refusals('PAYMENTS_UNAVAILABLE'))
    .output(
      z.object({
        status: z.enum(['updated', 'unchanged']),
        localStatus: z.enum(['active', 'inactive', 'none']),
      }),
    ),
  getAvailablePours: POST('/functions/get-available-pours', {
    summary: 'Get the pours that are left',
    description: 'Members ask for themselves, staff for any member.',
  })
    .input(z.strictObject({ customer_id: id }))
    .errors(refusals('NOT_FOUND'))
    .output(availablePours),
  generateQrToken: POST('/functions/generate-qr-token', {
    summary: "Make the signed-in member's card code",
    description: 'It is valid for ten minutes.',
  })
    .input(noInput)
    .errors(refusals('CUSTOMER_NOT_ACTIVE'))
    .output(z.object({ token: z.string(), expires_at: epochSeconds })),
  getSubscriptionDetails: POST('/functions/get-subscription-details', {
    summary: "Get the signed-in member's subscription",
    description: 'Null for a member billed at the venue.',
  })
    .input(noInput)
    .output(
      z.object({ subscription: subscription.nullable(), year_payment: yearPayment.nullable().optional() }),
    ),
  cancelSubscription: POST('/functions/cancel-subscription', {
    summary: 'Cancel the subscription',
    description:
      'By card or at the venue. It ends with the paid period. `reason`: why, if the member says so.',
  })
    .input(z.strictObject({ reason: z.enum(LEAVING_REASONS).optional() }).default({}))
    .errors(refusals('NO_SUBSCRIPTION', 'PAYMENTS_UNAVAILABLE'))
    .output(z.object({ cancel_at: epochSeconds })),
  createCheckout: POST('/functions/create-checkout', {
    summary: 'Start a checkout',
    description: "userId, if sent, must be the caller's own: the user always comes from the session.",
  })
    .input(
      z.strictObject({
        tierName: text(50),
        applicationId: id,
        userId: id.optional(),
        period: orderPeriod,
        consentVersion,
      }),
    )
    .errors({ ...refusals('NOT_FOUND', 'APPLICATION_NOT_PENDING'), ...checkoutRefusals })
    .output(z.object({ url: z.string() })),
  verifyQrToken: POST('/functions/verify-qr-token', {
    summary: 'Verify a card code',
    description:
      "A pending applicant's code returns the application instead of a customer. If the member has no access, or the printed card was replaced, a code that this venue made still returns whose it is.",
  })
    .input(z.strictObject({ token: text(16_384) }))
    .output(
      z.object({
        valid: z.boolean(),
        customer: verifiedCustomer.optional(),
        /** The printed card that was scanned; absent for the code on the screen. */
        paper_card_id: id.optional(),
        application_id: id.optional(),
        guest_glass_id: id.optional(),
        guest_refused: guestRefused.optional(),
        refused: refusedHolder.optional(),
        replaced: replacedHolder.optional(),
      }),
    ),
  generateProfileSummary: POST('/functions/generate-profile-summary', {
    summary: "Summarize a member's taste",
    description:
      "A few sentences; '' when there is nothing to say. With customerId the facts come from the member's own record, and the rest of the body is ignored. Plain text from a model; show it as text, never as markup.",
  })
    .input(
      z.strictObject({
        customerId: id.optional(),
        preferences: statedPreferences.optional(),
        memberName: text(200).optional(),
        lastVisit: text(40).optional(),
        memberSince: text(40).optional(),
      }),
    )
    .errors(refusals('NOT_FOUND'))
    .output(z.object({ summary: z.string() })),
};
