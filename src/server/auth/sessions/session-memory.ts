import type { RememberedSession } from '../../platform/actor.ts';

/**
 * Sessions as they were last read, by their signed cookies. They grant nothing: `session_stands` (db/functions/sign-in.sql)
 * checks each in the transaction that relies on it.
 * docs/decisions/sessions.md
 */
export interface SessionMemory {
  keep(cookie: string, session: RememberedSession): void;
  recall(cookie: string): RememberedSession | null;
  forget(cookie: string): void;
}

/** More than any club has staff; beyond them, the ones that were read longest ago are forgotten. */
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
