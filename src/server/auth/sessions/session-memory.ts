import type { RememberedSession } from '../../platform/actor.ts';

/**
 * Sessions as last read, by their signed cookies. They grant nothing: `session_stands` (db/functions/sign-in.sql) checks
 * each in the transaction that relies on it. docs/decisions/sessions.md
 */
export interface SessionMemory {
  keep(cookie: string, session: RememberedSession): void;
  recall(cookie: string): RememberedSession | null;
  forget(cookie: string): void;
}

/** More staff than any club has; the least recently read sessions are forgotten first. */
const MAX_SESSIONS = 1_000;

export function createSessionMemory(maxSessions = MAX_SESSIONS): SessionMemory {
  const kept = new Map<string, RememberedSession>();
  return {
    keep(cookie, session) {
      kept.delete(cookie);
      kept.set(cookie, session);
      const [oldest] = kept.keys();
      if (kept.size > maxSessions && oldest !== undefined) kept.delete(oldest);
    },
    recall: (cookie) => kept.get(cookie) ?? null,
    forget: (cookie) => void kept.delete(cookie),
  };
}
