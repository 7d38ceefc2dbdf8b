/** Problems that only staff can fix: docs/rules/billing.md, "Billing: staff notices". */
export const STAFF_NOTICE_KINDS = [
  'payment_unmatched',
  'reversal_impossible',
  'customer_missing',
  'webhook_off',
  'gift_reversed',
  'payment_disputed',
  'paid_more_than_once',
  'paid_without_membership',
  'long_trial',
  'invoice_not_finalized',
  'unknown_subscription',
  'caught_up',
  'email_refused',
] as const;
export type StaffNoticeKind = (typeof STAFF_NOTICE_KINDS)[number];

/** Events of a gift's payment. not_refunded: a refund was due, but failed. */
export const GIFT_REVERSALS = ['disputed', 'refunded', 'not_refunded'] as const;
export type GiftReversal = (typeof GIFT_REVERSALS)[number];

/** ended: Stripe no longer charges for it. */
export const UNKNOWN_STATES = ['running', 'ended'] as const;

/** The hours that a settled notice stays in the list, so that it can be seen and reopened. */
export const SETTLED_NOTICE_SHOWN_HOURS = 24;
