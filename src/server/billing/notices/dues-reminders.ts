import { addDays, type LocalDate, localDate } from '../../../domain/calendar.ts';
import {
  DUES_DUE_DAYS,
  nextMonthCents,
  YEAR_ENDING_DAYS,
  YEAR_MONTHS,
} from '../../../domain/membership/dues.ts';
import { ENDING_REMINDER_DAYS } from '../../../domain/reminders.ts';
import type { Tx } from '../../db/client.ts';
import { and, eq, gt, isNull, lte, notExists, or, sql } from '../../db/orm.ts';
import { billing_subscription, customers, deliveries, memberships } from '../../db/schema.ts';
import { duesPricesOf } from '../../membership/dues/dues.ts';
import { allowanceOf } from '../../pours/allowance.ts';
import type { BillingContext, BillingNotice } from '../billing-context.ts';
import { lockMember } from '../state/current-subscription.ts';
import { venueDay, venueToday } from '../venue-days.ts';

const BATCH = 200;

const isDue = (today: LocalDate) =>
  and(
    eq(memberships.status, 'active'),
    or(
      lte(memberships.paid_until, addDays(today, DUES_DUE_DAYS)),
      and(
        eq(memberships.paid_months, YEAR_MONTHS),
        lte(memberships.paid_until, addDays(today, YEAR_ENDING_DAYS)),
      ),
    ),
    gt(memberships.grace_until, today),
    // Nothing is due for a membership that ends before.
    or(isNull(memberships.ends_on), gt(memberships.ends_on, memberships.paid_until)),
  );

/** Names the first unpaid day, so that each brings one reminder before it, a year two, and one when it has come. */
const causeOf = (today: LocalDate) => sql<string>`
  case when ${memberships.paid_until} > ${addDays(today, DUES_DUE_DAYS)} then 'year-ending:'
       when ${memberships.paid_until} > ${today} then 'dues-reminder:' else 'dues-overdue:' end
  || ${memberships.id} || ':' || to_char(${memberships.paid_until}, 'YYYY-MM-DD')`;

/** Memberships whose dues are due soon or overdue, and whose members did not hear of it yet. */
export function duesToRemind(ctx: BillingContext): Promise<{ id: string; user_id: string }[]> {
  const today = venueToday(ctx);
  const reminder = ctx.db
    .select({ id: deliveries.id })
    .from(deliveries)
    .where(and(eq(deliveries.kind, 'email'), eq(deliveries.cause, causeOf(today))));
  return ctx.db
    .select({ id: memberships.id, user_id: customers.user_id })
    .from(memberships)
    .innerJoin(customers, eq(customers.id, memberships.customer_id))
    .where(and(isDue(today), notExists(reminder)))
    .limit(BATCH);
}

/** Emails a member whose dues are due soon or overdue, unless they were paid or the membership ended meanwhile. */
export async function remindOfDues(
  ctx: BillingContext,
  { id, user_id }: { id: string; user_id: string },
): Promise<void> {
  const today = venueToday(ctx);
  await ctx.db.transaction(async (tx) => {
    await lockMember(tx, user_id);
    const [row] = await tx
      .select({ membership: memberships, cause: causeOf(today) })
      .from(memberships)
      .where(and(eq(memberships.id, id), isDue(today)));
    if (!row?.membership.paid_until || !row.membership.grace_until) return;
    const { customer_id, tier, paid_until, grace_until, paid_months } = row.membership;
    const amount_cents = nextMonthCents(row.membership);
    const terms = {
      ...{ user_id, cause: row.cause, tier, amount_cents, currency: ctx.currency },
      paid_until: venueDay(ctx, paid_until),
    };
    if (paid_until > today && paid_months === YEAR_MONTHS) {
      const { year_cents } = await duesPricesOf(tx, row.membership);
      await ctx.post(tx, {
        ...terms,
        year_cents,
        type: 'year_ending',
        last_day: venueDay(ctx, addDays(paid_until, -1)),
      });
      return;
    }
    const allowance = await allowanceOf({ ...ctx, db: tx }, 'id', customer_id);
    const notice: BillingNotice =
      paid_until > today
        ? { ...terms, type: 'dues_reminder' }
        : {
            ...terms,
            type: 'dues_overdue',
            grace_until: venueDay(ctx, grace_until),
            available_pours: allowance?.available_pours ?? 0,
          };
    await ctx.post(tx, notice);
  });
}

/** When the end of a membership at the venue was set, by the member or staff; null if unknown. */
const endSetAt = sql`coalesce(${memberships.canceled_at}, (
  select max(a.created_at) from billing_act a where a.kind = 'end' and a.membership_id = ${memberships.id}))`;

const endingCause = sql<string>`'ending-reminder:' || ${memberships.id} || ':' || to_char(${memberships.ends_on}, 'YYYY-MM-DD')`;

/** Ends soon, and not set in these last days: the member has just read of that. */
const endsSoon = ({ now, venue }: BillingContext) => {
  const from = addDays(localDate(now(), venue.time_zone), ENDING_REMINDER_DAYS);
  const begins = sql`((${memberships.ends_on} - ${ENDING_REMINDER_DAYS}::integer)::timestamp at time zone ${venue.time_zone})`;
  return and(
    eq(memberships.status, 'active'),
    eq(memberships.is_gift, false),
    eq(memberships.on_the_house, false),
    lte(memberships.ends_on, from),
    sql`${endSetAt} < ${begins}`,
  );
};

/** Memberships at the venue whose end was set and comes soon, and whose members were not reminded. */
export function endsToRemind(ctx: BillingContext): Promise<{ id: string; user_id: string }[]> {
  const reminder = ctx.db
    .select({ id: deliveries.id })
    .from(deliveries)
    .where(and(eq(deliveries.kind, 'email'), eq(deliveries.cause, endingCause)));
  return ctx.db
    .select({ id: memberships.id, user_id: customers.user_id })
    .from(memberships)
    .innerJoin(customers, eq(customers.id, memberships.customer_id))
    .where(and(endsSoon(ctx), notExists(reminder)))
    .limit(BATCH);
}

/** Emails a member whose membership at the venue ends soon, unless it was kept or has ended meanwhile. */
export async function remindOfEnd(
  ctx: BillingContext,
  { id, user_id }: { id: string; user_id: string },
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await lockMember(tx, user_id);
    const [row] = await tx
      .select({ membership: memberships, cause: endingCause })
      .from(memberships)
      .where(and(eq(memberships.id, id), endsSoon(ctx)));
    if (!row?.membership.ends_on) return;
    const { tier, ends_on, canceled_at } = row.membership;
    const ends_at = venueDay(ctx, ends_on);
    const card = await cardThatFollows(tx, row.membership);
    if (card) {
      const charge = { tier: card.tier, amount_cents: card.amount_cents, monthly_cents: card.amount_cents };
      const { currency, tax_behavior, current_period_end: renews_at } = card;
      const first = { ...charge, currency, tax_behavior, renews_at, skip_until: null, price_change: null };
      await ctx.post(tx, { type: 'renewal_reminder', cause: row.cause, user_id, ...first });
      return;
    }
    const to = { type: 'ending_reminder', cause: row.cause, user_id } as const;
    await ctx.post(tx, { ...to, tier, ends_at, last_charge: null, by_venue: canceled_at === null });
  });
}

/** The subscription that takes over from a membership at the venue; undefined without one. */
async function cardThatFollows(tx: Tx, { next_subscription_id }: typeof memberships.$inferSelect) {
  if (next_subscription_id === null) return undefined;
  const isIt = eq(billing_subscription.stripe_subscription_id, next_subscription_id);
  const [row] = await tx.select().from(billing_subscription).where(isIt);
  return row;
}
