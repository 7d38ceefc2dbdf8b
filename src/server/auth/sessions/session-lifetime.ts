const DAY = 24 * 3600;

/** A session that is not used ends after this (seconds). */
export const SESSION_IDLE_SECONDS = 14 * DAY;
/** Use is recorded, and prolongs a session, when this has passed since it last was (seconds). */
export const SESSION_UPDATE_SECONDS = 3600;
/** Every session ends after this (seconds), used or not; a database trigger sees to it. */
export const SESSION_ABSOLUTE_SECONDS = 90 * DAY;
