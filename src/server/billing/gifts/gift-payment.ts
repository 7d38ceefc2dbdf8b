import { eq, sql } from 'drizzle-orm';
import type { GiftReversal } from '../../../domain/staff-notice.ts';
import type { Tx } from '../../db/client.ts';
import { customers, gift_membership, memberships } from '../../db/schema.ts';
import { postStaffNotice } from '../../membership/staff-notices.ts';
import type { BillingContext, BillingNotice } from '../billing-context.ts';
import { fetchDisputes } from '../disputes.ts';
import { withKey } from '../idempotency-key.ts';
import { isRefundRefused } from '../stripe-errors.ts';
import { type GiftRow, WITHOUT_WORDS } from './gift-code.ts';

/** What Stripe says about the payment of a gift. */
interface Look {
  refunded_cents: number;
  disputed: boolean;
  /** Stripe will never give it back. */
  refused: boolean;
}

const MAX_TRIES = 10;

/**
 * Looks at the payment of a gift, makes the refund that was asked for, and writes down what is so. A look is written only
 * if no other was written since before it, so it is never older than what it replaces. Throws Stripe's errors.
 */
export async function followPayment(ctx: BillingContext, seen: GiftRow): Promise<void> {
  let gift = seen;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const look = await lookAtPayment(ctx, gift);
    if (gift.status === 'refunding' && !look.disputed && look.refunded_cents < (gift.paid_cents ?? 0)) {
      await refundRest(ctx, gift, look);
    }
    const written = await ctx.db.transaction((tx) => write(ctx, tx, gift, look));
    if (written !== 'overtaken') {
      if (written) ctx.notify?.(written);
      return;
    }
    const [row] = await ctx.db.select().from(gift_membership).where(eq(gift_membership.id, gift.id));
    if (!row) return;
    gift = row;
  }
  throw new Error(`The payment of gift ${gift.id} was overtaken ${MAX_TRIES} times`);
}

async function lookAtPayment(
  { stripe }: BillingContext,
  { stripe_payment_intent_id }: GiftRow,
): Promise<Look> {
  const payment_intent = stripe_payment_intent_id ?? '';
  const { data } = await stripe.charges.list({ payment_intent, limit: 100 });
  const charges = data.filter(({ paid }) => paid);
  return {
    refunded_cents: charges.reduce((sum, { amount_refunded }) => sum + amount_refunded, 0),
    disputed: (await fetchDisputes(stripe, charges)).disputed.size > 0,
    refused: false,
  };
}

/** Refunds all that is left, and notes it in `look`. After a crash, the next look finds what was refunded. */
async function refundRest(ctx: BillingContext, gift: GiftRow, look: Look): Promise<void> {
  const { id, stripe_payment_intent_id } = gift;
  try {
    const { amount } = await withKey(ctx, `gift-refund:${id}:${look.refunded_cents}`, (options) =>
      ctx.stripe.refunds.create(
        {
          payment_intent: stripe_payment_intent_id ?? '',
          reason: 'requested_by_customer',
          metadata: { gift_id: id },
        },
        options,
      ),
    );
    look.refunded_cents += amount;
  } catch (error) {
    if (!isRefundRefused(error)) throw error;
    look.refused = true;
  }
}

async function write(
  ctx: BillingContext,
  tx: Tx,
  { id, sync_version }: GiftRow,
  look: Look,
): Promise<BillingNotice | 'overtaken' | null> {
  const [gift] = await tx.select().from(gift_membership).where(eq(gift_membership.id, id)).for('update');
  if (gift?.sync_version !== sync_version) return 'overtaken';
  const { disputed, refunded_cents } = look;
  const isBack = look.refunded_cents >= (gift.paid_cents ?? 0);
  const next = statusAfter(gift, look, isBack);
  const forgotten = next === 'paid' || next === 'redeemed' ? {} : { code_hash: null, ...WITHOUT_WORDS };
  await tx
    .update(gift_membership)
    .set({
      refunded_cents,
      disputed,
      status: next,
      sync_version: sql`${gift_membership.sync_version} + 1`,
      refunded_at: next === 'refunded' ? (gift.refunded_at ?? ctx.now()) : null,
      ...forgotten,
    })
    .where(eq(gift_membership.id, id));
  for (const why of reversals(gift, look, { next, isBack })) await tellStaff(ctx, tx, gift, why);
  if (next !== 'refunded' || gift.status === 'refunded' || !gift.buyer_id) return null;
  const { tier, months, currency, buyer_id: user_id } = gift;
  const notice: BillingNotice = {
    type: 'gift_refunded',
    cause: `gift-refunded:${id}`,
    user_id,
    tier,
    months,
    amount_cents: refunded_cents,
    currency,
  };
  await ctx.post?.(tx, notice);
  return notice;
}

/** A redeemed gift stays one: what becomes of the membership is for staff to decide. */
function statusAfter({ status }: GiftRow, { disputed, refused }: Look, isBack: boolean): GiftRow['status'] {
  if (status === 'redeemed' || status === 'ordered') return status;
  if (isBack) return 'refunded';
  if (status === 'refunding') return disputed || refused ? 'kept' : 'refunding';
  // The bank sent the refund back.
  return status === 'refunded' ? 'kept' : status;
}

/** What of it staff have to know. */
function reversals(
  before: GiftRow,
  { disputed }: Look,
  { next, isBack }: { next: GiftRow['status']; isBack: boolean },
): GiftReversal[] {
  return [
    ...(disputed && !before.disputed ? (['disputed'] as const) : []),
    ...(before.status === 'redeemed' && isBack ? (['refunded'] as const) : []),
    ...(next === 'kept' && before.status !== 'kept' ? (['not_refunded'] as const) : []),
  ];
}

async function tellStaff(ctx: BillingContext, tx: Tx, gift: GiftRow, why: GiftReversal): Promise<void> {
  const { id, membership_id, paid_cents, currency, stripe_payment_intent_id } = gift;
  const [member] = membership_id
    ? await tx
        .select({ user_id: customers.user_id })
        .from(memberships)
        .innerJoin(customers, eq(customers.id, memberships.customer_id))
        .where(eq(memberships.id, membership_id))
    : [];
  await postStaffNotice(tx, {
    kind: 'gift_reversed',
    cause: `gift_reversed:${why}:${id}:${gift.sync_version}`,
    user_id: member?.user_id ?? gift.buyer_id,
    facts: {
      amount_cents: paid_cents ?? 0,
      currency,
      stripe_payment_intent_id: stripe_payment_intent_id ?? '',
      why,
      redeemed: gift.status === 'redeemed',
    },
    at: ctx.now(),
  });
}
