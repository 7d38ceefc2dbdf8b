import { eq, sql } from '../../db/orm.ts';
import { billing_customer, checkout_attempt, stripe_event } from '../../db/schema.ts';
import { endAtVenue, venueEndsDue } from '../acts/venue-ends.ts';
import { beginDueTier, venueTiersDue } from '../acts/venue-tier.ts';
import type { BillingContext } from '../billing-context.ts';
import { closeAttempt, settleAttempt } from '../checkout/checkout-attempts.ts';
import { sendProfile } from '../customers/customer.ts';
import {
  forgetAddresses,
  giftsToRemind,
  giftsToSend,
  remindOfGiftEnd,
  sendGift,
} from '../gifts/deliver-gifts.ts';
import { duesToRemind, endsToRemind, remindOfDues, remindOfEnd } from '../notices/dues-reminders.ts';
import {
  attemptsToSettle,
  deleteLostOrders,
  eventsToRetry,
  profilesToSend,
  usersToReconcile,
} from './sweep-lists.ts';
import { processEvent } from './webhook.ts';

/** How many of each were processed; `failures` are left for a later sweep. */
export interface SweepReport {
  attempts: number;
  events: number;
  members: number;
  profiles: number;
  /** Ends of memberships at the venue. */
  ends: number;
  /** Other tiers at the venue that begin. */
  tiers: number;
  /** Emails about dues, and about ends of memberships at the venue. */
  dues: number;
  /** Emails for gifts, and reminders that they end. */
  gifts: number;
  failures: number;
}

/**
 * Catches up on what no webhook reported and what failed earlier: checkout attempts that were paid or expired, stored events
 * that were not processed, members with a due check or act or an open reversal or refund, names and emails that Stripe was
 * not given yet, memberships at the venue that end or get another tier, and emails of dues and gifts; deletes orders of gifts that cannot be paid. Work
 * that needs Stripe is marked as tried before it begins. Safe to run beside another sweep; one item's failure never stops
 * the others.
 */
export async function sweep(ctx: BillingContext): Promise<SweepReport> {
  const { db, now } = ctx;
  const report: SweepReport = {
    attempts: 0,
    events: 0,
    members: 0,
    profiles: 0,
    ends: 0,
    tiers: 0,
    dues: 0,
    gifts: 0,
    failures: 0,
  };
  /** Work that resolves to false has failed, and has logged why. */
  const each = async <T>(items: T[], count: keyof SweepReport, work: (item: T) => Promise<unknown>) => {
    for (const item of items) {
      report[count] += 1;
      try {
        if ((await work(item)) === false) report.failures += 1;
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
    await ctx.runInUserQueue<unknown>(attempt.user_id, () =>
      isPending ? settleAttempt(ctx, attempt) : closeAttempt(ctx, attempt),
    );
  });
  await each(await eventsToRetry(ctx), 'events', async (event) => {
    await db.update(stripe_event).set({ tried_at: now() }).where(eq(stripe_event.id, event.id));
    return processEvent(ctx, event);
  });
  await each(await usersToReconcile(ctx), 'members', async (userId) => {
    await tryUser(userId);
    return (await ctx.reconcile(userId)).open.length === 0;
  });
  await each(await profilesToSend(ctx), 'profiles', async (userId) => {
    await tryUser(userId);
    await sendProfile(ctx, userId);
  });
  // Paused members bring in nothing, in the reports.
  await db.execute(sql`select note_venue_pauses(${now().toISOString()}::timestamptz)`);
  await each(await venueEndsDue(ctx), 'ends', (one) => endAtVenue(ctx, one));
  await each(await venueTiersDue(ctx), 'tiers', (one) => beginDueTier(ctx, one));
  await each(await duesToRemind(ctx), 'dues', (one) => remindOfDues(ctx, one));
  await each(await endsToRemind(ctx), 'dues', (one) => remindOfEnd(ctx, one));
  await each(await giftsToSend(ctx), 'gifts', (id) => sendGift(ctx, id));
  await each(await giftsToRemind(ctx), 'gifts', (id) => remindOfGiftEnd(ctx, id));
  await forgetAddresses(ctx);
  await deleteLostOrders(ctx);
  return report;
}
