import type { Gift } from '../../../contract/gifts/gifts.ts';
import { Refusal } from '../../../contract/refusals.ts';
import { refundObstacleOf } from '../../../domain/membership/gift.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import type { Tx } from '../../db/client.ts';
import { eq } from '../../db/orm.ts';
import { gift_membership } from '../../db/schema.ts';
import type { Actor } from '../../platform/actor.ts';
import { userOfMember } from '../../pours/member-user.ts';
import type { BillingCall, BillingContext } from '../billing-context.ts';
import { reconcileSoon } from '../time-limit.ts';
import { type GiftRow, WITHOUT_WORDS } from './gift-code.ts';
import { readGift, toGift } from './gift-lists.ts';

interface GiftRefund {
  id: string;
  buyer_id: string;
  staff?: Actor;
}

/** Refunds an unredeemed gift to the actor, who bought it. Throws Refusal NOT_FOUND, GIFT_REFUSED. */
export async function refundOwnGift(
  { billing, actor: { user_id: buyer_id } }: BillingCall,
  { id }: { id: string },
): Promise<Gift> {
  return toGift(await refundGift(billing, billing.limits.member_ms, { id, buyer_id }));
}

/** As refundOwnGift, by staff. The gift is without message and address, which staff do not need. */
export async function refundMemberGift(
  { billing, actor: staff }: BillingCall,
  { customer_id, id }: { customer_id: string; id: string },
): Promise<Gift> {
  const buyer_id = await userOfMember(billing.db, customer_id);
  const gift = await refundGift(billing, billing.limits.staff_ms, { id, buyer_id, staff });
  return { ...toGift(gift), ...WITHOUT_WORDS };
}

/**
 * Refunds an unredeemed gift in full. The code is dead with the commit; then Stripe is gift, for which this waits at most
 * `ms`, and the sweeper finishes the rest. Asking again changes nothing. Throws Refusal NOT_FOUND or GIFT_REFUSED.
 */
async function refundGift(ctx: BillingContext, ms: number, refund: GiftRefund): Promise<GiftRow> {
  const gift = await ctx.db.transaction((tx) => storeRefund(ctx, tx, refund));
  if (gift.status !== 'refunding') return gift;
  await reconcileSoon(ctx, ms, refund.buyer_id);
  return (await readGift(ctx, gift.id)) ?? gift;
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
