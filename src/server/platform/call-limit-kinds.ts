import type { Limit } from './flood-limit.ts';

/**
 * Call limits per account, or per client IP for calls without sign-in. They stop programs, not people: a bar may share one
 * staff account. Guessing has tighter limits, in the database. docs/rules/api.md, "Rate limits".
 */
export const CALL_LIMIT_KINDS = {
  /** Must never refuse on a busy night: 50 glasses a second, queued ones included. */
  bar: { max: 3000, window: 60 },
  read: { max: 1200, window: 60 },
  /** Sent while typing, from every device at the bar. */
  search: { max: 600, window: 60 },
  write: { max: 120, window: 60 },
  /** Waits for Stripe. */
  stripe: { max: 30, window: 60 },
  /** Hashes a password, writes an email, signs a pass, or encodes a picture. */
  account: { max: 30, window: 60 },
  /** Before sign-in; a venue shares one client IP. */
  visitor: { max: 600, window: 60 },
} as const satisfies Record<string, Limit>;
export type CallLimitKind = keyof typeof CALL_LIMIT_KINDS;

/** All calls of members and visitors together, from one client IP. */
export const CLIENT_IP_LIMIT: Limit = { max: 6000, window: 60 };
