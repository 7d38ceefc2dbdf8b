import type { Subscription } from '../../../contract/functions.ts';
import { Refusal } from '../../../contract/refusals.ts';
import { isEnded, isPausedAt } from '../../../domain/standing.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import type { Tx } from '../../db/client.ts';
import { and, eq } from '../../db/orm.ts';
import { billing_act } from '../../db/schema.ts';
import { userOfMember } from '../../pours/member-user.ts';
import type { BillingCall, BillingContext } from '../billing-context.ts';
import { assertPaymentsOn } from '../payments-off.ts';
import { openPause, type PauseAct } from '../state/acts.ts';
import { currentSubscription, lockSubscription } from '../state/current-subscription.ts';
import type { StoredSubscription } from '../state/local-state.ts';
import { pauseExtension } from '../state/pause-possibility.ts';
import { orUnavailable } from '../stripe-errors.ts';
import { getSubscriptionDetails } from '../subscription/subscription.ts';
import { newestInvoice } from './end-pause.ts';
import { type PauseRequest, readPause } from './pause.ts';
import { refusePause } from './refuse-pause.ts';
import { extendAtVenue } from './venue-pause.ts';

type ExtensionRequest = Omit<PauseRequest, 'months'> & {
  /** The end of the pause as it was shown, in epoch seconds. */
  until: number;
};

/** Extends the member's own pause by a month. Throws what extendPause throws. */
export async function extendOwnPause(
  call: BillingCall,
  { until }: { until: number },
): Promise<{ subscription: Subscription | null }> {
  const { billing, actor } = call;
  const { user_id } = actor;
  if (!(await extendAtVenue(billing, { user_id, staff: null, until }))) {
    assertPaymentsOn(billing);
    await extendPause(billing, user_id, { until, asked_by: 'member' });
  }
  return getSubscriptionDetails(call);
}

/** Extends a member's pause by a month, for staff. Throws Refusal NOT_FOUND, and what extendPause throws. */
export async function extendPauseForMember(
  { billing, actor }: BillingCall,
  { customer_id, until }: { customer_id: string; until: number },
): Promise<{ pause: Subscription['pause'] }> {
  const subject_id = await userOfMember(billing.db, customer_id);
  if (await extendAtVenue(billing, { user_id: subject_id, staff: actor, until })) {
    return readPause(billing, subject_id);
  }
  assertPaymentsOn(billing);
  const audit = (tx: Tx, months: number) =>
    recordAudit(tx, { ...billing, actor }, { act: 'membership_paused', subject_id, facts: { months } });
  await extendPause(billing, subject_id, { until, asked_by: 'staff', audit });
  return readPause(billing, subject_id);
}

/**
 * Extends a pause by a month (docs/rules/membership.md, "Pausing"), committed before the request to Stripe, which the
 * sweeper repeats. A pause that no longer ends at `until` was extended by an earlier call: nothing changes. Throws Refusal
 * NO_SUBSCRIPTION, PAUSE_REFUSED or PAYMENTS_UNAVAILABLE.
 */
async function extendPause(ctx: BillingContext, userId: string, request: ExtensionRequest): Promise<void> {
  await ctx.runInUserQueue(userId, () =>
    orUnavailable(ctx.log, 'extend pause', async () => {
      await ctx.reconcile(userId);
      const row = await currentSubscription(ctx, userId);
      if (!row || isEnded(row.status)) throw new Refusal('NO_SUBSCRIPTION');
      // A payment for coming back would be followed by the rest of the pause.
      if (isPausedAt(row, ctx.now()) && (await newestInvoice(ctx, row)) === 'open')
        refusePause('payment_open');
      const { id, ends_at } = await storeExtension(ctx, row, request);
      await ctx.reconcile(userId);
      const [act] = await ctx.db.select().from(billing_act).where(eq(billing_act.id, id));
      if (act?.ends_at && act.ends_at < ends_at) refusePause('renewing');
      if (act?.state !== 'set') throw new Refusal('PAYMENTS_UNAVAILABLE');
    }),
  );
}

/** Commits the extension, under the lock that reconcile takes. Returns the pause with its new end. */
async function storeExtension(
  { db, now, rules }: BillingContext,
  { user_id, stripe_subscription_id }: StoredSubscription,
  { until, asked_by, audit }: ExtensionRequest,
): Promise<PauseAct> {
  return db.transaction(async (tx) => {
    const row = await lockSubscription(tx, { user_id, stripe_subscription_id });
    if (!row) throw new Refusal('NO_SUBSCRIPTION');
    const pause = await openPause(tx, row);
    if (!pause) refusePause('not_offered');
    if (pause.ends_at.getTime() > until * 1000) return pause;
    if (pause.state === 'asked') throw new Refusal('PAYMENTS_UNAVAILABLE');
    const extension = await pauseExtension({ db: tx, now, rules }, row, pause, asked_by);
    if ('obstacle' in extension) return refusePause(extension.obstacle);
    const { months } = extension;
    const extended_from = pause.ends_at.toISOString();
    const [extended] = await tx
      .update(billing_act)
      .set({
        state: 'asked',
        due: now(),
        ends_at: extension.until,
        terms: { ...pause.terms, months, extended_from },
      })
      .where(and(eq(billing_act.id, pause.id), eq(billing_act.state, 'set')))
      .returning();
    if (!extended) throw new Refusal('PAYMENTS_UNAVAILABLE');
    await audit?.(tx, months);
    return extended as PauseAct;
  });
}
