import type { RememberedSession } from '../../platform/actor.ts';

/** More staff than any club has; the least recently read sessions are forgotten first. */
const MAX_SESSIONS = 1_000;

/**
 * Sessions as last read, by their signed cookies. They grant nothing: `session_stands` (db/functions/sign-in.sql) checks
 * each in the transaction that relies on it. docs/decisions/sessions.md
 */
export function createSessionMemory(maxSessions = MAX_SESSIONS) {
  const sessions = new Map<string, RememberedSession>();
  return {
    keep(cookie: string, session: RememberedSession): void {
      sessions.delete(cookie);
      sessions.set(cookie, session);
      const [first] = sessions.keys();
      if (sessions.size > maxSessions && first !== undefined) sessions.delete(first);
    },
    recall: (cookie: string) => sessions.get(cookie) ?? null,
    forget: (cookie: string) => void sessions.delete(cookie),
  };
}
