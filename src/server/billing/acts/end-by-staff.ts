import type { InputOf } from '../../../contract/base.ts';
import { Refusal } from '../../../contract/refusals.ts';
import type { EndOffer, membershipEnd } from '../../../contract/staff/membership-end.ts';
import { localDate } from '../../../domain/calendar.ts';
import { type EndObstacle, endObstacle } from '../../../domain/membership/end.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import type { Tx } from '../../db/client.ts';
import { desc, eq } from '../../db/orm.ts';
import {
  billing_act,
  billing_payment,
  customers,
  leaving_reason,
  memberships,
  profiles,
} from '../../db/schema.ts';
import type { Actor } from '../../platform/actor.ts';
import { writeDueGrants } from '../../pours/due-grants.ts';
import type { BillingCall, BillingContext, BillingNotice } from '../billing-context.ts';
import { dropCard, orderReversal, overdueFrom } from '../refunds/reversal.ts';
import { changeAct, openYear } from '../state/acts.ts';
import { lockMember } from '../state/current-subscription.ts';
import { orUnavailable } from '../stripe-errors.ts';
import { endMembership } from '../sync/membership.ts';
import { reconcileSoon, withinLimit } from '../time-limit.ts';
import { type Endable, readEndable, readEndOffer } from './end-offer.ts';

// Rules: docs/rules/membership.md, "Ending by staff".

export type EndDraft = InputOf<typeof membershipEnd.create>;

function refuse(reason: EndObstacle): never {
  throw new Refusal('END_REFUSED', { reason });
}

/**
 * Ends a member's membership, with the period or at once. The end is committed before Stripe is asked for it, and each wait
 * for Stripe is that of staff; the sweeper retries. An end at once means no more pours, whatever Stripe answers, and
 * refunds of later payments. Returns the resulting state. Throws Refusal NOT_FOUND, END_REFUSED, PREVIEW_EXPIRED or, with
 * nothing stored, PAYMENTS_UNAVAILABLE.
 */
export async function endForMember({ billing: ctx, actor }: BillingCall, draft: EndDraft): Promise<EndOffer> {
  const { staff_ms: ms } = ctx.limits;
  const user_id = await userOf(ctx, draft.customer_id);
  const isReached = draft.when === 'now' || (await readPeriod(ctx, ms, user_id, draft));
  const isAtStripe = await ctx.db.transaction((tx) => storeEnd(ctx, tx, actor, { ...draft, user_id }));
  if (isAtStripe) await reconcileSoon(ctx, isReached ? ms : 0, user_id);
  return readEndOffer(ctx, user_id);
}

/**
 * Updates the period from Stripe before it is announced. False if Stripe did not answer: then the period shown to staff
 * counts, and if the membership was renewed already, the sweeper ends it and refunds the charge. Throws Refusal
 * PAYMENTS_UNAVAILABLE if Stripe did not answer and the shown period is over.
 */
async function readPeriod(
  ctx: BillingContext,
  ms: number,
  user_id: string,
  { period_end }: EndDraft,
): Promise<boolean> {
  try {
    await withinLimit(ctx, ms, (limited) =>
      orUnavailable(ctx.log, 'end membership', () => limited.reconcile(user_id)),
    );
    return true;
  } catch (error) {
    const isUnreachable = error instanceof Refusal && error.code === 'PAYMENTS_UNAVAILABLE';
    if (!isUnreachable || new Date(period_end) <= ctx.now()) throw error;
    return false;
  }
}

/**
 * Takes back an end that staff set. Only members can take back one that they set themselves, because they would be charged
 * again. Throws Refusal NOT_FOUND, END_REFUSED.
 */
export async function keepForMember(
  { billing: ctx, actor }: BillingCall,
  { customer_id }: { customer_id: string },
): Promise<EndOffer> {
  const user_id = await userOf(ctx, customer_id);
  const isAtStripe = await ctx.db.transaction((tx) => takeBack(ctx, tx, actor, user_id));
  if (isAtStripe) await reconcileSoon(ctx, ctx.limits.staff_ms, user_id);
  return readEndOffer(ctx, user_id);
}

async function userOf({ db }: Pick<BillingContext, 'db'>, customer_id: string): Promise<string> {
  const [row] = await db
    .select({ user_id: customers.user_id, erased_at: profiles.erased_at })
    .from(customers)
    .innerJoin(profiles, eq(profiles.id, customers.user_id))
    .where(eq(customers.id, customer_id));
  if (!row || row.erased_at) throw new Refusal('NOT_FOUND', { what: 'customer' });
  return row.user_id;
}

/** True if Stripe must be asked for something. */
async function storeEnd(
  ctx: BillingContext,
  tx: Tx,
  actor: Actor,
  draft: EndDraft & { user_id: string },
): Promise<boolean> {
  const { user_id, when } = draft;
  await lockMember(tx, user_id);
  const found = await readEndable({ ...ctx, db: tx }, user_id);
  // A double tap. An end that was put off at Stripe meanwhile is asked for again.
  const isUnderWay = found?.begun?.state === 'asked' || (found?.begun?.state === 'set' && found.is_ending);
  if (isUnderWay && when === 'period_end') return false;
  const obstacle = endObstacle(found, when);
  if (obstacle || !found) return refuse(obstacle ?? 'no_membership');
  if (found.period_end.toISOString() !== new Date(draft.period_end).toISOString()) {
    throw new Refusal('PREVIEW_EXPIRED');
  }
  const now = ctx.now();
  const { membership, subscription } = found;
  if (found.begun) await changeAct({ ...ctx, db: tx }, found.begun, 'withdrawn');
  const isAsked = subscription !== null && when === 'period_end';
  await tx.insert(billing_act).values({
    id: ctx.newId(),
    kind: 'end',
    user_id,
    cause: `end:${membership.id}`,
    state: isAsked ? 'asked' : 'set',
    due: isAsked ? now : null,
    stripe_subscription_id: subscription?.stripe_subscription_id ?? null,
    membership_id: membership.id,
    ends_at: when === 'now' ? now : found.period_end,
    terms: { ends: when },
    asked_by: 'staff',
    asked_by_staff_id: actor.user_id,
    created_at: now,
  });
  const why = { membership_id: membership.id, reason: draft.reason, created_at: now };
  await tx
    .insert(leaving_reason)
    .values(why)
    .onConflictDoUpdate({ target: leaving_reason.membership_id, set: why });
  await recordAudit(
    tx,
    { ...ctx, actor },
    { act: 'membership_ended', subject_id: user_id, facts: { when, reason: draft.reason } },
  );
  const to = { user_id, cause: `staff-end:${membership.id}:${now.getTime()}` };
  const notice =
    when === 'now' ? await endNow(ctx, tx, found, to) : await endLater(tx, found, ctx.venue.time_zone, to);
  if (notice) await ctx.post(tx, notice);
  // Only an end at once gets here with a card or a year that follows.
  const year = when === 'now' ? await openYear(tx, user_id) : null;
  if (year) await changeAct({ ...ctx, db: tx }, year, 'withdrawn');
  await dropCard(ctx, tx, user_id, membership);
  return subscription !== null || membership.next_subscription_id !== null;
}

type To = { user_id: string; cause: string };

/** Ends it on our side at once. Stripe's part is a reversal, which announces the end once nothing can be charged. */
async function endNow(ctx: BillingContext, tx: Tx, found: Endable, to: To): Promise<BillingNotice | null> {
  const { membership, subscription } = found;
  const { customer_id } = membership;
  if (membership.status === 'active') {
    if (!subscription) await writeDueGrants(ctx, tx, customer_id);
    await endMembership(tx, membership, localDate(ctx.now(), ctx.venue.time_zone));
    await tx.update(customers).set({ status: 'inactive' }).where(eq(customers.id, customer_id));
  }
  if (!subscription) return { ...to, type: 'membership_ended', why: 'ended_by_staff' };
  const { stripe_subscription_id, user_id } = subscription;
  const refund_from = await refundFrom(ctx, tx, stripe_subscription_id);
  const reversal = { stripe_subscription_id, user_id, reason: 'ended_by_staff' as const, refund_from };
  await orderReversal({ ...ctx, db: tx }, reversal);
  return null;
}

/** The instant from which payments are refunded: now, or just after the last payment that we know of, which stays paid. */
async function refundFrom({ now }: BillingContext, tx: Tx, subscription: string): Promise<Date> {
  const [last] = await tx
    .select({ at: billing_payment.created_at })
    .from(billing_payment)
    .where(eq(billing_payment.stripe_subscription_id, subscription))
    .orderBy(desc(billing_payment.created_at))
    .limit(1);
  const afterKnown = (last?.at.getTime() ?? 0) + 1000;
  return new Date(Math.max(overdueFrom(now()).getTime(), afterKnown));
}

/** A membership at the venue gets its last day in our database alone; one by card is canceled at Stripe. */
async function endLater(tx: Tx, found: Endable, timeZone: string, to: To): Promise<BillingNotice | null> {
  const { membership, subscription, period_end } = found;
  if (subscription) return null;
  const ends_on = localDate(period_end, timeZone);
  await tx.update(memberships).set({ ends_on }).where(eq(memberships.id, membership.id));
  const end = { ends_at: period_end, paused: false, by_venue: true, last_charge: null };
  return { ...to, type: 'cancellation_scheduled', ...end };
}

/** True if Stripe must be asked for something. */
async function takeBack(ctx: BillingContext, tx: Tx, actor: Actor, user_id: string): Promise<boolean> {
  await lockMember(tx, user_id);
  const found = await readEndable({ ...ctx, db: tx }, user_id);
  if (!found) return refuse('no_membership');
  const { begun, membership, subscription } = found;
  if (!begun) return refuse(found.by_member ? 'by_member' : 'not_ending');
  // A repeated request, after Stripe did not answer.
  if (begun.state === 'withdrawing') return true;
  if (subscription) await changeAct({ ...ctx, db: tx }, begun, 'withdrawing', { due: ctx.now() });
  else await changeAct({ ...ctx, db: tx }, begun, 'withdrawn');
  await recordAudit(tx, { ...ctx, actor }, { act: 'membership_kept', subject_id: user_id, facts: {} });
  if (subscription) return true;
  await tx.update(memberships).set({ ends_on: null }).where(eq(memberships.id, membership.id));
  await ctx.post(tx, {
    type: 'cancellation_withdrawn',
    cause: `staff-keep:${begun.id}`,
    user_id,
    price_change: null,
  });
  return false;
}
