import { setTimeout as wait } from 'node:timers/promises';

/** Milliseconds in which announcements gather: a busy bar makes no more than twenty statements a second. */
const GATHER_MS = 50;

export interface Announcer {
  add(announcement: string): void;
  /** Sends what has gathered; what is added later is sent without waiting. */
  close(): Promise<void>;
}

/**
 * Sends announcements to other processes, those of a moment in one statement and one statement at a time. One that
 * cannot be sent is given up: look-again.ts finds the change.
 */
export function createAnnouncer(send: (announcements: string[]) => Promise<unknown>): Announcer {
  const waiting = new Set<string>();
  const closing = new AbortController();
  let sending: Promise<void> | null = null;

  const sendAll = async () => {
    while (waiting.size > 0) {
      await wait(GATHER_MS, undefined, { signal: closing.signal, ref: false }).catch(() => undefined);
      const batch = [...waiting];
      waiting.clear();
      await send(batch).catch(() => undefined);
    }
    sending = null;
  };
  return {
    add(announcement) {
      waiting.add(announcement);
      sending ??= sendAll();
    },
    async close() {
      closing.abort();
      await sending;
    },
  };
}
