import { Refusal } from '../../../contract/refusals.ts';
import { refundObstacleOf } from '../../../domain/membership/gift.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import type { Tx } from '../../db/client.ts';
import { eq } from '../../db/orm.ts';
import { gift_membership } from '../../db/schema.ts';
import type { Actor } from '../../platform/actor.ts';
import type { BillingContext } from '../billing-context.ts';
import { reconcileSoon } from '../time-limit.ts';
import { type GiftRow, WITHOUT_WORDS } from './gift-code.ts';
import { readGift } from './gift-lists.ts';

/** The gift to refund, its buyer, and the staff member if the buyer did not ask. */
export interface GiftRefund {
  id: string;
  buyer_id: string;
  staff?: Actor;
}

/**
 * Refunds an unredeemed gift in full. The code is dead with the commit; then Stripe is asked, for which this waits at most
 * `ms`, and the sweeper finishes the rest. Asking again changes nothing. Throws Refusal NOT_FOUND or GIFT_REFUSED.
 */
export async function refundGift(ctx: BillingContext, ms: number, refund: GiftRefund): Promise<GiftRow> {
  const asked = await ctx.db.transaction((tx) => storeAsk(ctx, tx, refund));
  if (asked.status !== 'refunding') return asked;
  await reconcileSoon(ctx, ms, refund.buyer_id);
  return (await readGift(ctx, asked.id)) ?? asked;
}

async function storeAsk(ctx: BillingContext, tx: Tx, { id, buyer_id, staff }: GiftRefund): Promise<GiftRow> {
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
