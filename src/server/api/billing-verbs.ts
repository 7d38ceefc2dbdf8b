import { Refusal } from '../../domain/refusal.ts';
import type { LeavingReason } from '../../domain/reports/leaving-reason.ts';
import type { Billing } from '../billing/index.ts';
import type { RefundDraft } from '../billing/refunds/ask-refund.ts';
import type { Actor } from '../platform/actor.ts';

interface Ctx {
  actor: Actor;
  billing: Billing;
}

/**
 * Billing as the router's verbs: the user comes from the session, never from a body, but where staff act on a member.
 */
export const billing = {
  checkPayments: ({ billing }: Ctx) => billing.checkStripe(),
  previewTier: ({ billing, actor }: Ctx, input: { tier: string }) =>
    billing.previewTier(actor.user_id, input.tier),
  changeTier: async ({ billing, actor }: Ctx, input: { preview_id: string }) => ({
    subscription: await billing.changeTier(actor.user_id, input.preview_id),
  }),
  cancelTierChange: async ({ billing, actor }: Ctx) => ({
    subscription: await billing.cancelTierChange(actor.user_id),
  }),
  resumeSubscription: async ({ billing, actor }: Ctx) => ({
    subscription: await billing.resumeSubscription(actor.user_id),
  }),
  updatePaymentMethod: ({ billing, actor }: Ctx) => billing.openPaymentMethodPage(actor.user_id),
  openInvoice: ({ billing, actor }: Ctx, input: { invoice_id?: string }) =>
    billing.openInvoicePage(actor.user_id, input.invoice_id),
  listPayments: ({ billing, actor }: Ctx) => billing.listPayments(actor.user_id),
  giveRefund: ({ billing, actor }: Ctx, draft: RefundDraft) => billing.giveRefund(actor, draft),
  verifySubscriptionStatus: ({ billing, actor }: Ctx) => billing.reconcile(actor.user_id),
  getSubscriptionDetails: async ({ billing, actor }: Ctx) => ({
    subscription: await billing.getSubscriptionDetails(actor.user_id),
  }),
  cancelSubscription: ({ billing, actor }: Ctx, { reason }: { reason?: LeavingReason | undefined }) =>
    billing.cancelSubscription(actor.user_id, reason),
  createCheckout: (
    { billing, actor }: Ctx,
    { userId, ...input }: { userId?: string } & Parameters<Billing['createCheckout']>[1],
  ) => {
    // A body that names another user is refused, not corrected.
    if (userId && userId !== actor.user_id) throw new Refusal('NOT_ALLOWED');
    return billing.createCheckout(actor.user_id, input);
  },
};
