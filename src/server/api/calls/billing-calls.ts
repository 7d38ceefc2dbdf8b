import { cancelMembership, keepMembership } from '../../billing/acts/cancel-membership.ts';
import { endForMember, keepForMember } from '../../billing/acts/end-by-staff.ts';
import { getEndOffer } from '../../billing/acts/end-offer.ts';
import { endPause, withdrawPause } from '../../billing/acts/end-pause.ts';
import { extendOwnPause, extendPauseForMember } from '../../billing/acts/extend-pause.ts';
import { getPauseOffer, pauseForMember, pauseOwn } from '../../billing/acts/pause.ts';
import { changeTierAtVenue, keepTierAtVenue } from '../../billing/acts/venue-tier.ts';
import { buyYear } from '../../billing/checkout/another-year.ts';
import { createCheckout, verifySubscriptionStatus } from '../../billing/checkout/checkout.ts';
import { buyTierUp } from '../../billing/checkout/tier-up.ts';
import { payByCard } from '../../billing/checkout/to-card.ts';
import { buyGift } from '../../billing/gifts/buy-gift.ts';
import { resendGift, showGiftCode } from '../../billing/gifts/deliver-gifts.ts';
import { checkGift, listGifts, listMemberGifts } from '../../billing/gifts/gift-lists.ts';
import { lookAtGift, redeemGift } from '../../billing/gifts/redeem-gift.ts';
import { refundMemberGift, refundOwnGift } from '../../billing/gifts/refund-gift.ts';
import { giveRefund } from '../../billing/refunds/give-refund.ts';
import { listMemberPayments } from '../../billing/refunds/member-payments.ts';
import {
  listPayments,
  openInvoicePage,
  openPaymentMethodPage,
} from '../../billing/subscription/payment-pages.ts';
import { cancelTierChange, getSubscriptionDetails } from '../../billing/subscription/subscription.ts';
import { changeTier } from '../../billing/subscription/tier-change.ts';
import { previewTier } from '../../billing/subscription/tier-preview.ts';
import type { Calls } from '../call.ts';

/** A member's request to Stripe. */
const toStripe = { policy: 'payment', limit: 'stripe', waits: 'member_ms' } as const;
const whenOn = { ...toStripe, payments: 'on' } as const;
const byStaff = { policy: 'manageMembers', limit: 'stripe' } as const;
const ownReading = { policy: 'subscription', limit: 'read', scope: 'own:read' } as const;

export const billingCalls = {
  'billing.previewTier': { ...whenOn, verb: previewTier },
  'billing.changeTier': { ...whenOn, verb: changeTier },
  'billing.cancelTierChange': { ...whenOn, verb: cancelTierChange },
  // A membership at the venue can be kept while payments are off.
  'billing.resumeSubscription': { ...toStripe, verb: keepMembership },
  'billing.buyYear': { ...whenOn, verb: buyYear },
  'billing.buyTierUp': { ...whenOn, verb: buyTierUp },
  'billing.payByCard': { ...whenOn, verb: payByCard },
  'billing.getPause': { ...ownReading, verb: getPauseOffer },
  // One at the venue is paused while payments are off, too.
  'billing.pause': { ...toStripe, verb: pauseOwn },
  'billing.endPause': { ...toStripe, verb: endPause },
  'billing.extendPause': { ...toStripe, verb: extendOwnPause },
  'billing.extendPauseForMember': { ...byStaff, waits: 'staff_ms', verb: extendPauseForMember },
  'billing.pauseForMember': { ...byStaff, waits: 'staff_ms', verb: pauseForMember },
  'billing.withdrawPause': { ...byStaff, waits: 'staff_ms', verb: withdrawPause },
  'billing.changeTierAtVenue': { policy: 'manageMembers', limit: 'write', verb: changeTierAtVenue },
  'billing.keepTierAtVenue': { policy: 'manageMembers', limit: 'write', verb: keepTierAtVenue },
  'billing.updatePaymentMethod': { ...whenOn, verb: openPaymentMethodPage },
  'billing.openInvoice': { ...whenOn, verb: openInvoicePage },
  'billing.listPayments': { ...ownReading, verb: listPayments },

  'membershipEnd.get': { policy: 'manageMembers', limit: 'read', verb: getEndOffer },
  'membershipEnd.create': { ...byStaff, verb: endForMember },
  'membershipEnd.withdraw': { ...byStaff, verb: keepForMember },

  'gifts.buy': { ...toStripe, verb: buyGift },
  'gifts.list': { policy: 'payment', limit: 'read', verb: listGifts },
  'gifts.check': { ...toStripe, verb: checkGift },
  'gifts.showCode': { policy: 'payment', limit: 'write', verb: showGiftCode },
  'gifts.resend': { policy: 'payment', limit: 'account', verb: resendGift },
  'gifts.refund': { policy: 'payment', limit: 'stripe', verb: refundOwnGift },
  'gifts.look': { policy: 'payment', limit: 'write', verb: lookAtGift },
  'gifts.redeem': { policy: 'payment', limit: 'stripe', verb: redeemGift },
  'gifts.listForMember': { policy: 'moveMoney', limit: 'read', verb: listMemberGifts },
  'gifts.refundForMember': { policy: 'moveMoney', limit: 'stripe', verb: refundMemberGift },

  'refunds.listPayments': { policy: 'manageMoney', limit: 'read', verb: listMemberPayments },
  'refunds.create': { policy: 'moveMoney', limit: 'stripe', payments: 'on', verb: giveRefund },

  'functions.createCheckout': { ...toStripe, verb: createCheckout },

  'functions.getSubscriptionDetails': { ...ownReading, limit: 'stripe', verb: getSubscriptionDetails },

  'functions.cancelSubscription': { ...toStripe, verb: cancelMembership },

  'functions.verifySubscriptionStatus': {
    policy: 'subscription',
    limit: 'stripe',
    scope: 'own:write',
    waits: 'member_ms',
    verb: verifySubscriptionStatus,
  },
} satisfies Partial<Calls>;
