import type { Gift } from '../../../contract/gifts/gifts.ts';
import { Refusal } from '../../../contract/refusals.ts';
import { addDays, atHour, localDate, startOfDay } from '../../../domain/calendar.ts';
import {
  canSendOn,
  GIFT_ADDRESS_DAYS,
  GIFT_HOUR,
  GIFT_REMINDER_DAYS,
  giftCodeText,
  giftLastDay,
} from '../../../domain/membership/gift.ts';
import { tierLabel } from '../../../domain/tiers.ts';
import type { Tx } from '../../db/client.ts';
import { and, eq, isNotNull, isNull, lte, notExists, or, sql } from '../../db/orm.ts';
import { customers, deliveries, gift_membership, memberships, tier_definitions } from '../../db/schema.ts';
import { composeEmail } from '../../mail/email.ts';
import { consumeRateLimit } from '../../platform/rate-limit.ts';
import type { BillingCall, BillingContext } from '../billing-context.ts';
import { giftEmails } from '../notices/gift-emails.ts';
import { type GiftRow, giftCode } from './gift-code.ts';
import { toGift } from './gift-lists.ts';

const DAY_MS = 86_400_000;
const BATCH = 200;
/** The rate limit on emails of one gift; window in seconds. */
const SENDINGS = { max: 5, window: 86_400 };

export async function giftsToSend({ db, now, venue, outbox }: BillingContext): Promise<string[]> {
  const at = now();
  const today = localDate(at, venue.time_zone);
  if (!outbox.sends || at < atHour(today, GIFT_HOUR, venue.time_zone)) return [];
  const rows = await db
    .select({ id: gift_membership.id })
    .from(gift_membership)
    .where(and(isToSend, lte(gift_membership.send_on, today)))
    .orderBy(gift_membership.send_on)
    .limit(BATCH);
  return rows.map(({ id }) => id);
}

const isToSend = and(
  eq(gift_membership.status, 'paid'),
  eq(gift_membership.delivery, 'email'),
  eq(gift_membership.disputed, false),
  isNull(gift_membership.sent_at),
  // Deleted with the recipient's account, until the buyer enters another.
  isNotNull(gift_membership.recipient_email),
);

/** Writes a gift's email once, in the transaction that marks it as sent. */
export async function sendGift(ctx: BillingContext, id: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const [gift] = await tx
      .select()
      .from(gift_membership)
      .where(and(eq(gift_membership.id, id), isToSend))
      .for('update');
    if (gift) await enqueueGiftEmail(ctx, tx, gift, { renew: false });
  });
}

async function enqueueGiftEmail(
  ctx: BillingContext,
  tx: Tx,
  gift: GiftRow,
  { renew }: { renew: boolean },
): Promise<void> {
  const { id, recipient_email, tier, from_name, to_name, message, months } = gift;
  if (!recipient_email) throw new Error(`Gift ${id} has no address`);
  const at = ctx.now();
  // A code made with an earlier AUTH_SECRET cannot be shown any more.
  const code = (await giftCode(ctx, tx, gift, { renew })) ?? (await giftCode(ctx, tx, gift, { renew: true }));
  const [definition] = await tx.select().from(tier_definitions).where(eq(tier_definitions.tier_name, tier));
  await ctx.outbox.enqueue(
    tx,
    `gift:${id}:${ctx.newId()}`,
    { user_id: null, email: recipient_email },
    composeEmail(
      ctx.venue,
      giftEmails.gift.about({
        from_name,
        message,
        months,
        tier: definition?.display_name ?? tierLabel(tier),
        code: giftCodeText(code ?? ''),
        recipient_email,
      }),
      to_name,
    ),
  );
  await tx.update(gift_membership).set({ sent_at: at }).where(eq(gift_membership.id, id));
}

/** Locks a paid gift of the buyer. Throws Refusal NOT_FOUND, or GIFT_REFUSED if it can no longer be redeemed. */
async function holdPaid(tx: Tx, buyer_id: string, id: string): Promise<GiftRow> {
  const [gift] = await tx.select().from(gift_membership).where(eq(gift_membership.id, id)).for('update');
  if (gift?.buyer_id !== buyer_id || gift.status === 'ordered')
    throw new Refusal('NOT_FOUND', { what: 'gift' });
  if (gift.disputed) throw new Refusal('GIFT_REFUSED', { reason: 'disputed' });
  if (gift.status !== 'paid')
    throw new Refusal('GIFT_REFUSED', { reason: gift.status === 'redeemed' ? 'redeemed' : 'refunded' });
  return gift;
}

/**
 * Changes where and when the email goes. A sent gift goes out again with the next sweep of its day; to another address with
 * another code, so that the first recipient's stops working. Throws Refusal NOT_FOUND, GIFT_REFUSED, GIFT_DAY_REFUSED,
 * TOO_MANY_ATTEMPTS.
 */
export async function resendGift(
  { billing: ctx, actor }: BillingCall,
  { id, recipient_email, send_on }: { id: string; recipient_email: string; send_on: string },
): Promise<Gift> {
  await consumeRateLimit(ctx, `gift-email|${id}`, SENDINGS);
  return ctx.db.transaction(async (tx) => {
    const gift = await holdPaid(tx, actor.user_id, id);
    if (gift.delivery !== 'email') throw new Refusal('NOT_FOUND', { what: 'gift' });
    if (!canSendOn(send_on, ctx.now(), ctx.venue.time_zone)) throw new Refusal('GIFT_DAY_REFUSED');
    if (gift.recipient_email !== recipient_email && gift.code_hash)
      await giftCode(ctx, tx, gift, { renew: true });
    const [row] = await tx
      .update(gift_membership)
      .set({ recipient_email, send_on, sent_at: null })
      .where(eq(gift_membership.id, id))
      .returning();
    if (!row) throw new Error('An update returned no row');
    return toGift(row);
  });
}

/**
 * A gift's code for its buyer, made on the first request. `renew`: a new code, which ends the first, for a lost card. Null
 * for a code made with an earlier AUTH_SECRET. Throws Refusal NOT_FOUND, GIFT_REFUSED.
 */
export async function showGiftCode(
  { billing: ctx, actor }: BillingCall,
  { id, renew }: { id: string; renew: boolean },
): Promise<{ code: string | null }> {
  return ctx.db.transaction(async (tx) => {
    const gift = await holdPaid(tx, actor.user_id, id);
    // An emailed code belongs to its recipient; changing the address sends another code.
    if (gift.delivery !== 'card') throw new Refusal('NOT_FOUND', { what: 'gift' });
    const code = await giftCode(ctx, tx, gift, { renew });
    return { code: code && giftCodeText(code) };
  });
}

export async function forgetAddresses({ db, now }: BillingContext): Promise<void> {
  const long = new Date(now().getTime() - GIFT_ADDRESS_DAYS * DAY_MS);
  await db
    .update(gift_membership)
    .set({ recipient_email: null })
    .where(and(eq(gift_membership.delivery, 'email'), lte(gift_membership.sent_at, long)));
}

const isGift = and(
  eq(memberships.status, 'active'),
  or(eq(memberships.is_gift, true), eq(memberships.on_the_house, true)),
);
const reminderOf = (membership: string) => `gift-ending:${membership}`;

/** Gifts and memberships on the house that end within two weeks and have had no reminder yet. */
export async function giftsToRemind({ db, now, venue }: BillingContext): Promise<string[]> {
  const today = localDate(now(), venue.time_zone);
  const reminder = db
    .select({ id: deliveries.id })
    .from(deliveries)
    .where(
      and(
        eq(deliveries.kind, 'email'),
        eq(deliveries.cause, sql`${reminderOf('')} || ${memberships.id}::text`),
      ),
    );
  const rows = await db
    .select({ id: memberships.id })
    .from(memberships)
    .where(and(isGift, lte(memberships.ends_on, addDays(today, GIFT_REMINDER_DAYS)), notExists(reminder)))
    .limit(BATCH);
  return rows.map(({ id }) => id);
}

/** Emails the member when the gift, or what the club gave, ends, and that nothing renews automatically. */
export async function remindOfGiftEnd(ctx: BillingContext, id: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const [row] = await tx
      .select({
        user_id: customers.user_id,
        tier: memberships.tier,
        ends_on: memberships.ends_on,
        on_the_house: memberships.on_the_house,
      })
      .from(memberships)
      .innerJoin(customers, eq(customers.id, memberships.customer_id))
      .where(and(eq(memberships.id, id), isGift));
    if (!row?.ends_on) return;
    const { user_id, tier, ends_on } = row;
    const last_day = startOfDay(giftLastDay(ends_on), ctx.venue.time_zone);
    const type = row.on_the_house ? 'house_ending' : 'gift_ending';
    await ctx.post(tx, { type, cause: reminderOf(id), user_id, tier, last_day });
  });
}
