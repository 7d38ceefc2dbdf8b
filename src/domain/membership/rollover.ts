/** Glasses that a billing period leaves and the next one takes over: docs/rules/glasses.md, "Glasses". */

/** The most that a tier can let roll over from one period into the next. */
export const MAX_ROLLOVER = 100;

/**
 * Whether the club no longer has a payment, by its status: it was given back whole, or the payer disputes it. Of one that
 * was given back in part the period stays paid for.
 */
export const isReturned = (payment_status: string): boolean =>
  payment_status === 'refunded' || payment_status === 'disputed';

/** So many days before glasses that rolled over end, their member hears of them. */
export const ROLLOVER_REMINDER_DAYS = 5;
