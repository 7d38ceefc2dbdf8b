/** Glasses that a billing period leaves and the next one takes over: docs/rules/glasses.md, "Glasses". */

export const MAX_ROLLOVER = 100;

/** A payment refunded in full, or disputed. One refunded in part still pays for its period. */
export const isReturned = (payment_status: string): boolean =>
  payment_status === 'refunded' || payment_status === 'disputed';

/** Days before rolled-over glasses end at which the member gets a reminder. */
export const ROLLOVER_REMINDER_DAYS = 5;
