import type { Gift } from '../../../contract/gifts/gifts.ts';
import type { Db } from '../../db/client.ts';
import { and, desc, eq, ne } from '../../db/orm.ts';
import { gift_membership } from '../../db/schema.ts';
import { userOfMember } from '../../pours/member-user.ts';
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

/** The gifts a user bought, latest first, without unpaid orders. */
export async function listGiftsOf({ db }: { db: Db }, buyer: string): Promise<Gift[]> {
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
  { db }: { db: Db },
  { customer_id }: { customer_id: string },
): Promise<Gift[]> {
  const buyer = await userOfMember(db, customer_id);
  const gifts = await listGiftsOf({ db }, buyer);
  return gifts.map((gift) => ({ ...gift, ...WITHOUT_WORDS }));
}
