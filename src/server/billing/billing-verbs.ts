import { Refusal } from '../../contract/refusals.ts';
import type { PauseMonths } from '../../domain/membership/pause.ts';
import type { LeavingReason } from '../../domain/reports/leaving-reason.ts';
import { type AuditContext, recordAudit } from '../audit/record-audit.ts';
import type { Db } from '../db/client.ts';
import type { Actor } from '../platform/actor.ts';
import { userOfMember } from '../pours/member-user.ts';
import type { RefundDraft } from './acts/ask-refund.ts';
import type { EndDraft } from './acts/end-by-staff.ts';
import type { Billing } from './index.ts';

interface Ctx {
  actor: Actor;
  billing: Billing;
}

interface OfficeCtx extends Ctx, AuditContext {
  actor: Actor;
  db: Db;
}

async function pauseAfter({ billing }: OfficeCtx, user_id: string) {
  return { pause: (await billing.getSubscriptionDetails(user_id))?.pause ?? null };
}

/** Billing verbs for the router: the user comes from the session, never from a body, except where staff act on a member. */
export const billing = {
  checkPayments: ({ billing }: Ctx) => billing.checkStripe(),
  planPayments: ({ billing }: Ctx) => billing.planStripe(),
  setUpPayments: ({ billing, actor }: Ctx, input: { plan: string }) => billing.setUpByStaff(actor, input),
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
  getPause: ({ billing, actor }: Ctx) => billing.getPause(actor.user_id),
  pause: async ({ billing, actor }: Ctx, { months }: { months: PauseMonths }) => ({
    subscription: await billing.pause(actor.user_id, months),
  }),
  endPause: async ({ billing, actor }: Ctx, { amount }: { amount: number }) => ({
    subscription: await billing.endPause(actor.user_id, amount),
  }),
  async pauseForMember(ctx: OfficeCtx, input: { customer_id: string; months: PauseMonths }) {
    const { customer_id, months } = input;
    const subject_id = await userOfMember(ctx.db, customer_id);
    await ctx.billing.pauseForMember(subject_id, months, (tx) =>
      recordAudit(tx, ctx, { act: 'membership_paused', subject_id, facts: { months } }),
    );
    return pauseAfter(ctx, subject_id);
  },
  async withdrawPause(ctx: OfficeCtx, { customer_id }: { customer_id: string }) {
    const subject_id = await userOfMember(ctx.db, customer_id);
    await ctx.billing.withdrawPause(subject_id, (tx) =>
      recordAudit(tx, ctx, { act: 'pause_withdrawn', subject_id, facts: {} }),
    );
    return pauseAfter(ctx, subject_id);
  },
  getEnd: async (ctx: OfficeCtx, { customer_id }: { customer_id: string }) =>
    ctx.billing.getEndOffer(await userOfMember(ctx.db, customer_id)),
  end: ({ billing, actor }: Ctx, draft: EndDraft) => billing.endForMember(actor, draft),
  keep: ({ billing, actor }: Ctx, of: { customer_id: string }) => billing.keepForMember(actor, of),
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
