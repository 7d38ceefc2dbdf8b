import { and, eq, inArray, isNotNull, or } from 'drizzle-orm';
import { moveStep, type OpenMove } from '../../../domain/price-move.ts';
import { billing_subscription, price_move } from '../../db/schema.ts';
import type { BillingContext } from '../billing-context.ts';
import { withPrice } from '../catalog.ts';
import { currentSubscription } from '../subscription/current-subscription.ts';
import { releaseSchedule, schedulePrice } from '../subscription/schedule.ts';
import { syncVersion } from '../subscription/subscription.ts';

const BATCH = 200;

export type PriceMove = typeof price_move.$inferSelect;

const isOpen = (move: PriceMove): move is PriceMove & OpenMove =>
  move.status === 'announced' || move.status === 'scheduled';

/** Moves with something to do now, by our own copy, oldest first. */
export async function movesToCarryOut({ db }: BillingContext): Promise<PriceMove[]> {
  const rows = await db
    .select({ move: price_move, subscription: billing_subscription })
    .from(price_move)
    .leftJoin(
      billing_subscription,
      eq(billing_subscription.stripe_subscription_id, price_move.stripe_subscription_id),
    )
    .where(
      or(
        inArray(price_move.status, ['announced', 'scheduled']),
        // Withdrawn after Stripe had it.
        and(eq(price_move.status, 'canceled'), isNotNull(price_move.stripe_schedule_id)),
      ),
    )
    .orderBy(price_move.effective_at);
  return rows
    .filter(({ move, subscription }) => !isOpen(move) || moveStep(move, subscription) !== 'wait')
    .map(({ move }) => move)
    .slice(0, BATCH);
}

/**
 * Makes the next step of a move, from a fresh copy of the subscription. Safe to repeat: a schedule that exists is
 * completed, not made again. Throws Stripe's errors.
 */
export async function carryOutMove(ctx: BillingContext, move: PriceMove): Promise<void> {
  if (!isOpen(move)) return takeBack(ctx, move);
  const subscription = await subscriptionOf(ctx, move);
  const step = moveStep(move, subscription);
  if (step === 'done' || step === 'cancel') {
    // Whatever ended the move has taken the subscription off its schedule, or uses it for another change.
    const status = step === 'done' ? 'done' : 'canceled';
    await settle(ctx, move, { status, stripe_schedule_id: null });
  }
  if (step !== 'schedule') return;
  const { to_tier, to_amount_cents } = move;
  await withPrice(ctx, { tier_name: to_tier, amount_cents: to_amount_cents }, async (price) => {
    const isStillOpen = await settle(ctx, move, { to_price_id: price });
    // Read again: a price that Stripe refused has left a schedule behind.
    const row = await subscriptionOf(ctx, move);
    if (!isStillOpen || !row) return;
    const version = await syncVersion(ctx, move.user_id);
    const schedule = await schedulePrice(ctx, row, price, `move:${move.id}:${version}:${price}`);
    const isScheduled = await settle(ctx, move, { status: 'scheduled', stripe_schedule_id: schedule });
    // Withdrawn meanwhile: the next sweep takes it back.
    if (!isScheduled) await rememberSchedule(ctx, move, schedule);
  });
  await ctx.reconcile(move.user_id);
}

async function subscriptionOf(ctx: BillingContext, move: PriceMove) {
  await ctx.reconcile(move.user_id);
  const row = await currentSubscription(ctx, move.user_id);
  return row?.stripe_subscription_id === move.stripe_subscription_id ? row : null;
}

/** Changes a move while it is open; false if it is not any more. */
async function settle(
  { db }: BillingContext,
  { id }: PriceMove,
  changes: Partial<Pick<PriceMove, 'status' | 'to_price_id' | 'stripe_schedule_id'>>,
): Promise<boolean> {
  const updated = await db
    .update(price_move)
    .set(changes)
    .where(and(eq(price_move.id, id), inArray(price_move.status, ['announced', 'scheduled'])))
    .returning({ id: price_move.id });
  return updated.length > 0;
}

async function rememberSchedule({ db }: BillingContext, { id }: PriceMove, schedule: string | null) {
  await db.update(price_move).set({ stripe_schedule_id: schedule }).where(eq(price_move.id, id));
}

/** Takes a withdrawn move off the subscription, unless the schedule has become the member's own change of tier. */
async function takeBack(ctx: BillingContext, move: PriceMove): Promise<void> {
  const row = await subscriptionOf(ctx, move);
  const isOurs = row?.stripe_schedule_id === move.stripe_schedule_id && !row?.pending_tier;
  if (isOurs && move.stripe_schedule_id) await releaseSchedule(ctx, move.stripe_schedule_id);
  await rememberSchedule(ctx, move, null);
  await ctx.reconcile(move.user_id);
}
