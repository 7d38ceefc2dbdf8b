import { and, desc, eq, gt, isNull, lt, ne, or, sql } from 'drizzle-orm';
import type { Gift } from '../../../contract/gifts/gifts.ts';
import { Refusal } from '../../../domain/refusal.ts';
import type { Db } from '../../db/client.ts';
import { customers, gift_membership } from '../../db/schema.ts';
import type { BillingContext } from '../billing-context.ts';
import type { GiftRow } from './gift-code.ts';

const SHOWN = 100;
const BATCH = 200;
/** Until then a webhook may still do the work. */
const OVERDUE_AFTER_MS = 5 * 60_000;
const DISPUTES_MS = 180 * 86_400_000;

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

/** What a user bought, the latest first; unpaid orders are no gifts yet. */
export async function listGiftsOf({ db }: { db: Db }, buyer: string): Promise<Gift[]> {
  const rows = await db
    .select()
    .from(gift_membership)
    .where(and(eq(gift_membership.buyer_id, buyer), ne(gift_membership.status, 'ordered')))
    .orderBy(desc(gift_membership.created_at), desc(gift_membership.id))
    .limit(SHOWN);
  return rows.map(toGift);
}

/**
 * The gifts that a member bought, without message and address, which staff need not see. Throws Refusal
 * NOT_FOUND.
 */
export async function listMemberGifts(
  { db }: { db: Db },
  { customer_id }: { customer_id: string },
): Promise<Gift[]> {
  const buyer = await userOfCustomer(db, customer_id);
  const gifts = await listGiftsOf({ db }, buyer);
  return gifts.map((gift) => ({ ...gift, to_name: null, message: null, recipient_email: null }));
}

/** Throws Refusal NOT_FOUND. */
export async function userOfCustomer(db: Db, customer_id: string): Promise<string> {
  const [customer] = await db
    .select({ user_id: customers.user_id })
    .from(customers)
    .where(eq(customers.id, customer_id));
  if (!customer) throw new Refusal('NOT_FOUND', { what: 'customer' });
  return customer.user_id;
}

/** Orders that no webhook settled, and refunds that were not made yet; the least recently tried first. */
export async function giftsToSettle({ db, now }: BillingContext): Promise<string[]> {
  const { id, status, created_at, tried_at } = gift_membership;
  const overdue = lt(created_at, new Date(now().getTime() - OVERDUE_AFTER_MS));
  const rows = await db
    .select({ id })
    .from(gift_membership)
    .where(or(eq(status, 'refunding'), and(eq(status, 'ordered'), overdue)))
    .orderBy(sql`${tried_at} asc nulls first`, created_at)
    .limit(BATCH);
  return rows.map((row) => row.id);
}

/** What an event at Stripe names. */
export interface GiftEvent {
  session: string | null;
  payment: string | null;
}

/** The gift that an event is about, whoever bought it, also where nobody knows any more. */
export async function giftsOfEvent(
  { db }: Pick<BillingContext, 'db'>,
  { session, payment }: GiftEvent,
): Promise<string[]> {
  const { id, stripe_session_id, stripe_payment_intent_id } = gift_membership;
  if (!session && !payment) return [];
  const rows = await db
    .select({ id })
    .from(gift_membership)
    .where(or(eq(stripe_session_id, session ?? ''), eq(stripe_payment_intent_id, payment ?? '')));
  return rows.map((row) => row.id);
}

/** The gifts of a buyer whose payment may still change: banks take disputes for months. */
export async function giftsOfBuyer({ db, now }: BillingContext, buyer: string): Promise<string[]> {
  const { id, buyer_id, paid_at } = gift_membership;
  const lately = gt(paid_at, new Date(now().getTime() - DISPUTES_MS));
  const rows = await db
    .select({ id })
    .from(gift_membership)
    .where(and(eq(buyer_id, buyer), or(isNull(paid_at), lately)));
  return rows.map((row) => row.id);
}
