import type { PauseMonths } from '../../domain/membership/pause.ts';
import type { LeavingReason } from '../../domain/reports/leaving-reason.ts';
import type { Tx } from '../db/client.ts';
import type { Actor } from '../platform/actor.ts';
import { type CanceledBilling, cancelEverything, closeBillingRows } from './account-closure.ts';
import { leaveToMember } from './acts/acts.ts';
import { giveRefund, type RefundDraft } from './acts/ask-refund.ts';
import { type EndDraft, endForMember, keepForMember } from './acts/end-by-staff.ts';
import { getEndOffer } from './acts/end-offer.ts';
import { endPause, withdrawPause } from './acts/end-pause.ts';
import { getPauseOffer, pauseMembership } from './acts/pause.ts';
import { createAdoption } from './adoption/index.ts';
import { listUnknownSubscriptions } from './adoption/unknown-subscriptions.ts';
import { readBillingBacklog } from './billing-backlog.ts';
import type { BillingContext, BillingDeps, LocalStatus } from './billing-context.ts';
import {
  type CheckoutInput,
  type ClosedCheckout,
  closeOpenCheckout,
  createCheckout,
} from './checkout/checkout.ts';
import { giftVerbs } from './gifts/gift-verbs.ts';
import { fetchMissedEvents } from './missed-events.ts';
import { sendReminders } from './notices/reminders.ts';
import { assertPaymentsOn } from './payments-off.ts';
import { createCoalescedRunner, createPerUserQueue, type QueueDepth } from './per-user-queue.ts';
import { replayEvents } from './replay-events.ts';
import { setUpByStaff } from './setup/set-up-by-staff.ts';
import { checkStripe, planStripe, setUpStripe } from './setup/set-up-stripe.ts';
import { smokeStripe } from './smoke/smoke.ts';
import { orUnavailable } from './stripe-errors.ts';
import { noteLeavingReason } from './subscription/leaving-reason.ts';
import { listPayments, openInvoicePage, openPaymentMethodPage } from './subscription/payment-pages.ts';
import {
  cancelSubscription,
  cancelTierChange,
  getSubscriptionDetails,
  resumeSubscription,
} from './subscription/subscription.ts';
import { changeTier } from './subscription/tier-change.ts';
import { previewTier } from './subscription/tier-preview.ts';
import { sweep } from './sweeper.ts';
import { reconcile } from './sync/reconcile.ts';
import { PAYMENT_LIMITS, waitAtMost, withinLimit } from './time-limit.ts';
import { handleWebhook } from './webhook.ts';

export type { BillingDeps, BillingNotice, LocalStatus } from './billing-context.ts';
export { createStripe } from './stripe-client.ts';

export type Billing = ReturnType<typeof createBilling>;

/**
 * The verbs of billing. User ids come from the session, never from a body. Each verb's file says what it throws, never
 * Stripe's errors.
 */
export function createBilling(deps: BillingDeps) {
  const queue: QueueDepth = { pieces: 0 };
  const ctx: BillingContext = {
    ...deps,
    reconcile: createCoalescedRunner((userId) => reconcile(deps, userId), queue),
    runInUserQueue: createPerUserQueue(queue),
  };
  const { member_ms, staff_ms } = deps.limits ?? PAYMENT_LIMITS;
  const whenOn =
    <Args extends unknown[], T>(verb: (...args: Args) => Promise<T>) =>
    async (...args: Args): Promise<T> => {
      assertPaymentsOn(deps);
      return verb(...args);
    };
  const forMember = <T>(work: (limited: BillingContext) => Promise<T>) => withinLimit(ctx, member_ms, work);
  return {
    payments: deps.payments,
    /** Throws Refusal PAYMENTS_OFF. */
    assertOn: () => assertPaymentsOn(deps),
    createCheckout: (userId: string, input: CheckoutInput) =>
      forMember((limited) => createCheckout(limited, userId, input)),
    /** Staff wait only briefly. The page is closed anyway: in the background, or by the sweeper. */
    closeOpenCheckout: (userId: string): Promise<ClosedCheckout> =>
      waitAtMost(staff_ms, closeOpenCheckout(ctx, userId), () => ({ outcome: 'unreachable' })),
    /** 'updated' if a reconciliation changed our copy. Throws Refusal PAYMENTS_UNAVAILABLE. */
    async reconcile(userId: string): Promise<{ status: 'updated' | 'unchanged'; localStatus: LocalStatus }> {
      const { changed, localStatus } = await forMember((limited) =>
        orUnavailable(deps.log, 'reconcile', () => limited.reconcile(userId)),
      );
      return { status: changed ? 'updated' : 'unchanged', localStatus };
    },
    getSubscriptionDetails: (userId: string) => getSubscriptionDetails(ctx, userId),
    cancelSubscription: (userId: string, reason?: LeavingReason) =>
      forMember(async (limited) => {
        const canceled = await cancelSubscription(limited, userId);
        await leaveToMember(limited, userId);
        if (reason) await noteLeavingReason(limited, userId, reason);
        return canceled;
      }),
    resumeSubscription: whenOn((userId: string) =>
      forMember(async (limited) => {
        await leaveToMember(limited, userId);
        return resumeSubscription(limited, userId);
      }),
    ),
    getEndOffer: (userId: string) => getEndOffer(ctx, userId),
    endForMember: (actor: Actor, draft: EndDraft) => endForMember(ctx, staff_ms, actor, draft),
    keepForMember: (actor: Actor, of: { customer_id: string }) => keepForMember(ctx, staff_ms, actor, of),
    cancelEverything: (userId: string) => forMember((limited) => cancelEverything(limited, userId)),
    closeBillingRows: (tx: Tx, userId: string, canceled: CanceledBilling) =>
      closeBillingRows(ctx, tx, userId, canceled),
    previewTier: whenOn((userId: string, tier: string) =>
      forMember((limited) => previewTier(limited, userId, tier)),
    ),
    changeTier: whenOn((userId: string, previewId: string) =>
      forMember((limited) => changeTier(limited, userId, previewId)),
    ),
    cancelTierChange: whenOn((userId: string) => forMember((limited) => cancelTierChange(limited, userId))),
    getPause: (userId: string) => getPauseOffer(ctx, userId),
    pause: whenOn((userId: string, months: PauseMonths) =>
      forMember(async (limited) => {
        await pauseMembership(limited, userId, { months, asked_by: 'member' });
        return getSubscriptionDetails(limited, userId);
      }),
    ),
    endPause: whenOn((userId: string, amount: number) =>
      forMember(async (limited) => {
        await endPause(limited, userId, { amount });
        return getSubscriptionDetails(limited, userId);
      }),
    ),
    pauseForMember: whenOn((userId: string, months: PauseMonths, audit: (tx: Tx) => Promise<void>) =>
      withinLimit(ctx, staff_ms, (limited) =>
        pauseMembership(limited, userId, { months, asked_by: 'staff', audit }),
      ),
    ),
    withdrawPause: whenOn((userId: string, audit: (tx: Tx) => Promise<void>) =>
      withinLimit(ctx, staff_ms, (limited) => withdrawPause(limited, userId, audit)),
    ),
    listPayments: (userId: string) => listPayments(ctx, userId),
    /** Staff wait only briefly. The refund is made anyway: in the background, or by the sweeper. */
    giveRefund: whenOn((actor: Actor, draft: RefundDraft) => giveRefund(ctx, staff_ms, actor, draft)),
    openInvoicePage: whenOn((userId: string, invoice?: string) =>
      forMember((limited) => openInvoicePage(limited, userId, invoice)),
    ),
    openPaymentMethodPage: whenOn((userId: string) =>
      forMember((limited) => openPaymentMethodPage(limited, userId)),
    ),
    handleWebhook: (rawBody: string, signature: string | undefined) => handleWebhook(ctx, rawBody, signature),
    gifts: giftVerbs(ctx, deps.limits ?? PAYMENT_LIMITS),
    /** Work on users' billing that runs or waits in this process. */
    queueDepth: () => queue.pieces,
    readBacklog: () => readBillingBacklog(ctx.db),
    sweep: () => sweep(ctx),
    fetchMissedEvents: whenOn(() => fetchMissedEvents(ctx)),
    sendReminders: () => sendReminders(ctx),
    setUpStripe: whenOn(() => setUpStripe(ctx)),
    planStripe: whenOn(() => planStripe(ctx)),
    setUpByStaff: whenOn((actor: Actor, input: { plan: string }) => setUpByStaff(ctx, actor, input)),
    checkStripe: whenOn(() => checkStripe(ctx)),
    smokeStripe: whenOn(() => smokeStripe(ctx)),
    replayEvents: (since: Date | null) => replayEvents(ctx, since),
    listUnknownSubscriptions: whenOn(() => listUnknownSubscriptions(ctx)),
    adoption: createAdoption(ctx),
  };
}
