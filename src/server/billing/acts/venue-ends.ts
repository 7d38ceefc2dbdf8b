import { and, asc, eq, isNotNull, isNull, lte, or, sql } from '../../db/orm.ts';
import { customers, memberships } from '../../db/schema.ts';
import { writeDueGrants } from '../../pours/due-grants.ts';
import type { BillingContext, BillingNotice } from '../billing-context.ts';
import { lockMember } from '../state/current-subscription.ts';
import { endMembership } from '../sync/membership.ts';
import { venueDay, venueToday } from '../venue-days.ts';

const BATCH = 200;

const isDue = (ctx: BillingContext) => {
  const today = venueToday(ctx);
  return and(
    eq(memberships.status, 'active'),
    isNull(memberships.stripe_subscription_id),
    or(lte(memberships.ends_on, today), lte(memberships.grace_until, today)),
  );
};

/**
 * Memberships at the venue and gifts that are past their last day, or whose dues are not paid after the days of grace: pours
 * have stopped, and now they end.
 */
export function venueEndsDue(ctx: BillingContext): Promise<{ id: string; user_id: string }[]> {
  return ctx.db
    .select({ id: memberships.id, user_id: customers.user_id })
    .from(memberships)
    .innerJoin(customers, eq(customers.id, memberships.customer_id))
    .where(isDue(ctx))
    .orderBy(asc(sql`least(${memberships.ends_on}, ${memberships.grace_until})`), asc(memberships.id))
    .limit(BATCH);
}

/** Ends a membership at the venue, unless it was resumed, paid or ended meanwhile, and posts the notice. */
export async function endAtVenue(
  ctx: BillingContext,
  { id, user_id }: { id: string; user_id: string },
): Promise<void> {
  const cause = `ended:${id}`;
  // Where a card follows, it begins if Stripe says so.
  if (await isFollowed(ctx, id)) await ctx.reconcile(user_id);
  await ctx.db.transaction(async (tx) => {
    await lockMember(tx, user_id);
    const [membership] = await tx
      .select()
      .from(memberships)
      .where(and(eq(memberships.id, id), isDue(ctx)));
    if (!membership) return;
    const { customer_id, tier, is_gift, ends_on, paid_until, next_subscription_id } = membership;
    // An unpaid one ends where its payments do, if that is earlier.
    const isUnpaid = paid_until !== null && (ends_on === null || paid_until < ends_on);
    await writeDueGrants({ ...ctx, now: () => lastInstant(ctx, membership) }, tx, customer_id);
    await endMembership(tx, membership, (isUnpaid ? paid_until : ends_on) ?? venueToday(ctx));
    const to = { user_id, cause };
    const ended: BillingNotice = isUnpaid
      ? { ...to, type: 'dues_ended', tier, paid_until: venueDay(ctx, paid_until) }
      : is_gift
        ? { ...to, type: 'gift_ended', tier }
        : { ...to, type: 'membership_ended', why: null, last_charge: null };
    await tx.update(customers).set({ status: 'inactive' }).where(eq(customers.id, customer_id));
    // The card comes later, as after a void: the member comes back with it.
    if (isUnpaid || next_subscription_id === null) await ctx.post(tx, ended);
  });
}

/** The last instant of access. Months that nothing has written by then still give the pours that were made in them. */
function lastInstant(ctx: BillingContext, { ends_on, grace_until }: typeof memberships.$inferSelect): Date {
  const days = [ends_on, grace_until].flatMap((day) => (day === null ? [] : [venueDay(ctx, day).getTime()]));
  return new Date(Math.min(...days) - 1);
}

const isFollowed = async ({ db }: BillingContext, id: string): Promise<boolean> =>
  (await db.$count(memberships, and(eq(memberships.id, id), isNotNull(memberships.next_subscription_id)))) >
  0;
