import type { Subscription } from '../../../contract/functions.ts';
import { Refusal } from '../../../contract/refusals.ts';
import { localDate, startOfDay, unixSeconds } from '../../../domain/calendar.ts';
import { venueEndIfCanceled } from '../../../domain/membership/end.ts';
import type { LeavingReason } from '../../../domain/reports/leaving-reason.ts';
import type { Tx } from '../../db/client.ts';
import { eq } from '../../db/orm.ts';
import { memberships } from '../../db/schema.ts';
import type { BillingCall, BillingContext } from '../billing-context.ts';
import { assertPaymentsOn } from '../payments-off.ts';
import { dropCard } from '../refunds/reversal.ts';
import { lockMember } from '../state/current-subscription.ts';
import { activeMembership } from '../state/local-state.ts';
import { orUnavailable } from '../stripe-errors.ts';
import { noteLeavingReason } from '../subscription/leaving-reason.ts';
import {
  cancelSubscription,
  getSubscriptionDetails,
  resumeSubscription,
} from '../subscription/subscription.ts';
import { reconcileSoon } from '../time-limit.ts';
import { venueToday } from '../venue-days.ts';
import { endAtVenue } from './venue-ends.ts';

// Rules: docs/rules/membership.md, "Canceling at the venue".

/**
 * Cancels the member's own membership. At the venue it ends with the last paid day, or with the running month if dues are
 * not counted; by card as cancelSubscription says. A repeated call returns the same result. `cancel_at` is in epoch seconds.
 * Throws Refusal NO_SUBSCRIPTION, also for a gift, or PAYMENTS_UNAVAILABLE.
 */
export async function cancelMembership(
  call: BillingCall,
  input: { reason?: LeavingReason | undefined } = {},
): Promise<{ cancel_at: number }> {
  await beginCard(call.billing, call.actor.user_id);
  const at = await cancelAtVenue(call.billing, call.actor.user_id, input.reason);
  return at ? { cancel_at: unixSeconds(at) } : cancelSubscription(call, input);
}

/**
 * Withdraws the member's own cancellation. An end at the venue that staff set stays: only they can take it back. Throws
 * Refusal NO_SUBSCRIPTION (also if it has already ended), PAYMENTS_OFF or PAYMENTS_UNAVAILABLE.
 */
export async function keepMembership(call: BillingCall): Promise<{ subscription: Subscription | null }> {
  const { billing, actor } = call;
  await beginCard(billing, actor.user_id);
  if (await keepAtVenue(billing, actor.user_id)) return getSubscriptionDetails(call);
  assertPaymentsOn(billing);
  return resumeSubscription(call);
}

/** Looks at Stripe on the day of the first charge: the card may pay for the membership already. */
async function beginCard(ctx: BillingContext, user_id: string): Promise<void> {
  const membership = await activeMembership(ctx.db, user_id);
  if (!membership?.next_subscription_id || !membership.ends_on) return;
  if (membership.ends_on > venueToday(ctx)) return;
  await orUnavailable(ctx.log, 'by card', () => ctx.reconcile(user_id));
}

/** Locks the member, and reads their membership at the venue; null if there is none, or if it is a gift. */
async function lockVenueMembership(tx: Tx, user_id: string) {
  await lockMember(tx, user_id);
  const membership = await activeMembership(tx, user_id);
  return membership && !membership.stripe_subscription_id && !membership.is_gift ? membership : null;
}

/** Returns when access ends; null if there is no membership at the venue. */
async function cancelAtVenue(
  ctx: BillingContext,
  user_id: string,
  reason: LeavingReason | undefined,
): Promise<Date | null> {
  const { db, now, venue } = ctx;
  const end = await db.transaction(async (tx) => {
    const membership = await lockVenueMembership(tx, user_id);
    if (!membership) return null;
    const { id, ends_on, next_subscription_id: card } = membership;
    if (ends_on && !card) return { id, at: startOfDay(ends_on, venue.time_zone), overdue: false, card };
    await dropCard(ctx, tx, user_id, membership);
    const { at, overdue } = venueEndIfCanceled(membership, now(), venue.time_zone);
    await tx
      .update(memberships)
      .set({ ends_on: localDate(at, venue.time_zone), canceled_at: now() })
      .where(eq(memberships.id, id));
    if (reason) await noteLeavingReason({ db: tx, now }, id, reason);
    if (!overdue) {
      const scheduled = { ends_at: at, paused: false, by_venue: false, last_charge: null };
      const cause = `cancel:${id}:${now().getTime()}`;
      await ctx.post(tx, { type: 'cancellation_scheduled', cause, user_id, ...scheduled });
    }
    return { id, at, overdue, card };
  });
  if (!end) return null;
  if (end.card) await reconcileSoon(ctx, ctx.limits.member_ms, user_id);
  if (!end.overdue) return end.at;
  await endAtVenue(ctx, { id: end.id, user_id });
  return now();
}

/** Returns whether there is a membership at the venue. */
async function keepAtVenue(ctx: BillingContext, user_id: string): Promise<boolean> {
  const { db, now, venue } = ctx;
  const membership = await db.transaction(async (tx) => {
    const membership = await lockVenueMembership(tx, user_id);
    if (!membership) return null;
    const { id, ends_on, canceled_at, next_subscription_id: card } = membership;
    if (ends_on === null) return { card };
    const isOver = ends_on <= localDate(now(), venue.time_zone);
    if (isOver || canceled_at === null) throw new Refusal('NO_SUBSCRIPTION');
    await dropCard(ctx, tx, user_id, membership);
    await tx.update(memberships).set({ ends_on: null, canceled_at: null }).where(eq(memberships.id, id));
    const cause = `keep:${id}:${now().getTime()}`;
    await ctx.post(tx, { type: 'cancellation_withdrawn', cause, user_id, price_change: null });
    return { card };
  });
  if (membership?.card) await reconcileSoon(ctx, ctx.limits.member_ms, user_id);
  return membership !== null;
}
