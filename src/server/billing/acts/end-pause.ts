import type { Subscription } from '../../../contract/functions.ts';
import { Refusal } from '../../../contract/refusals.ts';
import { PAUSE_LEAD_MINUTES } from '../../../domain/membership/pause.ts';
import { returnCents } from '../../../domain/membership/upcoming-charges.ts';
import { endsAt, isEnded, isPausedAt } from '../../../domain/standing.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import type { Tx } from '../../db/client.ts';
import { and, eq } from '../../db/orm.ts';
import { billing_act } from '../../db/schema.ts';
import { userOfMember } from '../../pours/member-user.ts';
import type { BillingCall, BillingContext } from '../billing-context.ts';
import { withKey } from '../idempotency-key.ts';
import { assertPaymentsOn } from '../payments-off.ts';
import { COME_BACK } from '../request-params.ts';
import { changeAct, openPause, type PauseAct } from '../state/acts.ts';
import { currentSubscription } from '../state/current-subscription.ts';
import type { StoredSubscription } from '../state/local-state.ts';
import { previewMonth } from '../state/previews.ts';
import { isUnpaid, orUnavailable } from '../stripe-errors.ts';
import { releaseSchedule } from '../subscription/schedule.ts';
import { getSubscriptionDetails } from '../subscription/subscription.ts';
import { readPause } from './pause.ts';
import { refusePause } from './refuse-pause.ts';
import { endPauseAtVenue } from './venue-pause.ts';

const MINUTE = 60_000;

/**
 * Ends a pause. A pause that has not begun is withdrawn, and the membership renews as before. From one that has, the member
 * comes back now: Stripe charges a whole month at once, the `amount` in cents shown to the member, and the membership
 * renews on that day of the month from then on (docs/rules/membership.md, "Pausing"). While a payment that takes days, such
 * as a bank debit, is under way, the membership stays paused. A repeated call charges nothing more.
 * Throws Refusal NO_SUBSCRIPTION, PAUSE_REFUSED, PREVIEW_EXPIRED, PAYMENT_REFUSED or PAYMENTS_UNAVAILABLE.
 */
export async function endPause(
  call: BillingCall,
  { amount }: { amount: number },
): Promise<{ subscription: Subscription | null }> {
  const { billing: ctx, actor } = call;
  if (await endPauseAtVenue(ctx, { user_id: actor.user_id, staff: null }))
    return getSubscriptionDetails(call);
  assertPaymentsOn(ctx);
  await endOpenPause(ctx, actor.user_id, (pause, row) => comeBack(ctx, pause, row, amount));
  return getSubscriptionDetails(call);
}

/**
 * Withdraws a pause that has not begun, for the member. Once it has begun, only members themselves can come back, because
 * that charges them; at the venue, staff bring them back, too. Throws Refusal NOT_FOUND, NO_SUBSCRIPTION, PAUSE_REFUSED or PAYMENTS_UNAVAILABLE.
 */
export async function withdrawPause(
  { billing: ctx, actor }: BillingCall,
  { customer_id }: { customer_id: string },
): Promise<{ pause: Subscription['pause'] }> {
  const subject_id = await userOfMember(ctx.db, customer_id);
  if (await endPauseAtVenue(ctx, { user_id: subject_id, staff: actor })) return readPause(ctx, subject_id);
  assertPaymentsOn(ctx);
  const audit = (tx: Tx) =>
    recordAudit(tx, { ...ctx, actor }, { act: 'pause_withdrawn', subject_id, facts: {} });
  await endOpenPause(ctx, subject_id, async () => refusePause('paused'), audit);
  return readPause(ctx, subject_id);
}

async function endOpenPause(
  ctx: BillingContext,
  userId: string,
  afterBegin: (pause: PauseAct, row: StoredSubscription) => Promise<void>,
  audit?: (tx: Tx) => Promise<void>,
): Promise<void> {
  await ctx.runInUserQueue(userId, () =>
    orUnavailable(ctx.log, 'end pause', async () => {
      await ctx.reconcile(userId);
      const row = await currentSubscription(ctx, userId);
      if (!row || isEnded(row.status)) throw new Refusal('NO_SUBSCRIPTION');
      const pause = await openPause(ctx.db, row);
      if (!pause) {
        // A pause made at Stripe is ended there; without any pause, an earlier call has ended it.
        if (row.paused_from) refusePause('not_offered');
        return;
      }
      if (isPausedAt(row, ctx.now())) return afterBegin(pause, row);
      if (pause.state !== 'withdrawing') await markWithdrawn(ctx, pause, audit);
      await ctx.reconcile(userId);
      if (await openPause(ctx.db, row)) throw new Refusal('PAYMENTS_UNAVAILABLE');
    }),
  );
}

async function markWithdrawn(
  ctx: BillingContext,
  pause: PauseAct,
  audit?: (tx: Tx) => Promise<void>,
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    if (await changeAct({ ...ctx, db: tx }, pause, 'withdrawing', { due: ctx.now() })) await audit?.(tx);
  });
}

async function comeBack(
  ctx: BillingContext,
  pause: PauseAct,
  row: StoredSubscription,
  amount: number,
): Promise<void> {
  if (endsAt(row)) refusePause('ending');
  const { paused_until } = row;
  if (paused_until && ctx.now().getTime() >= paused_until.getTime() - PAUSE_LEAD_MINUTES * MINUTE) {
    refusePause('renewing');
  }
  // Stripe forgets an idempotency key after a day, and a bank debit takes longer.
  if ((await newestInvoice(ctx, row)) === 'open') return;
  if ((await returnCharge(ctx, row)) > amount) throw new Refusal('PREVIEW_EXPIRED');
  if (row.stripe_schedule_id) await releaseSchedule(ctx, row.stripe_schedule_id);
  try {
    await withKey(ctx, `return:${pause.id}:${pause.terms.declined_returns}`, (options) =>
      ctx.stripe.subscriptions.update(row.stripe_subscription_id, COME_BACK, options),
    );
  } catch (error) {
    if (isUnpaid(error)) throw new Refusal('PAYMENT_REFUSED');
    throw error;
  }
  await ctx.reconcile(pause.user_id);
  const after = await currentSubscription(ctx, pause.user_id);
  if (after && !isPausedAt(after, ctx.now())) return;
  const status = await newestInvoice(ctx, row);
  if (status === 'void' || status === 'uncollectible') await refuseReturn(ctx, pause);
}

/** The status of a subscription's newest invoice, which is open while a payment is under way. */
export async function newestInvoice(
  { stripe }: BillingContext,
  { stripe_subscription_id }: StoredSubscription,
) {
  const { data } = await stripe.invoices.list({ subscription: stripe_subscription_id, limit: 1 });
  return data[0]?.status;
}

/** The charge for coming back now, in cents; Stripe is asked if it differs from the price. */
async function returnCharge(ctx: BillingContext, row: StoredSubscription): Promise<number> {
  if (!row.preview) return returnCents(row);
  const of = { id: row.stripe_subscription_id, tax_behavior: row.tax_behavior };
  return (await previewMonth(ctx, of, { billing_cycle_anchor: { type: 'now' } })).due_cents;
}

/**
 * Refuses a return whose invoice was voided or written off at Stripe. Stripe repeats its answer to the same key, even a
 * success, so the next attempt needs another key.
 */
async function refuseReturn({ db }: BillingContext, { id, terms }: PauseAct): Promise<never> {
  await db
    .update(billing_act)
    .set({ terms: { ...terms, declined_returns: terms.declined_returns + 1 } })
    .where(and(eq(billing_act.id, id), eq(billing_act.terms, terms)));
  throw new Refusal('PAYMENT_REFUSED');
}
