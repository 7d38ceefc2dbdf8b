import type { Tx } from '../db/client.ts';
import { type CanceledBilling, cancelEverything, closeBillingRows } from './account-closure.ts';
import type { BillingContext, BillingDeps, LocalStatus } from './billing-context.ts';
import { type CheckoutInput, closeOpenCheckout, createCheckout } from './checkout/checkout.ts';
import { sendReminders } from './notices/reminders.ts';
import { createCoalescedRunner, createPerUserQueue } from './per-user-queue.ts';
import { replayEvents } from './replay-events.ts';
import { checkStripe, setUpStripe } from './setup/set-up-stripe.ts';
import { orUnavailable } from './stripe-errors.ts';
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
import { handleWebhook } from './webhook.ts';

export type { BillingDeps, BillingNotice, LocalStatus } from './billing-context.ts';
export { createStripe } from './stripe-client.ts';

export type Billing = ReturnType<typeof createBilling>;

/**
 * Billing as the rest of the server sees it. User ids come from the session, never from a request's body. Each
 * verb's own file says what it throws; Stripe's errors never leave this folder.
 */
export function createBilling(deps: BillingDeps) {
  const ctx: BillingContext = {
    ...deps,
    reconcile: createCoalescedRunner((userId) => reconcile(deps, userId)),
    runInUserQueue: createPerUserQueue(),
  };
  return {
    createCheckout: (userId: string, input: CheckoutInput) => createCheckout(ctx, userId, input),
    closeOpenCheckout: (userId: string) => closeOpenCheckout(ctx, userId),
    /**
     * Brings our copy of a user in line with Stripe; 'updated' if that changed it.
     * Throws Refusal PAYMENTS_UNAVAILABLE.
     */
    async reconcile(userId: string): Promise<{ status: 'updated' | 'unchanged'; localStatus: LocalStatus }> {
      const { changed, localStatus } = await orUnavailable(deps.log, 'reconcile', () =>
        ctx.reconcile(userId),
      );
      return { status: changed ? 'updated' : 'unchanged', localStatus };
    },
    getSubscriptionDetails: (userId: string) => getSubscriptionDetails(ctx, userId),
    cancelSubscription: (userId: string) => cancelSubscription(ctx, userId),
    resumeSubscription: (userId: string) => resumeSubscription(ctx, userId),
    cancelEverything: (userId: string) => cancelEverything(ctx, userId),
    closeBillingRows: (tx: Tx, userId: string, canceled: CanceledBilling) =>
      closeBillingRows(ctx, tx, userId, canceled),
    previewTier: (userId: string, tier: string) => previewTier(ctx, userId, tier),
    changeTier: (userId: string, previewId: string) => changeTier(ctx, userId, previewId),
    cancelTierChange: (userId: string) => cancelTierChange(ctx, userId),
    listPayments: (userId: string) => listPayments(ctx, userId),
    openInvoicePage: (userId: string, invoice?: string) => openInvoicePage(ctx, userId, invoice),
    openPaymentMethodPage: (userId: string) => openPaymentMethodPage(ctx, userId),
    handleWebhook: (rawBody: string, signature: string | undefined) => handleWebhook(ctx, rawBody, signature),
    sweep: () => sweep(ctx),
    sendReminders: () => sendReminders(ctx),
    setUpStripe: () => setUpStripe(ctx),
    checkStripe: () => checkStripe(ctx),
    replayEvents: (since: Date | null) => replayEvents(ctx, since),
  };
}
