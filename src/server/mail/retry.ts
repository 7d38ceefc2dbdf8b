import { and, gt, isNull, lte, or } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { CLOCK_SKEW_MS } from '../../domain/calendar.ts';

const FIRST_RETRY_MS = 30_000;
export const LAST_RETRY_MS = 6 * 3_600_000;

/** Milliseconds until the next try: 30 seconds, doubled each time, at most 6 hours. */
export function retryAfter(attempts: number): number {
  return Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** (attempts - 1));
}

interface Sendable {
  sent_at: PgColumn;
  next_attempt_at: PgColumn;
}

/**
 * Not sent, and its time has come. One further ahead than anything waits (`longestMs`) was dated by a clock that was
 * wrong: docs/rules/README.md, "A clock that was wrong".
 */
export function isDue({ sent_at, next_attempt_at }: Sendable, at: Date, longestMs: number) {
  const tooFarAhead = new Date(at.getTime() + longestMs + CLOCK_SKEW_MS);
  return and(isNull(sent_at), or(lte(next_attempt_at, at), gt(next_attempt_at, tooFarAhead)));
}
