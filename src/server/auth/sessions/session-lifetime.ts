const DAY = 24 * 3600;

/** Idle time after which a session ends (seconds). */
export const SESSION_IDLE_SECONDS = 14 * DAY;
/** Time after which use is recorded again and extends a session (seconds). */
export const SESSION_UPDATE_SECONDS = 3600;
/** Maximum life of any session (seconds), enforced by a database trigger. */
export const SESSION_ABSOLUTE_SECONDS = 90 * DAY;
