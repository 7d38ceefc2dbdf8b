const DAY = 24 * 3600;

/** A session that is not used ends after this (seconds). */
export const SESSION_IDLE_SECONDS = 14 * DAY;
/** Every session ends after this (seconds), used or not; a database trigger sees to it. */
export const SESSION_ABSOLUTE_SECONDS = 90 * DAY;
