import { addDays, localDate, startOfDay } from '../../../domain/calendar.ts';
import { GIFT_REMINDER_DAYS, giftLastDay } from '../../../domain/membership/gift.ts';
import { and, eq, lte, notExists, sql } from '../../db/orm.ts';
import { customers, deliveries, memberships } from '../../db/schema.ts';
import type { BillingContext } from '../billing-context.ts';

const BATCH = 200;
const isGift = and(eq(memberships.status, 'active'), eq(memberships.is_gift, true));
const reminderOf = (membership: string) => `gift-ending:${membership}`;

/** Gifts that end within two weeks and have had no reminder yet. */
export async function giftsToRemind({ db, now, timeZone }: BillingContext): Promise<string[]> {
  const today = localDate(now(), timeZone);
  const told = db
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
    .where(and(isGift, lte(memberships.ends_on, addDays(today, GIFT_REMINDER_DAYS)), notExists(told)))
    .limit(BATCH);
  return rows.map(({ id }) => id);
}

/** Emails the member when the gift ends, and that nothing renews automatically. */
export async function remindOfGiftEnd(ctx: BillingContext, id: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const [row] = await tx
      .select({ user_id: customers.user_id, tier: memberships.tier, ends_on: memberships.ends_on })
      .from(memberships)
      .innerJoin(customers, eq(customers.id, memberships.customer_id))
      .where(and(eq(memberships.id, id), isGift));
    if (!row?.ends_on) return;
    const { user_id, tier, ends_on } = row;
    const last_day = startOfDay(giftLastDay(ends_on), ctx.timeZone);
    await ctx.post(tx, { type: 'gift_ending', cause: reminderOf(id), user_id, tier, last_day });
  });
}
