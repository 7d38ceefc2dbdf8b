import { and, eq, inArray } from 'drizzle-orm';
import type { Subscription } from '../../../contract/functions.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { isEnded, standingOf } from '../../../domain/standing.ts';
import { ASKING_MINUTES, PREVIEW_MINUTES, tierChangeObstacle } from '../../../domain/tier-change.ts';
import { violatedConstraint } from '../../db/results.ts';
import { billing_customer, billing_subscription, tier_change } from '../../db/schema.ts';
import type { BillingContext } from '../context.ts';
import { isFinal, isUnpaid, orUnavailable } from '../stripe-errors.ts';
import type { StoredSubscription } from '../sync/evaluate.ts';
import { currentSubscription } from './current-subscription.ts';
import { releaseSchedule, schedulePrice } from './schedule.ts';
import { subscriptionDetails } from './subscription.ts';

type TierChange = typeof tier_change.$inferSelect;

const MINUTE = 60_000;
const age = (since: Date, now: Date) => now.getTime() - since.getTime();

/**
 * Carries out what a preview showed: a dearer tier is paid and in force at once, or nothing changes; a cheaper
 * one follows at the end of the period. Asked again, it is not done again.
 * Throws Refusal NOT_FOUND, NO_SUBSCRIPTION, TIER_CHANGE_REFUSED, PREVIEW_EXPIRED, PAYMENT_REFUSED or
 * PAYMENTS_UNAVAILABLE; after the last, asking again finds out what became of it.
 */
export async function changeTier(
  context: BillingContext,
  userId: string,
  previewId: string,
): Promise<Subscription | null> {
  await context.inCheckoutOrder(userId, () =>
    orUnavailable(context.log, 'change the tier', () => carryOut(context, userId, previewId)),
  );
  return subscriptionDetails(context, userId);
}

async function carryOut(context: BillingContext, userId: string, previewId: string): Promise<void> {
  const { db } = context;
  const [shown] = await db
    .select()
    .from(tier_change)
    .where(and(eq(tier_change.id, previewId), eq(tier_change.user_id, userId)));
  if (!shown) throw new Refusal('NOT_FOUND', { what: 'preview' });
  await context.converge(userId);
  if (shown.status === 'done') return;
  const row = await currentSubscription(context, userId);
  if (!row || isEnded(row.status)) throw new Refusal('NO_SUBSCRIPTION');
  // Whoever asked Stripe may have died before writing down that Stripe agreed, or another window was quicker.
  if (cameAbout(shown, row)) return mark(context, shown, 'done');

  const current =
    shown.stripe_subscription_id === row.stripe_subscription_id &&
    shown.from_price_id === row.stripe_price_id &&
    age(shown.created_at, context.now()) < PREVIEW_MINUTES * MINUTE;
  if (!current || shown.status === 'refused') throw new Refusal('PREVIEW_EXPIRED');
  const reason = tierChangeObstacle(standingOf(row, context.now()), row, shown.to_tier);
  if (reason) throw new Refusal('TIER_CHANGE_REFUSED', { reason });
  if (shown.status === 'shown' && !(await ask(context, shown))) return;
  try {
    await (shown.kind === 'at_once' ? payAndChange : changeLater)(context, shown, row);
  } catch (error) {
    if (isUnpaid(error) || isFinal(error)) await mark(context, shown, 'refused');
    if (isUnpaid(error)) throw new Refusal('PAYMENT_REFUSED');
    throw error;
  }
  await context.converge(userId);
  await mark(context, shown, 'done');
}

function cameAbout(change: TierChange, row: StoredSubscription): boolean {
  if (change.stripe_subscription_id !== row.stripe_subscription_id) return false;
  return row.stripe_price_id === change.to_price_id || row.pending_tier === change.to_tier;
}

/**
 * Claims the user's one change; false when another window has made this very one. Under the lock that convergence takes: whoever was quicker is either still
 * 'asked', or has converged before it was 'done', so that the price is no longer the one that was shown.
 */
async function ask({ db, now }: BillingContext, change: TierChange): Promise<boolean> {
  const { id, user_id, stripe_subscription_id, from_price_id } = change;
  try {
    return await db.transaction(async (tx) => {
      await tx
        .select({ user_id: billing_customer.user_id })
        .from(billing_customer)
        .where(eq(billing_customer.user_id, user_id))
        .for('update');
      const [row] = await tx
        .select()
        .from(billing_subscription)
        .where(eq(billing_subscription.stripe_subscription_id, stripe_subscription_id));
      if (row && cameAbout(change, row)) return false;
      const asShown = row?.stripe_price_id === from_price_id && row.pending_tier === null;
      const claimed = asShown
        ? await tx
            .update(tier_change)
            .set({ status: 'asked', asked_at: now() })
            .where(and(eq(tier_change.id, id), inArray(tier_change.status, ['shown', 'asked'])))
            .returning({ id: tier_change.id })
        : [];
      if (claimed.length === 0) throw new Refusal('PREVIEW_EXPIRED');
      return true;
    });
  } catch (error) {
    if (violatedConstraint(error) !== 'tier_change_one_asked') throw error;
    throw new Refusal('TIER_CHANGE_REFUSED', { reason: 'change_under_way' });
  }
}

async function mark({ db }: BillingContext, { id }: TierChange, status: 'done' | 'refused'): Promise<void> {
  await db.update(tier_change).set({ status }).where(eq(tier_change.id, id));
}

/** Charges what was shown and changes the price, or does neither: Stripe's error_if_incomplete. */
async function payAndChange(
  context: BillingContext,
  change: TierChange,
  row: StoredSubscription,
): Promise<void> {
  const { stripe } = context;
  if (row.stripe_schedule_id) await releaseSchedule(context, row.stripe_schedule_id);
  const { items } = await stripe.subscriptions.retrieve(row.stripe_subscription_id);
  await stripe.subscriptions.update(
    row.stripe_subscription_id,
    {
      // Without its id the item would be added beside the old one, and both be charged.
      items: [{ id: items.data[0]?.id, price: change.to_price_id }],
      proration_behavior: 'always_invoice',
      proration_date: Math.floor(change.prorated_at.getTime() / 1000),
      payment_behavior: 'error_if_incomplete',
    },
    { idempotencyKey: `tier:${change.id}` },
  );
}

async function changeLater(
  context: BillingContext,
  change: TierChange,
  row: StoredSubscription,
): Promise<void> {
  await schedulePrice(context, row, change.to_price_id, change.id);
}

/**
 * Settles a change that was asked for and whose answer never reached us, from our converged copy.
 * Throws Refusal TIER_CHANGE_REFUSED while it may still be under way.
 */
export async function settleAsked(context: BillingContext, userId: string): Promise<void> {
  const { db, now } = context;
  const [asked] = await db
    .select()
    .from(tier_change)
    .where(and(eq(tier_change.user_id, userId), eq(tier_change.status, 'asked')));
  if (!asked) return;
  const row = await currentSubscription(context, userId);
  if (row && cameAbout(asked, row)) return mark(context, asked, 'done');
  if (age(asked.asked_at ?? asked.created_at, now()) < ASKING_MINUTES * MINUTE) {
    throw new Refusal('TIER_CHANGE_REFUSED', { reason: 'change_under_way' });
  }
  await mark(context, asked, 'refused');
}
