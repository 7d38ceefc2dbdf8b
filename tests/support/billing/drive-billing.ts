import type { PauseMonths } from '../../../src/domain/membership/pause.ts';
import type { LeavingReason } from '../../../src/domain/reports/leaving-reason.ts';
import { billingCalls } from '../../../src/server/api/calls/billing-calls.ts';
import type { EndDraft } from '../../../src/server/billing/acts/end-by-staff.ts';
import { readEndOffer } from '../../../src/server/billing/acts/end-offer.ts';
import { pauseMembership } from '../../../src/server/billing/acts/pause.ts';
import type {
  BillingCall,
  BillingContext,
  PaymentLimits,
} from '../../../src/server/billing/billing-context.ts';
import { createPaymentPages } from '../../../src/server/billing/checkout/checkout.ts';
import { listUnknownSubscriptions } from '../../../src/server/billing/customers/unknown-subscriptions.ts';
import { sendReminders } from '../../../src/server/billing/notices/reminders.ts';
import { assertPaymentsOn } from '../../../src/server/billing/payments-off.ts';
import type { RefundDraft } from '../../../src/server/billing/refunds/give-refund.ts';
import { checkStripe, planStripe, setUpStripe } from '../../../src/server/billing/setup/set-up-stripe.ts';
import { setUpByStaff } from '../../../src/server/billing/smoke/set-up-by-staff.ts';
import { smokeStripe } from '../../../src/server/billing/smoke/smoke.ts';
import { readSubscription } from '../../../src/server/billing/subscription/subscription.ts';
import { withinLimit } from '../../../src/server/billing/time-limit.ts';
import {
  type CanceledBilling,
  cancelEverything,
  closeBillingRows,
} from '../../../src/server/billing/upkeep/account-closure.ts';
import { readBillingBacklog } from '../../../src/server/billing/upkeep/billing-backlog.ts';
import { fetchMissedEvents } from '../../../src/server/billing/upkeep/missed-events.ts';
import { replayEvents } from '../../../src/server/billing/upkeep/replay-events.ts';
import { sweep } from '../../../src/server/billing/upkeep/sweeper.ts';
import { handleWebhook } from '../../../src/server/billing/upkeep/webhook.ts';
import type { Tx } from '../../../src/server/db/client.ts';
import type { Actor } from '../../../src/server/platform/actor.ts';
import { memberOfUser } from '../../../src/server/pours/member-user.ts';

/** Lists payments for staff from the database of the call; every other row needs billing alone. */
type Rows = Omit<typeof billingCalls, 'refunds.listPayments'>;
type Input<Name extends keyof Rows> = Parameters<Rows[Name]['verb']>[1];
type Output<Name extends keyof Rows> = Awaited<ReturnType<Rows[Name]['verb']>>;
interface Row {
  verb(call: BillingCall, input: unknown): unknown;
  payments?: 'on';
  waits?: keyof PaymentLimits;
}

/** Makes a call without its policy: its row says whether payments must be on, and how long it waits for Stripe. */
async function makeCall<Name extends keyof Rows>(
  billing: BillingContext,
  name: Name,
  actor: Actor,
  input?: Input<Name>,
): Promise<Output<Name>> {
  const rows: Rows = billingCalls;
  const { verb, payments, waits }: Row = rows[name];
  if (payments) assertPaymentsOn(billing);
  if (!waits) return (await verb({ billing, actor }, input)) as Output<Name>;
  return (await withinLimit(billing, billing.limits[waits], async (limited) =>
    verb({ billing: limited, actor }, input),
  )) as Output<Name>;
}

export type Billing = ReturnType<typeof driveBilling>;

/** Billing as tests of one venue drive it: calls by user id, and the tasks of a server. */
export function driveBilling(billing: BillingContext) {
  const of = <Name extends keyof Rows>(user: string, name: Name, input?: Input<Name>) =>
    makeCall(billing, name, { user_id: user, role: 'customer' }, input);
  const pages = createPaymentPages(billing);
  return {
    ...billing,
    paymentPages: pages,
    createCheckout: pages.open,
    closeOpenCheckout: pages.close,
    reconcile: (user: string) => of(user, 'functions.verifySubscriptionStatus'),
    getSubscriptionDetails: (user: string) => readSubscription(billing, user),
    cancelSubscription: (user: string, reason?: LeavingReason) =>
      of(user, 'functions.cancelSubscription', { reason }),
    resumeSubscription: async (user: string) => (await of(user, 'billing.resumeSubscription')).subscription,
    buyYear: async (user: string) => (await of(user, 'billing.buyYear', {})).url,
    yearPayment: async (user: string) => (await of(user, 'functions.getSubscriptionDetails')).year_payment,
    buyTierUp: async (user: string, tier: string) => (await of(user, 'billing.buyTierUp', { tier })).url,
    payByCard: async (user: string) => (await of(user, 'billing.payByCard', {})).url,
    previewTier: (user: string, tier: string) => of(user, 'billing.previewTier', { tier }),
    changeTier: async (user: string, preview_id: string) =>
      (await of(user, 'billing.changeTier', { preview_id })).subscription,
    cancelTierChange: async (user: string) => (await of(user, 'billing.cancelTierChange')).subscription,
    getPause: (user: string) => of(user, 'billing.getPause'),
    pause: async (user: string, months: PauseMonths) =>
      (await of(user, 'billing.pause', { months })).subscription,
    endPause: async (user: string, amount: number) =>
      (await of(user, 'billing.endPause', { amount })).subscription,
    extendPause: async (user: string, until: number) =>
      (await of(user, 'billing.extendPause', { until })).subscription,
    extendPauseForMember: async (staff: Actor, user: string, until: number) =>
      makeCall(billing, 'billing.extendPauseForMember', staff, {
        customer_id: (await memberOfUser(billing.db, user)) ?? '',
        until,
      }),
    listPayments: (user: string) => of(user, 'billing.listPayments'),
    openInvoicePage: (user: string, invoice_id?: string) => of(user, 'billing.openInvoice', { invoice_id }),
    openPaymentMethodPage: (user: string) => of(user, 'billing.updatePaymentMethod'),
    getEndOffer: (user: string) => readEndOffer(billing, user),
    endForMember: (staff: Actor, draft: EndDraft) => makeCall(billing, 'membershipEnd.create', staff, draft),
    keepForMember: (staff: Actor, member: { customer_id: string }) =>
      makeCall(billing, 'membershipEnd.withdraw', staff, member),
    giveRefund: (staff: Actor, draft: RefundDraft) => makeCall(billing, 'refunds.create', staff, draft),
    pauseForMember: (user: string, months: PauseMonths, audit: (tx: Tx) => Promise<void>) =>
      withinLimit(billing, billing.limits.staff_ms, (limited) =>
        pauseMembership(limited, user, { months, asked_by: 'staff', audit }),
      ),
    withdrawPause: async (user: string) => {
      const customer_id = (await memberOfUser(billing.db, user)) ?? '';
      return makeCall(billing, 'billing.withdrawPause', { user_id: '', role: 'staff' }, { customer_id });
    },
    gifts: {
      buy: (user: string, draft: Input<'gifts.buy'>) => of(user, 'gifts.buy', draft),
      list: (user: string) => of(user, 'gifts.list'),
      check: (user: string, gift: { id: string }) => of(user, 'gifts.check', gift),
      showCode: (user: string, input: Input<'gifts.showCode'>) => of(user, 'gifts.showCode', input),
      resend: (user: string, input: Input<'gifts.resend'>) => of(user, 'gifts.resend', input),
      refund: (user: string, gift: { id: string }) => of(user, 'gifts.refund', gift),
      look: (user: string, input: { code: string }) => of(user, 'gifts.look', input),
      redeem: (user: string, input: Input<'gifts.redeem'>) => of(user, 'gifts.redeem', input),
      listForMember: (member: { customer_id: string }) =>
        makeCall(billing, 'gifts.listForMember', { user_id: '', role: 'staff' }, member),
      refundForMember: (staff: Actor, input: Input<'gifts.refundForMember'>) =>
        makeCall(billing, 'gifts.refundForMember', staff, input),
    },
    cancelEverything: (user: string) =>
      withinLimit(billing, billing.limits.member_ms, (limited) => cancelEverything(limited, user)),
    closeBillingRows: (tx: Tx, user: string, canceled: CanceledBilling) =>
      closeBillingRows(billing, tx, user, canceled),
    handleWebhook: (body: string, signature: string | undefined) => handleWebhook(billing, body, signature),
    readBacklog: () => readBillingBacklog(billing.db),
    sweep: () => sweep(billing),
    fetchMissedEvents: () => fetchMissedEvents(billing),
    sendReminders: () => sendReminders(billing),
    setUpStripe: () => setUpStripe(billing),
    planStripe: () => planStripe(billing),
    setUpByStaff: (staff: Actor, input: { plan: string }) => setUpByStaff({ billing, actor: staff }, input),
    checkStripe: () => checkStripe(billing),
    smokeStripe: () => smokeStripe(billing),
    replayEvents: (since: Date | null) => replayEvents(billing, since),
    listUnknownSubscriptions: () => listUnknownSubscriptions(billing),
  };
}
