import type { Subscription } from '../../../contract/functions.ts';
import { Refusal } from '../../../contract/refusals.ts';
import { elapsedMs } from '../../../domain/calendar.ts';
import { isEnded, standingOf } from '../../../domain/standing.ts';
import { CHANGE_TIMEOUT_MINUTES, PREVIEW_MINUTES, tierChangeObstacle } from '../../../domain/tier-change.ts';
import { and, desc, eq, inArray } from '../../db/orm.ts';
import { refusing } from '../../db/results.ts';
import { tier_change } from '../../db/schema.ts';
import type { BillingCall, BillingContext } from '../billing-context.ts';
import { repairPrice } from '../catalog.ts';
import { changeParams } from '../request-params.ts';
import { openPause } from '../state/acts.ts';
import { currentSubscription, lockSubscription, pricedItem } from '../state/current-subscription.ts';
import type { StoredSubscription } from '../state/local-state.ts';
import { isFinal, isRefused, isUnpaid, needsApproval, orUnavailable } from '../stripe-errors.ts';
import { releaseSchedule, schedulePrice } from './schedule.ts';
import { getSubscriptionDetails } from './subscription.ts';

type TierChange = typeof tier_change.$inferSelect;

const MINUTE = 60_000;
/**
 * Makes the tier change that a preview showed (docs/rules/billing.md, "Billing: changing the tier"). If the member's
 * bank must approve the payment, the subscription returned says so. A repeated call does not repeat the change. Throws
 * Refusal NOT_FOUND, NO_SUBSCRIPTION, TIER_CHANGE_REFUSED, PREVIEW_EXPIRED, PAYMENT_REFUSED or PAYMENTS_UNAVAILABLE;
 * after the last, calling again finds out whether the change was made.
 */
export async function changeTier(
  call: BillingCall,
  { preview_id }: { preview_id: string },
): Promise<{ subscription: Subscription | null }> {
  const { billing: ctx, actor } = call;
  await ctx.runInUserQueue(actor.user_id, () =>
    orUnavailable(ctx.log, 'change tier', () => executeChange(ctx, actor.user_id, preview_id)),
  );
  return getSubscriptionDetails(call);
}

async function executeChange(ctx: BillingContext, userId: string, previewId: string): Promise<void> {
  const { db } = ctx;
  const [preview] = await db
    .select()
    .from(tier_change)
    .where(and(eq(tier_change.id, previewId), eq(tier_change.user_id, userId)));
  if (!preview) throw new Refusal('NOT_FOUND', { what: 'preview' });
  await ctx.reconcile(userId);
  if (preview.status === 'done') return;
  const row = await currentSubscription(ctx, userId);
  if (!row || isEnded(row.status)) throw new Refusal('NO_SUBSCRIPTION');
  // An earlier call crashed after Stripe changed the tier, or another window was faster.
  const reached = outcomeOf(preview, row);
  if (reached) return setStatus(ctx, preview, reached);

  const isCurrent =
    preview.stripe_subscription_id === row.stripe_subscription_id &&
    preview.from_price_id === row.stripe_price_id &&
    elapsedMs(preview.created_at, ctx.now()) < PREVIEW_MINUTES * MINUTE;
  // An approval that is no longer open was withdrawn, or has expired.
  const isOver = preview.status === 'refused' || preview.status === 'approval';
  if (!isCurrent || isOver) throw new Refusal('PREVIEW_EXPIRED');
  const reason = tierChangeObstacle(standingOf(row, ctx.now()), row, preview.to_tier);
  if (reason) throw new Refusal('TIER_CHANGE_REFUSED', { reason });
  if (preview.status === 'shown' && !(await claimChange(ctx, preview))) return;
  try {
    await (preview.kind === 'at_once' ? changeNow : scheduleChange)(ctx, preview, row);
  } catch (error) {
    if (isUnpaid(error) || isFinal(error)) await setStatus(ctx, preview, 'refused');
    if (isUnpaid(error)) throw new Refusal('PAYMENT_REFUSED');
    // The new price was archived since the preview: the next preview finds or makes one that can be sold.
    if (isRefused(error) && (await repairPrice(ctx, preview.to_price_id)))
      throw new Refusal('PREVIEW_EXPIRED');
    throw error;
  }
  await ctx.reconcile(userId);
  const after = await currentSubscription(ctx, userId);
  await setStatus(ctx, preview, (after && outcomeOf(preview, after)) ?? 'done');
}

function outcomeOf(change: TierChange, row: StoredSubscription): 'done' | 'approval' | null {
  if (hasTakenEffect(change, row)) return 'done';
  const isSame = change.stripe_subscription_id === row.stripe_subscription_id;
  return isSame && row.approval_tier === change.to_tier ? 'approval' : null;
}

function hasTakenEffect(change: TierChange, row: StoredSubscription): boolean {
  if (change.stripe_subscription_id !== row.stripe_subscription_id) return false;
  return row.stripe_price_id === change.to_price_id || row.pending_tier === change.to_tier;
}

/**
 * Claims the one change a user can make at a time; false if this change was already made elsewhere. Takes reconcile's lock,
 * so a faster window either still has its claim, or our copy already shows its new price.
 */
async function claimChange({ db, now }: BillingContext, change: TierChange): Promise<boolean> {
  const { id, user_id, stripe_subscription_id, from_price_id } = change;
  const underWay = new Refusal('TIER_CHANGE_REFUSED', { reason: 'change_under_way' });
  return refusing({ tier_change_one_asked: underWay }, () =>
    db.transaction(async (tx) => {
      const row = await lockSubscription(tx, { user_id, stripe_subscription_id });
      if (row && outcomeOf(change, row)) return false;
      // Stripe would void the charge of a change during a pause.
      if (row && (await openPause(tx, row))) throw new Refusal('TIER_CHANGE_REFUSED', { reason: 'paused' });
      const isUnchanged =
        row?.stripe_price_id === from_price_id && row.pending_tier === null && row.approval_tier === null;
      const claimed = isUnchanged
        ? await tx
            .update(tier_change)
            .set({ status: 'asked', asked_at: now() })
            .where(and(eq(tier_change.id, id), inArray(tier_change.status, ['shown', 'asked'])))
            .returning({ id: tier_change.id })
        : [];
      if (claimed.length === 0) throw new Refusal('PREVIEW_EXPIRED');
      return true;
    }),
  );
}

async function setStatus(
  { db }: BillingContext,
  { id }: TierChange,
  status: 'done' | 'approval' | 'refused',
): Promise<void> {
  await db.update(tier_change).set({ status }).where(eq(tier_change.id, id));
}

/**
 * Charges the amount shown and changes the price, or does neither (Stripe's error_if_incomplete). If the bank requires the
 * member's approval, Stripe holds the change and its invoice for a while (pending_if_incomplete): applied at the price
 * shown on approval, discarded otherwise.
 */
async function changeNow(ctx: BillingContext, change: TierChange, row: StoredSubscription): Promise<void> {
  const { stripe } = ctx;
  if (row.stripe_schedule_id) await releaseSchedule(ctx, row.stripe_schedule_id);
  // The key makes a request repeat what another process has done.
  const item = await pricedItem(ctx, row, change.to_price_id);
  const update = (
    payment_behavior: 'error_if_incomplete' | 'pending_if_incomplete',
    idempotencyKey: string,
  ) =>
    stripe.subscriptions.update(
      row.stripe_subscription_id,
      changeParams(
        {
          item: item.id,
          price: change.to_price_id,
          at: change.prorated_at,
        },
        payment_behavior,
      ),
      { idempotencyKey },
    );
  try {
    await update('error_if_incomplete', `tier:${change.id}`);
  } catch (error) {
    if (!needsApproval(error)) throw error;
    await update('pending_if_incomplete', `tier-approval:${change.id}`);
  }
}

async function scheduleChange(
  ctx: BillingContext,
  change: TierChange,
  row: StoredSubscription,
): Promise<void> {
  await schedulePrice(ctx, row, change.to_price_id, change.id);
}

/**
 * Settles a change that Stripe never answered, or that waited for the bank's approval, from our reconciled copy.
 * Throws Refusal TIER_CHANGE_REFUSED while the request may still be in progress.
 */
export async function settleUnansweredChange(ctx: BillingContext, userId: string): Promise<void> {
  const { db, now } = ctx;
  const [claimed] = await db
    .select()
    .from(tier_change)
    .where(and(eq(tier_change.user_id, userId), inArray(tier_change.status, ['asked', 'approval'])))
    .orderBy(desc(tier_change.asked_at))
    .limit(1);
  if (!claimed) return;
  const row = await currentSubscription(ctx, userId);
  const reached = row && outcomeOf(claimed, row);
  if (reached) return setStatus(ctx, claimed, reached);
  if (claimed.status === 'approval') return setStatus(ctx, claimed, 'refused');
  if (elapsedMs(claimed.asked_at ?? claimed.created_at, now()) < CHANGE_TIMEOUT_MINUTES * MINUTE) {
    throw new Refusal('TIER_CHANGE_REFUSED', { reason: 'change_under_way' });
  }
  await setStatus(ctx, claimed, 'refused');
}
