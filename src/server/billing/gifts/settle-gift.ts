import { and, eq } from 'drizzle-orm';
import type Stripe from 'stripe';
import { startOfDay } from '../../../domain/calendar.ts';
import type { Tx } from '../../db/client.ts';
import { gift_membership } from '../../db/schema.ts';
import type { BillingContext, BillingNotice } from '../billing-context.ts';
import { isFinal } from '../stripe-errors.ts';
import type { GiftRow } from './gift-code.ts';
import { dropOrder, openGiftPage } from './gift-page.ts';
import { followPayment } from './gift-payment.ts';

export async function readGift({ db }: Pick<BillingContext, 'db'>, id: string): Promise<GiftRow | null> {
  const [row] = await db.select().from(gift_membership).where(eq(gift_membership.id, id));
  return row ?? null;
}

/**
 * Brings a gift in line with Stripe, whatever was missed: an order gets its page, is paid or is deleted; a
 * requested refund is made; a refund or dispute at Stripe is noted. Safe to repeat. Returns the gift, null
 * for one that was never paid. Throws Stripe's errors.
 */
export async function settleGift(ctx: BillingContext, id: string): Promise<GiftRow | null> {
  const gift = await readGift(ctx, id);
  if (!gift) return null;
  if (gift.status === 'ordered') await settleOrder(ctx, gift);
  else await followPayment(ctx, gift);
  return readGift(ctx, id);
}

async function settleOrder(ctx: BillingContext, gift: GiftRow): Promise<void> {
  const { sessions } = ctx.stripe.checkout;
  const session = gift.stripe_session_id
    ? await sessions.retrieve(gift.stripe_session_id)
    : await openGiftPage(ctx, gift);
  if (session) await applySession(ctx, gift, session);
}

async function applySession(
  ctx: BillingContext,
  gift: GiftRow,
  session: Stripe.Checkout.Session,
): Promise<void> {
  if (session.status === 'open') return;
  if (session.status !== 'complete') return dropOrder(ctx, gift.id);
  const intent =
    typeof session.payment_intent === 'string' ? session.payment_intent : session.payment_intent?.id;
  if (session.payment_status === 'paid' && intent) {
    const notice = await ctx.db.transaction((tx) =>
      markPaid(ctx, tx, gift.id, { intent, paid_cents: session.amount_total ?? gift.amount_cents }),
    );
    if (notice) ctx.notify?.(notice);
    return;
  }
  // By bank transfer and the like the money comes days later, or never.
  if (!intent) return;
  const { status } = await ctx.stripe.paymentIntents.retrieve(intent);
  if (status === 'canceled' || status === 'requires_payment_method') await dropOrder(ctx, gift.id);
}

/** Null if it was known already. */
async function markPaid(
  ctx: BillingContext,
  tx: Tx,
  id: string,
  { intent, paid_cents }: { intent: string; paid_cents: number },
): Promise<BillingNotice | null> {
  const [gift] = await tx
    .update(gift_membership)
    .set({
      status: 'paid',
      paid_at: ctx.now(),
      paid_cents,
      stripe_payment_intent_id: intent,
      url: null,
    })
    .where(and(eq(gift_membership.id, id), eq(gift_membership.status, 'ordered')))
    .returning();
  if (!gift?.buyer_id) return null;
  const { tier, months, currency, send_on, buyer_id: user_id } = gift;
  const notice: BillingNotice = {
    type: 'gift_bought',
    cause: `gift-bought:${id}`,
    user_id,
    tier,
    months,
    amount_cents: paid_cents,
    currency,
    send_on: send_on === null ? null : startOfDay(send_on, ctx.timeZone),
  };
  await ctx.post?.(tx, notice);
  return notice;
}

/**
 * Closes the payment page of an order, which is then gone; one that was paid meanwhile is a gift, and stays. Throws
 * Stripe's errors.
 */
export async function closeOrder(ctx: BillingContext, id: string): Promise<void> {
  const gift = await settleGift(ctx, id);
  if (gift?.status !== 'ordered' || !gift.stripe_session_id) return;
  const { sessions } = ctx.stripe.checkout;
  try {
    const expired = await sessions.expire(gift.stripe_session_id);
    await applySession(ctx, gift, expired);
  } catch (error) {
    if (!isFinal(error)) throw error;
    // It was paid or expired between the two calls.
    await applySession(ctx, gift, await sessions.retrieve(gift.stripe_session_id));
  }
}
