/** Glasses that a billing period leaves and the next one takes over: docs/rules/glasses.md, "Glasses". */

export const MAX_ROLLOVER = 100;

/**
 * Whether a payment with this status is lost to the club: refunded in full, or disputed by the payer. A partially refunded
 * payment still pays for its period.
 */
export const isReturned = (payment_status: string): boolean =>
  payment_status === 'refunded' || payment_status === 'disputed';

/** Days before rolled-over glasses end at which the member gets a reminder. */
export const ROLLOVER_REMINDER_DAYS = 5;
