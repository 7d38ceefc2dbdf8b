import { localDate } from '../../../domain/calendar.ts';
import { and, asc, eq, isNull, lte } from '../../db/orm.ts';
import { customers, memberships } from '../../db/schema.ts';
import type { BillingContext, BillingNotice } from '../billing-context.ts';
import { lockMember } from '../state/current-subscription.ts';
import { endMembership } from '../sync/membership.ts';

const BATCH = 200;

const isDue = ({ now, venue }: BillingContext) =>
  and(
    eq(memberships.status, 'active'),
    isNull(memberships.stripe_subscription_id),
    lte(memberships.ends_on, localDate(now(), venue.time_zone)),
  );

/** Venue-paid memberships and gifts that are past their last day: pours have stopped, and now they end. */
export function venueEndsDue(ctx: BillingContext): Promise<{ id: string; user_id: string }[]> {
  return ctx.db
    .select({ id: memberships.id, user_id: customers.user_id })
    .from(memberships)
    .innerJoin(customers, eq(customers.id, memberships.customer_id))
    .where(isDue(ctx))
    .orderBy(asc(memberships.ends_on), asc(memberships.id))
    .limit(BATCH);
}

/** Ends a membership at the venue, unless it was resumed or ended meanwhile, and posts the notice. */
export async function endAtVenue(
  ctx: BillingContext,
  { id, user_id }: { id: string; user_id: string },
): Promise<void> {
  const cause = `ended:${id}`;
  await ctx.db.transaction(async (tx) => {
    await lockMember(tx, user_id);
    const [membership] = await tx
      .select()
      .from(memberships)
      .where(and(eq(memberships.id, id), isDue(ctx)));
    if (!membership?.ends_on) return;
    await endMembership(tx, membership, membership.ends_on);
    const { customer_id, tier, is_gift } = membership;
    const ended: BillingNotice = is_gift
      ? { type: 'gift_ended', user_id, cause, tier }
      : { type: 'membership_ended', why: null, last_charge: null, user_id, cause };
    await tx.update(customers).set({ status: 'inactive' }).where(eq(customers.id, customer_id));
    await ctx.post(tx, ended);
  });
}
