import type Stripe from 'stripe';
import { unixSeconds } from '../../domain/calendar.ts';
import { monthsLeftText, YEAR_MONTHS } from '../../domain/membership/dues.ts';
import type { checkout_attempt } from '../db/schema.ts';
import type { BillingContext } from './billing-context.ts';

type Attempt = typeof checkout_attempt.$inferSelect;

type Selling = Pick<BillingContext, 'publicUrl' | 'paymentMethods' | 'taxBehavior'>;

/** Parameters for selling a membership at Stripe: the page, and the resulting subscription. */
export function membershipPage(
  { publicUrl, paymentMethods, taxBehavior }: Selling,
  attempt: Pick<
    Attempt,
    'id' | 'user_id' | 'application_id' | 'tier_name' | 'by_link' | 'expires_at' | 'first_charge_at'
  >,
  { customer, price }: { customer: string; price: string },
): Stripe.Checkout.SessionCreateParams {
  const { application_id, first_charge_at } = attempt;
  const metadata: Stripe.MetadataParam = {
    user_id: attempt.user_id,
    application_id,
    tier: attempt.tier_name,
    attempt_id: attempt.id,
  };
  // A member at the venue has no application.
  if (application_id === null) metadata.from_venue = 'true';
  return {
    mode: 'subscription',
    customer,
    line_items: [{ price, quantity: 1 }],
    success_url: afterPayment({ publicUrl }, attempt),
    cancel_url: withoutPayment({ publicUrl }, attempt),
    client_reference_id: attempt.user_id,
    expires_at: unixSeconds(attempt.expires_at),
    metadata,
    custom_text: first_charge_at ? { submit: { message: PAID_UNTIL_THEN } } : undefined,
    subscription_data: {
      metadata,
      trial_end: first_charge_at ? unixSeconds(first_charge_at) : undefined,
    },
    allowed_payment_method_types: allowedMethods(paymentMethods),
    adaptive_pricing: ONE_PRICE,
    ...taxed(taxBehavior),
  };
}

/** Stripe's page calls the days until the first charge a free trial. */
const PAID_UNTIL_THEN = 'You paid for these days at the venue. Your card is charged from then on.';

/**
 * Where a payment leads: a phone with a code from the bar back to its page, a member, who has no application, to the dashboard.
 * Both look at Stripe.
 */
export function afterPayment(
  { publicUrl }: Pick<Selling, 'publicUrl'>,
  { application_id, by_link }: Pick<Attempt, 'application_id' | 'by_link'>,
): string {
  if (by_link) return `${publicUrl}/join?payment=done`;
  return `${publicUrl}${application_id ? '/payment-success?session_id={CHECKOUT_SESSION_ID}' : '/dashboard'}`;
}

const withoutPayment = (
  { publicUrl }: Pick<Selling, 'publicUrl'>,
  { application_id, by_link }: Pick<Attempt, 'application_id' | 'by_link'>,
): string => `${publicUrl}${by_link ? '/join?payment=back' : application_id ? '/apply' : '/account'}`;

/** Parameters for selling a year, or a dearer tier in one: one payment, with an invoice that names what it paid for. */
export function yearPage(
  { publicUrl, paymentMethods, taxBehavior }: Selling,
  attempt: Pick<
    Attempt,
    | 'id'
    | 'user_id'
    | 'application_id'
    | 'tier_name'
    | 'by_link'
    | 'amount_cents'
    | 'months'
    | 'from_tier'
    | 'expires_at'
  >,
  {
    customer,
    product,
    currency,
    tier,
  }: { customer: string; product: string; currency: string; tier: string },
): Stripe.Checkout.SessionCreateParams {
  const months = attempt.months ?? YEAR_MONTHS;
  const metadata: Stripe.MetadataParam = {
    user_id: attempt.user_id,
    application_id: attempt.application_id,
    tier: attempt.tier_name,
    attempt_id: attempt.id,
    months: String(months),
  };
  if (attempt.from_tier !== null) metadata.from_tier = attempt.from_tier;
  const rest = monthsLeftText(months);
  const [period, message] = attempt.from_tier
    ? [`${rest} of a year`, `For ${tier} in ${rest} of your year. It ends with the year.`]
    : ['a year', 'For a year of membership, paid once. It ends by itself.'];
  return {
    mode: 'payment',
    customer,
    line_items: [
      {
        quantity: 1,
        price_data: { currency, product, unit_amount: attempt.amount_cents, tax_behavior: taxBehavior },
      },
    ],
    success_url: afterPayment({ publicUrl }, attempt),
    cancel_url: withoutPayment({ publicUrl }, attempt),
    client_reference_id: attempt.user_id,
    expires_at: unixSeconds(attempt.expires_at),
    submit_type: 'pay',
    custom_text: { submit: { message } },
    metadata,
    payment_intent_data: { metadata },
    invoice_creation: { enabled: true, invoice_data: { description: `${tier}, ${period}`, metadata } },
    allowed_payment_method_types: allowedMethods(paymentMethods),
    adaptive_pricing: ONE_PRICE,
    ...taxed(taxBehavior),
  };
}

/** Adaptive Pricing may be on for the account: the page would name another price and currency than the member agreed to. */
export const ONE_PRICE = { enabled: false };

/** Apple Pay and Google Pay count as cards. Undefined means all methods turned on at Stripe. */
export function allowedMethods(
  methods: BillingContext['paymentMethods'],
): Stripe.Checkout.SessionCreateParams['allowed_payment_method_types'] {
  return methods === 'card' ? ['card'] : undefined;
}

/** Tax depends on the customer's location, so Stripe must store the address entered on the page. */
export function taxed(
  behavior: BillingContext['taxBehavior'],
): Pick<Stripe.Checkout.SessionCreateParams, 'automatic_tax' | 'customer_update'> {
  if (behavior === 'unspecified') return {};
  return { automatic_tax: { enabled: true }, customer_update: { address: 'auto' } };
}
