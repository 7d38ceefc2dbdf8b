import { setTimeout as wait } from 'node:timers/promises';

/** Milliseconds for batching announcements: at most twenty statements a second, however busy the bar. */
const GATHER_MS = 50;

/** The limit of Postgres is just under 8,000 bytes. */
const MAX_PAYLOAD_BYTES = 7_900;

/** Payloads with as many announcements as fit, one per line; every process reads each payload by itself. */
function payloadsOf(announcements: Iterable<string>): string[] {
  const payloads: string[][] = [];
  let room = 0;
  for (const announcement of announcements) {
    const bytes = Buffer.byteLength(announcement) + '\n'.length;
    if (bytes > room) {
      payloads.push([]);
      room = MAX_PAYLOAD_BYTES;
    }
    payloads.at(-1)?.push(announcement);
    room -= bytes;
  }
  return payloads.map((lines) => lines.join('\n'));
}

/**
 * Sends announcements to other processes in batches, one statement at a time. Failed ones are dropped: look-again.ts finds
 * the change.
 */
export function createAnnouncer(send: (payloads: string[]) => Promise<unknown>) {
  const queue = new Set<string>();
  const closing = new AbortController();
  let delivery: Promise<void> | null = null;

  const sendAll = async () => {
    while (queue.size > 0) {
      await wait(GATHER_MS, undefined, { signal: closing.signal, ref: false }).catch(() => undefined);
      const payloads = payloadsOf(queue);
      queue.clear();
      await send(payloads).catch(() => undefined);
    }
    delivery = null;
  };
  return {
    add(announcement: string): void {
      queue.add(announcement);
      delivery ??= sendAll();
    },
    /** Sends the waiting batch at once; later announcements do not wait either. */
    async close() {
      closing.abort();
      await delivery;
    },
  };
}
