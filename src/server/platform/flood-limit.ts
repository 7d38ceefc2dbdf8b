import { Refusal } from '../../contract/refusals.ts';

export interface Limit {
  max: number;
  /** Seconds. */
  window: number;
}

export interface FloodLimit {
  /** Counts one call under a key. Returns the seconds to wait if the window has more than max; 0 otherwise. */
  wait(key: string, limit: Limit): number;
  /** Throws Refusal TOO_MANY_ATTEMPTS if the limit is used up. */
  take(key: string, limit: Limit): void;
}

/** Beyond this the oldest are dropped, so that invented keys do not fill the memory. */
const MAX_KEYS = 20_000;

/**
 * Stops a flood of requests before it reaches the database, so the counts are in memory: a restart forgets them, and each
 * process counts for itself. Limits on guessing are in the database: rate-limit.ts.
 */
export function createFloodLimit(now: () => Date, maxKeys = MAX_KEYS): FloodLimit {
  const windows = new Map<string, { opened: number; count: number }>();

  function wait(key: string, { max, window }: Limit): number {
    const at = now().getTime();
    const entry = windows.get(key);
    // A window opened in the future is from before the clock was set back.
    if (!entry || at >= entry.opened + window * 1000 || at < entry.opened) {
      windows.delete(key);
      windows.set(key, { opened: at, count: 1 });
      const [first] = windows.keys();
      if (windows.size > maxKeys && first !== undefined) windows.delete(first);
      return 0;
    }
    entry.count += 1;
    if (entry.count <= max) return 0;
    return Math.max(1, Math.ceil((entry.opened + window * 1000 - at) / 1000));
  }

  return {
    wait,
    take(key, limit) {
      const retry_after_seconds = wait(key, limit);
      if (retry_after_seconds > 0) throw new Refusal('TOO_MANY_ATTEMPTS', { retry_after_seconds });
    },
  };
}

/** Never refuses: for tests that are not about limits. */
export const NO_FLOOD_LIMIT: FloodLimit = { wait: () => 0, take: () => undefined };
