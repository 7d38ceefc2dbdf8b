import { eq } from 'drizzle-orm';
import { billing_customer, checkout_attempt, stripe_event } from '../db/schema.ts';
import type { BillingContext } from './billing-context.ts';
import { closeAttempt, settleAttempt } from './checkout/checkout-attempts.ts';
import { sendProfile } from './customer.ts';
import { carryOutEnd, endsToCarryOut } from './ends/carry-out-end.ts';
import { endAtVenue, venueEndsDue } from './ends/venue-ends.ts';
import { forgetAddresses, giftsToSend, sendGift } from './gifts/deliver-gifts.ts';
import { giftsToRemind, remindOfGiftEnd } from './gifts/gift-reminders.ts';
import { carryOutMove, movesToCarryOut } from './price-moves/carry-out.ts';
import { carryOutPause, pausesToCarryOut } from './subscription/pause-steps.ts';
import {
  attemptsToSettle,
  deleteLostOrders,
  eventsToRetry,
  profilesToSend,
  usersToReconcile,
} from './sweep-lists.ts';
import { retryEvent } from './webhook.ts';

/** How many of each were processed; `failures` of them are left for a later sweep. */
export interface SweepReport {
  attempts: number;
  events: number;
  members: number;
  profiles: number;
  /** To another price. */
  moves: number;
  pauses: number;
  /** Of memberships, by staff. */
  ends: number;
  /** Emails of gifts, and of their end. */
  gifts: number;
  failures: number;
}

/**
 * Catches up on what no webhook reported and what failed earlier: checkout attempts that were paid or expired,
 * stored events that were not processed, subscriptions due for a check, open reversals and refunds, names and emails that
 * Stripe was not given yet, moves to another price, pauses, memberships that staff ended, and gifts. Each item is marked as tried before the work. Safe to run beside
 * another sweep; one item's failure
 * never stops the others.
 */
export async function sweep(ctx: BillingContext): Promise<SweepReport> {
  const { db, now } = ctx;
  const report: SweepReport = {
    attempts: 0,
    events: 0,
    members: 0,
    profiles: 0,
    moves: 0,
    pauses: 0,
    ends: 0,
    gifts: 0,
    failures: 0,
  };
  const each = async <T>(items: T[], count: keyof SweepReport, work: (item: T) => Promise<boolean>) => {
    for (const item of items) {
      report[count] += 1;
      try {
        if (!(await work(item))) report.failures += 1;
      } catch (error) {
        report.failures += 1;
        ctx.log.error({ err: error, kind: count }, 'Sweep failed for an item; a later sweep retries it');
      }
    }
  };
  const tryUser = (userId: string) =>
    db.update(billing_customer).set({ tried_at: now() }).where(eq(billing_customer.user_id, userId));

  await each(await attemptsToSettle(ctx), 'attempts', async ({ attempt, isPending }) => {
    await db.update(checkout_attempt).set({ tried_at: now() }).where(eq(checkout_attempt.id, attempt.id));
    return ctx.runInUserQueue(attempt.user_id, async () => {
      await (isPending ? settleAttempt(ctx, attempt) : closeAttempt(ctx, attempt));
      return true;
    });
  });
  await each(await eventsToRetry(ctx), 'events', async (event) => {
    await db.update(stripe_event).set({ tried_at: now() }).where(eq(stripe_event.id, event.id));
    return retryEvent(ctx, event);
  });
  await each(await usersToReconcile(ctx), 'members', async (userId) => {
    await tryUser(userId);
    const { hasOpenReversals, hasOpenRefunds } = await ctx.reconcile(userId);
    return !hasOpenReversals && !hasOpenRefunds;
  });
  await each(await profilesToSend(ctx), 'profiles', async (userId) => {
    await tryUser(userId);
    await sendProfile(ctx, userId);
    return true;
  });
  await each(await movesToCarryOut(ctx), 'moves', async (move) => {
    await tryUser(move.user_id);
    return ctx.runInUserQueue(move.user_id, async () => {
      await carryOutMove(ctx, move);
      return true;
    });
  });
  await each(await pausesToCarryOut(ctx), 'pauses', async (pause) => {
    await tryUser(pause.user_id);
    return ctx.runInUserQueue(pause.user_id, async () => {
      await carryOutPause(ctx, pause);
      return true;
    });
  });
  await each(await endsToCarryOut(ctx), 'ends', async (one) => {
    await tryUser(one.user_id);
    return ctx.runInUserQueue(one.user_id, async () => {
      await carryOutEnd(ctx, one);
      return true;
    });
  });
  await each(await venueEndsDue(ctx), 'ends', async (one) => {
    await endAtVenue(ctx, one);
    return true;
  });
  await each(await giftsToSend(ctx), 'gifts', async (id) => {
    await sendGift(ctx, id);
    return true;
  });
  await each(await giftsToRemind(ctx), 'gifts', async (id) => {
    await remindOfGiftEnd(ctx, id);
    return true;
  });
  await forgetAddresses(ctx);
  await deleteLostOrders(ctx);
  return report;
}
