/** Wrong codes in a row after which the second step of an account locks, and locks again. */
export const CODES_TO_LOCK = 10;

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** Seconds of the first locks in a row. */
const LOCK_SECONDS = [15 * MINUTE, HOUR, 4 * HOUR, 12 * HOUR];
/** Seconds of every lock after them. */
export const LONGEST_LOCK_SECONDS = 24 * HOUR;

/**
 * Wrong codes in a row after which none counts any more from a device that the account does not know, until the owner signs
 * in, or chooses a new password, which opens it for CODES_TO_LOCK more once a day (NIST SP 800-63B, 5.2.2: at most 100).
 */
export const MOST_WRONG_CODES = 100;

/** Seconds for which the second step locks after this many wrong codes in a row; 0 for no lock. */
export function secondStepLockSeconds(failures: number): number {
  if (failures === 0 || failures % CODES_TO_LOCK !== 0) return 0;
  return LOCK_SECONDS[failures / CODES_TO_LOCK - 1] ?? LONGEST_LOCK_SECONDS;
}
