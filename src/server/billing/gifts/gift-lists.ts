import type { Gift } from '../../../contract/gifts/gifts.ts';
import { Refusal } from '../../../contract/refusals.ts';
import type { Db } from '../../db/client.ts';
import { and, desc, eq, ne } from '../../db/orm.ts';
import { gift_membership } from '../../db/schema.ts';
import { userOfMember } from '../../pours/member-user.ts';
import type { BillingCall } from '../billing-context.ts';
import { orUnavailable } from '../stripe-errors.ts';
import { type GiftRow, WITHOUT_WORDS } from './gift-code.ts';

const SHOWN = 100;

/** A gift as its buyer sees it. Amounts in cents. */
export const toGift = (row: GiftRow): Gift => ({
  id: row.id,
  tier: row.tier,
  months: row.months,
  amount: row.paid_cents ?? row.amount_cents,
  currency: row.currency,
  from_name: row.from_name,
  to_name: row.to_name,
  message: row.message,
  delivery: row.delivery,
  recipient_email: row.recipient_email,
  send_on: row.send_on,
  sent_at: row.sent_at?.toISOString() ?? null,
  status: row.status,
  disputed: row.disputed,
  paid_at: row.paid_at?.toISOString() ?? null,
  redeemed_at: row.redeemed_at?.toISOString() ?? null,
});

/** A gift or unpaid order by its id; null if there is none, or the order was dropped. */
export async function readGift({ db }: { db: Db }, id: string): Promise<GiftRow | null> {
  const [row] = await db.select().from(gift_membership).where(eq(gift_membership.id, id));
  return row ?? null;
}

/** The gifts that the actor bought. */
export const listGifts = ({ billing, actor }: BillingCall): Promise<Gift[]> =>
  listGiftsOf(billing, actor.user_id);

/**
 * A gift of the actor, who is reconciled first: after the payment page, so that a lost webhook is harmless. Throws Refusal
 * NOT_FOUND, PAYMENTS_UNAVAILABLE.
 */
export async function checkGift({ billing, actor }: BillingCall, { id }: { id: string }): Promise<Gift> {
  const before = await readGift(billing, id);
  if (before?.buyer_id !== actor.user_id) throw new Refusal('NOT_FOUND', { what: 'gift' });
  await orUnavailable(billing.log, 'gift', () => billing.reconcile(actor.user_id));
  const gift = await readGift(billing, id);
  if (!gift) throw new Refusal('NOT_FOUND', { what: 'gift' });
  return toGift(gift);
}

/** The gifts a user bought, latest first, without unpaid orders. */
async function listGiftsOf({ db }: { db: Db }, buyer: string): Promise<Gift[]> {
  const rows = await db
    .select()
    .from(gift_membership)
    .where(and(eq(gift_membership.buyer_id, buyer), ne(gift_membership.status, 'ordered')))
    .orderBy(desc(gift_membership.created_at), desc(gift_membership.id))
    .limit(SHOWN);
  return rows.map(toGift);
}

/** The gifts that a member bought, without message and address, which staff do not need. Throws Refusal NOT_FOUND. */
export async function listMemberGifts(
  { billing }: BillingCall,
  { customer_id }: { customer_id: string },
): Promise<Gift[]> {
  const buyer = await userOfMember(billing.db, customer_id);
  const gifts = await listGiftsOf(billing, buyer);
  return gifts.map((gift) => ({ ...gift, ...WITHOUT_WORDS }));
}
