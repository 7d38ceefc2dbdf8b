import { eq, inArray } from 'drizzle-orm';
import { isEnded } from '../../../domain/standing.ts';
import { billing_reversal, customers, membership_end, memberships } from '../../db/schema.ts';
import type { BillingContext } from '../billing-context.ts';
import { currentSubscription } from '../subscription/current-subscription.ts';
import { cancelSubscription, resumeSubscription } from '../subscription/subscription.ts';
import type { StoredSubscription } from '../sync/local-state.ts';
import { overdueFrom } from '../sync/reversal.ts';
import { type MembershipEnd, settleEnd } from './open-end.ts';

export interface EndOfUser {
  end: MembershipEnd;
  user_id: string;
  stripe_subscription_id: string | null;
}

const BATCH = 200;

/** Ends, and ends taken back, that Stripe may not have yet, oldest first. */
export function endsToCarryOut({ db }: BillingContext): Promise<EndOfUser[]> {
  return db
    .select({
      end: membership_end,
      user_id: customers.user_id,
      stripe_subscription_id: memberships.stripe_subscription_id,
    })
    .from(membership_end)
    .innerJoin(memberships, eq(memberships.id, membership_end.membership_id))
    .innerJoin(customers, eq(customers.id, memberships.customer_id))
    .where(inArray(membership_end.status, ['asked', 'withdrawing']))
    .orderBy(membership_end.created_at)
    .limit(BATCH);
}

/**
 * Brings Stripe to what staff decided, by the verbs with which members cancel and resume. Safe to repeat.
 * Throws Refusal PAYMENTS_UNAVAILABLE, after which the sweeper continues.
 */
export async function carryOutEnd(ctx: BillingContext, { end, user_id, ...of }: EndOfUser): Promise<void> {
  await ctx.reconcile(user_id);
  const current = () => currentSubscription(ctx, user_id);
  const row = await current();
  const isOver = !row || row.stripe_subscription_id !== of.stripe_subscription_id || isEnded(row.status);
  if (end.status === 'withdrawing') {
    if (!isOver) await resumeSubscription(ctx, user_id);
    return settleEnd(ctx, end, 'withdrawn');
  }
  if (!isOver) {
    if (!isRenewed(row, end)) await cancelSubscription(ctx, user_id);
    const after = await current();
    if (after && !isEnded(after.status) && isRenewed(after, end)) await endRenewed(ctx, after, end);
  }
  await settleEnd(ctx, end, 'set');
}

/** Stripe was not reached in time, and the membership went on beyond the day that was said. */
const isRenewed = (row: StoredSubscription, end: MembershipEnd) => row.current_period_end > end.ends_at;

/** Ends it at once, and gives back what was charged after that day. */
async function endRenewed(ctx: BillingContext, row: StoredSubscription, end: MembershipEnd): Promise<void> {
  const { stripe_subscription_id, user_id } = row;
  const reversal = { stripe_subscription_id, user_id, reason: 'ended_by_staff' as const };
  await ctx.db
    .insert(billing_reversal)
    .values({ ...reversal, refund_from: overdueFrom(end.ends_at), created_at: ctx.now() })
    .onConflictDoNothing();
  await ctx.reconcile(user_id);
}
