import { listMemberPayments } from '../../billing/acts/member-payments.ts';
import { billing } from '../../billing/billing-verbs.ts';
import type { Billing } from '../../billing/index.ts';
import type { Actor } from '../../platform/actor.ts';
import type { Calls } from '../call.ts';

type Gifts = Billing['gifts'];

/** Passes the session's user, who buys or redeems, to a verb of gifts. */
const own =
  <Input, Output>(verb: (gifts: Gifts) => (user: string, input: Input) => Output) =>
  ({ billing, actor }: { billing: Billing; actor: Actor }, input: Input) =>
    verb(billing.gifts)(actor.user_id, input);

export const billingCalls = {
  'billing.previewTier': { policy: 'payment', limit: 'stripe', verb: billing.previewTier },
  'billing.changeTier': { policy: 'payment', limit: 'stripe', verb: billing.changeTier },
  'billing.cancelTierChange': { policy: 'payment', limit: 'stripe', verb: billing.cancelTierChange },
  'billing.resumeSubscription': { policy: 'payment', limit: 'stripe', verb: billing.resumeSubscription },
  'billing.getPause': { policy: 'subscription', limit: 'read', scope: 'own:read', verb: billing.getPause },
  'billing.pause': { policy: 'payment', limit: 'stripe', verb: billing.pause },
  'billing.endPause': { policy: 'payment', limit: 'stripe', verb: billing.endPause },
  'billing.pauseForMember': { policy: 'manageMembers', limit: 'stripe', verb: billing.pauseForMember },
  'billing.withdrawPause': { policy: 'manageMembers', limit: 'stripe', verb: billing.withdrawPause },
  'billing.updatePaymentMethod': { policy: 'payment', limit: 'stripe', verb: billing.updatePaymentMethod },
  'billing.openInvoice': { policy: 'payment', limit: 'stripe', verb: billing.openInvoice },
  'billing.listPayments': {
    policy: 'subscription',
    limit: 'read',
    scope: 'own:read',
    verb: billing.listPayments,
  },

  'membershipEnd.get': { policy: 'manageMembers', limit: 'read', verb: billing.getEnd },
  'membershipEnd.create': { policy: 'manageMembers', limit: 'stripe', verb: billing.end },
  'membershipEnd.withdraw': { policy: 'manageMembers', limit: 'stripe', verb: billing.keep },

  'gifts.buy': { policy: 'payment', limit: 'stripe', verb: own((gifts) => gifts.buy) },
  'gifts.list': { policy: 'payment', limit: 'read', verb: own((gifts) => gifts.list) },
  'gifts.check': { policy: 'payment', limit: 'stripe', verb: own((gifts) => gifts.check) },
  'gifts.showCode': { policy: 'payment', limit: 'write', verb: own((gifts) => gifts.showCode) },
  'gifts.resend': { policy: 'payment', limit: 'account', verb: own((gifts) => gifts.resend) },
  'gifts.refund': { policy: 'payment', limit: 'stripe', verb: own((gifts) => gifts.refund) },
  'gifts.look': { policy: 'payment', limit: 'write', verb: own((gifts) => gifts.look) },
  'gifts.redeem': { policy: 'payment', limit: 'stripe', verb: own((gifts) => gifts.redeem) },
  'gifts.listForMember': {
    policy: 'moveMoney',
    limit: 'read',
    verb: ({ billing }, input) => billing.gifts.listForMember(input),
  },
  'gifts.refundForMember': {
    policy: 'moveMoney',
    limit: 'stripe',
    verb: ({ billing, actor }, input) => billing.gifts.refundForMember(actor, input),
  },

  'refunds.listPayments': { policy: 'manageMoney', limit: 'read', verb: listMemberPayments },
  'refunds.create': { policy: 'moveMoney', limit: 'stripe', verb: billing.giveRefund },

  'functions.createCheckout': { policy: 'payment', limit: 'stripe', verb: billing.createCheckout },

  'functions.getSubscriptionDetails': {
    policy: 'subscription',
    limit: 'stripe',
    scope: 'own:read',
    verb: billing.getSubscriptionDetails,
  },

  'functions.cancelSubscription': { policy: 'payment', limit: 'stripe', verb: billing.cancelSubscription },

  'functions.verifySubscriptionStatus': {
    policy: 'subscription',
    limit: 'stripe',
    scope: 'own:write',
    verb: billing.verifySubscriptionStatus,
  },
} satisfies Partial<Calls>;
