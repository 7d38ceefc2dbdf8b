/** A card payment for a membership or a gift, or a membership approved for a payment at the till. */
export const PAYMENT_KINDS = ['membership', 'gift', 'till'] as const;
export type PaymentKind = (typeof PAYMENT_KINDS)[number];

/** refunded: in full or in part. overdue: not paid yet, so never counted as received. */
export const PAYMENT_STATES = ['paid', 'refunded', 'disputed', 'overdue'] as const;
export type PaymentState = (typeof PAYMENT_STATES)[number];

export interface PaymentFilter {
  kind?: PaymentKind | undefined;
  /** Without a state: every payment received. */
  state?: PaymentState | undefined;
}
