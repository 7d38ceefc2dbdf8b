/** What cannot be put right without staff: docs/rules.md, "Billing: staff notices". */
export const STAFF_NOTICE_KINDS = [
  'payment_unmatched',
  'reversal_impossible',
  'customer_missing',
  'webhook_off',
] as const;
export type StaffNoticeKind = (typeof STAFF_NOTICE_KINDS)[number];

/** How long a settled notice stays in the list, so that it can be seen and reopened. */
export const SETTLED_NOTICE_SHOWN_HOURS = 24;
