import type Stripe from 'stripe';
import { CLOCK_SKEW_MS, unixSeconds } from '../../../domain/calendar.ts';
import { eq } from '../../db/orm.ts';
import { gift_membership } from '../../db/schema.ts';
import type { BillingContext } from '../billing-context.ts';
import { ensureProduct, productId } from '../catalog.ts';
import { withCustomer } from '../customers/customer.ts';
import { withKey } from '../idempotency-key.ts';
import { allowedMethods, ONE_PRICE, taxed } from '../page-params.ts';
import { isFinal } from '../stripe-errors.ts';
import type { GiftRow } from './gift-code.ts';
import { dropOrder } from './gift-payment.ts';

/** 23 hours: Stripe keeps an idempotency key for 24, so the key outlives the page. */
export const GIFT_PAGE_MS = 23 * 3_600_000;
/** Stripe requires at least 30 minutes; one more covers the request itself. */
const MIN_PAGE_MS = 31 * 60_000;

/**
 * Makes an order's payment page, always under the same idempotency key, and returns its URL. Null if the order was closed
 * meanwhile, or cannot have a page any more, which drops it. Throws Stripe's errors; a final one also drops the order.
 */
export async function openGiftPage(
  ctx: BillingContext,
  gift: GiftRow,
): Promise<{ url: string | null } | null> {
  const left = gift.expires_at.getTime() - ctx.now().getTime();
  if (left < MIN_PAGE_MS || left > GIFT_PAGE_MS + CLOCK_SKEW_MS || !gift.buyer_id) {
    await dropOrder(ctx.db, gift);
    return null;
  }
  let session: Stripe.Checkout.Session;
  try {
    session = await createSession(ctx, gift, gift.buyer_id);
  } catch (error) {
    // Stripe would answer this key with the same error forever.
    if (isFinal(error)) await dropOrder(ctx.db, gift);
    throw error;
  }
  const [opened] = await ctx.db
    .update(gift_membership)
    .set({ stripe_session_id: session.id, url: session.url })
    .where(eq(gift_membership.id, gift.id))
    .returning({ id: gift_membership.id });
  if (opened) return session;
  // The order was closed while Stripe made the page, so the page must be closed too.
  if (session.status === 'open') await ctx.stripe.checkout.sessions.expire(session.id).catch(() => undefined);
  return null;
}

/** Parameters for selling a gift at Stripe. */
export function giftPage(
  { publicUrl, paymentMethods }: Pick<BillingContext, 'publicUrl' | 'paymentMethods'>,
  gift: Pick<
    GiftRow,
    'id' | 'tier' | 'months' | 'currency' | 'monthly_price_cents' | 'tax_behavior' | 'expires_at'
  >,
  { buyer, customer }: { buyer: string; customer: string },
): Stripe.Checkout.SessionCreateParams {
  const metadata = { gift_id: gift.id };
  return {
    mode: 'payment',
    customer,
    line_items: [
      {
        // The months are the quantity, so that the page says what is bought.
        quantity: gift.months,
        price_data: {
          currency: gift.currency,
          product: productId(gift.tier),
          unit_amount: gift.monthly_price_cents,
          tax_behavior: gift.tax_behavior,
        },
      },
    ],
    success_url: `${publicUrl}/gift?paid=${gift.id}`,
    cancel_url: `${publicUrl}/gift`,
    client_reference_id: buyer,
    expires_at: unixSeconds(gift.expires_at),
    submit_type: 'pay',
    metadata,
    payment_intent_data: { metadata },
    allowed_payment_method_types: allowedMethods(paymentMethods),
    adaptive_pricing: ONE_PRICE,
    ...taxed(gift.tax_behavior),
  };
}

async function createSession(
  ctx: BillingContext,
  gift: GiftRow,
  buyer: string,
): Promise<Stripe.Checkout.Session> {
  await ensureProduct(ctx, gift.tier);
  return withCustomer(ctx, buyer, (customer) =>
    withKey(ctx, `gift:${gift.id}:${gift.created_at.getTime()}:${customer}`, (options) =>
      ctx.stripe.checkout.sessions.create(giftPage(ctx, gift, { buyer, customer }), options),
    ),
  );
}
