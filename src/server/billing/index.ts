import type { Tx } from '../db/client.ts';
import { type CanceledBilling, cancelEverything, closeBillingRows } from './account-closure.ts';
import { type CheckoutInput, closeOpenCheckout, createCheckout } from './checkout/checkout.ts';
import type { BillingContext, BillingDeps, LocalStatus } from './context.ts';
import { createCoalescedRunner, createPerUserQueue } from './per-user-queue.ts';
import { replayEvents } from './replay-events.ts';
import { orUnavailable } from './stripe-errors.ts';
import { openCardPage, openInvoicePage, paymentsOf } from './subscription/payment-pages.ts';
import { cancelAtPeriodEnd, keepTier, resume, subscriptionDetails } from './subscription/subscription.ts';
import { changeTier } from './subscription/tier-change.ts';
import { previewTier } from './subscription/tier-preview.ts';
import { sweep } from './sweeper.ts';
import { reconcile } from './sync/reconcile.ts';
import { handleWebhook } from './webhook.ts';

export type { BillingDeps, BillingNotice, LocalStatus } from './context.ts';
export { API_VERSION, createStripe } from './stripe-client.ts';
export type { SweepReport } from './sweeper.ts';
export { WEBHOOK_EVENTS } from './webhook.ts';

export type Billing = ReturnType<typeof createBilling>;

/**
 * Everything that others may ask of billing. User ids come from the session, never from a body. What each
 * verb throws stands with it in its own file; Stripe's own errors never leave here.
 */
export function createBilling(deps: BillingDeps) {
  const context: BillingContext = {
    ...deps,
    converge: createCoalescedRunner((userId) => reconcile(deps, userId)),
    inCheckoutOrder: createPerUserQueue(),
  };
  return {
    createCheckout: (userId: string, wish: CheckoutInput) => createCheckout(context, userId, wish),
    closeOpenCheckout: (userId: string) => closeOpenCheckout(context, userId),
    /**
     * Converges the user with Stripe. 'updated' when that changed something here.
     * Throws Refusal PAYMENTS_UNAVAILABLE.
     */
    async verify(userId: string): Promise<{ status: 'updated' | 'unchanged'; localStatus: LocalStatus }> {
      const { changed, localStatus } = await orUnavailable(deps.log, 'verify', () =>
        context.converge(userId),
      );
      return { status: changed ? 'updated' : 'unchanged', localStatus };
    },
    subscriptionDetails: (userId: string) => subscriptionDetails(context, userId),
    cancelAtPeriodEnd: (userId: string) => cancelAtPeriodEnd(context, userId),
    endNow: (userId: string) => cancelEverything(context, userId),
    layToRest: (tx: Tx, userId: string, ended: CanceledBilling) =>
      closeBillingRows(context, tx, userId, ended),
    resume: (userId: string) => resume(context, userId),
    previewTier: (userId: string, tier: string) => previewTier(context, userId, tier),
    changeTier: (userId: string, previewId: string) => changeTier(context, userId, previewId),
    keepTier: (userId: string) => keepTier(context, userId),
    paymentsOf: (userId: string) => paymentsOf(context, userId),
    openInvoicePage: (userId: string, invoice?: string) => openInvoicePage(context, userId, invoice),
    openCardPage: (userId: string) => openCardPage(context, userId),
    handleWebhook: (rawBody: string, signature: string | undefined) =>
      handleWebhook(context, rawBody, signature),
    sweep: () => sweep(context),
    replayEvents: (since: Date | null) => replayEvents(context, since),
  };
}
