import { and, eq, inArray, notExists, or } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import {
  OPEN_PAUSES,
  type PauseObstacle,
  type PauseStatus,
  pauseStep,
  resumesAt,
} from '../../../domain/membership/pause.ts';
import { Refusal } from '../../../domain/refusal.ts';
import type { Db, Tx } from '../../db/client.ts';
import { billing_subscription, membership_pause } from '../../db/schema.ts';
import type { BillingContext } from '../billing-context.ts';
import { PAUSE_OVER, pauseParams } from '../request-params.ts';
import { isRefused } from '../stripe-errors.ts';
import type { StoredSubscription } from '../sync/local-state.ts';
import { currentSubscription } from './current-subscription.ts';
import { openPause } from './open-pause.ts';
import { releaseSchedule } from './schedule.ts';

export type Pause = typeof membership_pause.$inferSelect;

interface PauseDeps {
  db: Db | Tx;
  now(): Date;
}

const BATCH = 200;
/** A request, and what became of it. */
const MAX_ROUNDS = 3;

/** Throws Refusal PAUSE_REFUSED. */
export function refusePause(reason: PauseObstacle): never {
  throw new Refusal('PAUSE_REFUSED', { reason });
}

/** Pauses with something to do now, by our own copy, oldest first. */
export async function pausesToCarryOut({ db, now }: BillingContext): Promise<Pause[]> {
  const open = alias(membership_pause, 'open_pause');
  const s = billing_subscription;
  const rows = await db
    .select({ pause: membership_pause, subscription: s })
    .from(membership_pause)
    .leftJoin(s, eq(s.stripe_subscription_id, membership_pause.stripe_subscription_id))
    .where(
      or(
        inArray(membership_pause.status, OPEN_PAUSES),
        // A late request still set it, and no other pause needs it.
        and(
          inArray(membership_pause.status, ['withdrawn', 'refused']),
          eq(s.paused_until, membership_pause.ends_at),
          notExists(
            db
              .select({ id: open.id })
              .from(open)
              .where(and(eq(open.user_id, membership_pause.user_id), inArray(open.status, OPEN_PAUSES))),
          ),
        ),
      ),
    )
    .orderBy(membership_pause.created_at);
  return rows
    .filter(({ pause, subscription }) => pauseStep(pause, subscription, now()) !== 'wait')
    .map(({ pause }) => pause)
    .slice(0, BATCH);
}

/**
 * Makes the next steps of a pause until it waits or is settled, each from a fresh copy of the subscription. Safe to repeat:
 * a request sets a state. Returns the status it has come to. Throws Stripe's errors, after noting a refusal.
 */
export async function carryOutPause(ctx: BillingContext, pause: Pause): Promise<PauseStatus> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    await ctx.reconcile(pause.user_id);
    const current = await currentSubscription(ctx, pause.user_id);
    const row = current?.stripe_subscription_id === pause.stripe_subscription_id ? current : null;
    const step = pauseStep(pause, row, ctx.now());
    if (step === 'wait') break;
    if (step === 'request' && row) await request(ctx, pause, row);
    else if (step === 'clear') await clear(ctx, pause);
    else if (step !== 'request') {
      await settle(ctx, pause, step);
      return step;
    }
  }
  return pause.status;
}

/** The outcome of a pause that the sweeper has not noted yet; null while it continues. */
function hasCome(pause: Pause, row: StoredSubscription, now: Date): PauseStatus | null {
  const step = pauseStep(pause, row, now);
  return step === 'request' || step === 'clear' || step === 'wait' || step === 'set' ? null : step;
}

/** Whether a pause requested here continues, including what the sweeper has not noted yet. */
export async function hasOpenPause({ db, now }: PauseDeps, row: StoredSubscription): Promise<boolean> {
  const pause = await openPause(db, row);
  return pause !== null && hasCome(pause, row, now()) === null;
}

/** The open pause. One that has ended, and that the sweeper has not come to yet, is settled and no longer open. */
export async function openPauseNow(ctx: PauseDeps, row: StoredSubscription): Promise<Pause | null> {
  const pause = await openPause(ctx.db, row);
  if (!pause) return null;
  const status = hasCome(pause, row, ctx.now());
  if (status) await settle(ctx, pause, status);
  return status ? null : pause;
}

async function request(ctx: BillingContext, pause: Pause, row: StoredSubscription): Promise<void> {
  // Of a move to another price, which the sweeper schedules again after the pause.
  if (row.stripe_schedule_id) await releaseSchedule(ctx, row.stripe_schedule_id);
  try {
    const params = pauseParams(resumesAt(pause.ends_at));
    await ctx.stripe.subscriptions.update(pause.stripe_subscription_id, params);
  } catch (error) {
    if (isRefused(error)) await settle(ctx, pause, 'refused');
    throw error;
  }
}

async function clear(ctx: BillingContext, pause: Pause): Promise<void> {
  await ctx.stripe.subscriptions.update(pause.stripe_subscription_id, PAUSE_OVER);
}

/** Changes the pause, unless another process was faster. */
export async function settle({ db, now }: PauseDeps, { id, status }: Pause, to: PauseStatus): Promise<void> {
  await db
    .update(membership_pause)
    .set({ status: to, settled_at: to === 'set' ? null : now() })
    .where(and(eq(membership_pause.id, id), eq(membership_pause.status, status)));
}
