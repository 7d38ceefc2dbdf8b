import type { RememberedSession } from '../../platform/actor.ts';

/** More staff than any club has; the least recently read sessions are forgotten first. */
const MAX_SESSIONS = 1_000;

/**
 * Sessions as last read, by their signed cookies. They grant nothing: `session_stands` (db/functions/sign-in.sql) checks
 * each in the transaction that relies on it. docs/decisions/sessions.md
 */
export function createSessionMemory(maxSessions = MAX_SESSIONS) {
  const kept = new Map<string, RememberedSession>();
  return {
    keep(cookie: string, session: RememberedSession): void {
      kept.delete(cookie);
      kept.set(cookie, session);
      const [oldest] = kept.keys();
      if (kept.size > maxSessions && oldest !== undefined) kept.delete(oldest);
    },
    recall: (cookie: string) => kept.get(cookie) ?? null,
    forget: (cookie: string) => void kept.delete(cookie),
  };
}
