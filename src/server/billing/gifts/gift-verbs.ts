import type { Gift } from '../../../contract/gifts/gifts.ts';
import { Refusal } from '../../../contract/refusals.ts';
import { refundObstacleOf } from '../../../domain/membership/gift.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import type { Tx } from '../../db/client.ts';
import { eq } from '../../db/orm.ts';
import { gift_membership } from '../../db/schema.ts';
import type { Actor } from '../../platform/actor.ts';
import { userOfMember } from '../../pours/member-user.ts';
import type { BillingContext, PaymentLimits } from '../billing-context.ts';
import { orUnavailable } from '../stripe-errors.ts';
import { reconcileSoon, withinLimit } from '../time-limit.ts';
import { buyGift, type GiftDraft } from './buy-gift.ts';
import { resendGift, showGiftCode } from './deliver-gifts.ts';
import { type GiftRow, WITHOUT_WORDS } from './gift-code.ts';
import { listGiftsOf, listMemberGifts, readGift, toGift } from './gift-lists.ts';
import { lookAtGift, redeemGift } from './redeem-gift.ts';

/** Gift verbs for users and staff (docs/rules/gifts.md, "Gifts"). Each verb's own file says what it throws. */
export function giftVerbs(ctx: BillingContext, { member_ms, staff_ms }: PaymentLimits) {
  const forMember = <T>(work: (limited: BillingContext) => Promise<T>) => withinLimit(ctx, member_ms, work);
  return {
    buy: (user: string, draft: GiftDraft) => forMember((limited) => buyGift(limited, user, draft)),
    list: (user: string) => listGiftsOf(ctx, user),
    /**
     * Reconciles the buyer after the payment page, so that a lost webhook is harmless. Throws Refusal NOT_FOUND,
     * PAYMENTS_UNAVAILABLE.
     */
    async check(user: string, { id }: { id: string }): Promise<Gift> {
      const known = await readGift(ctx, id);
      if (known?.buyer_id !== user) throw new Refusal('NOT_FOUND', { what: 'gift' });
      await forMember((limited) => orUnavailable(ctx.log, 'gift', () => limited.reconcile(user)));
      const gift = await readGift(ctx, id);
      if (!gift) throw new Refusal('NOT_FOUND', { what: 'gift' });
      return toGift(gift);
    },
    showCode: (user: string, input: { id: string; renew: boolean }) => showGiftCode(ctx, user, input),
    resend: async (user: string, input: { id: string; recipient_email: string; send_on: string }) =>
      toGift(await resendGift(ctx, user, input)),
    refund: async (user: string, { id }: { id: string }) =>
      toGift(await refundGift(ctx, member_ms, { id, buyer_id: user })),
    look: (user: string, input: { code: string }) => lookAtGift(ctx, user, input),
    redeem: (user: string, input: { code: string; consent_version?: string | undefined }) =>
      redeemGift(ctx, user, input),
    listForMember: (input: { customer_id: string }) => listMemberGifts(ctx, input),
    async refundForMember(staff: Actor, { customer_id, id }: { customer_id: string; id: string }) {
      const buyer_id = await userOfMember(ctx.db, customer_id);
      const gift = toGift(await refundGift(ctx, staff_ms, { id, buyer_id, staff }));
      return { ...gift, ...WITHOUT_WORDS };
    },
  };
}

interface GiftRefund {
  id: string;
  buyer_id: string;
  staff?: Actor;
}

/**
 * Refunds an unredeemed gift in full. The code is dead with the commit; then Stripe is asked, for which this waits at most
 * `ms`, and the sweeper finishes the rest. Asking again changes nothing. Throws Refusal NOT_FOUND or GIFT_REFUSED.
 */
async function refundGift(ctx: BillingContext, ms: number, refund: GiftRefund): Promise<GiftRow> {
  const asked = await ctx.db.transaction((tx) => storeRefund(ctx, tx, refund));
  if (asked.status !== 'refunding') return asked;
  await reconcileSoon(ctx, ms, refund.buyer_id);
  return (await readGift(ctx, asked.id)) ?? asked;
}

async function storeRefund(
  ctx: BillingContext,
  tx: Tx,
  { id, buyer_id, staff }: GiftRefund,
): Promise<GiftRow> {
  const [gift] = await tx.select().from(gift_membership).where(eq(gift_membership.id, id)).for('update');
  if (gift?.buyer_id !== buyer_id || gift.status === 'ordered')
    throw new Refusal('NOT_FOUND', { what: 'gift' });
  const reason = refundObstacleOf(gift);
  if (reason) throw new Refusal('GIFT_REFUSED', { reason });
  if (gift.status !== 'paid') return gift;
  const [row] = await tx
    .update(gift_membership)
    .set({
      status: 'refunding',
      code_hash: null,
      ...WITHOUT_WORDS,
      refund_asked_at: ctx.now(),
      refunded_by_staff_id: staff?.user_id ?? null,
    })
    .where(eq(gift_membership.id, id))
    .returning();
  if (!row) throw new Error('An update returned no row');
  if (staff) {
    const facts = { gift_id: id, amount_cents: gift.paid_cents ?? 0 };
    await recordAudit(tx, { ...ctx, actor: staff }, { act: 'gift_refunded', subject_id: buyer_id, facts });
  }
  return row;
}
