import { Refusal } from '../../domain/refusal.ts';

export interface Limit {
  max: number;
  /** Seconds. */
  window: number;
}

/** Counts in the memory of this process. */
export interface FloodLimit {
  /** Counts one more under a key. Seconds to wait when that is more than max in the window; 0 otherwise. */
  wait(key: string, limit: Limit): number;
  /** The same. Throws Refusal TOO_MANY_ATTEMPTS instead. */
  take(key: string, limit: Limit): void;
}

/** Beyond this the oldest are forgotten, so that inventing keys does not fill the memory. */
const MAX_KEYS = 20_000;

/**
 * Keeps a flood of requests from reaching the database, and is therefore not kept there: a restart forgets the counts,
 * and each process counts for itself. Limits on guessing are kept in the database: rate-limit.ts.
 */
export function createFloodLimit(now: () => Date, maxKeys = MAX_KEYS): FloodLimit {
  const windows = new Map<string, { opened: number; count: number }>();

  function wait(key: string, { max, window }: Limit): number {
    const at = now().getTime();
    const found = windows.get(key);
    // A window that opens in the future is from before the clock was set back.
    if (!found || at >= found.opened + window * 1000 || at < found.opened) {
      windows.delete(key);
      windows.set(key, { opened: at, count: 1 });
      const [oldest] = windows.keys();
      if (windows.size > maxKeys && oldest !== undefined) windows.delete(oldest);
      return 0;
    }
    found.count += 1;
    if (found.count <= max) return 0;
    return Math.max(1, Math.ceil((found.opened + window * 1000 - at) / 1000));
  }

  return {
    wait,
    take(key, limit) {
      const retry_after_seconds = wait(key, limit);
      if (retry_after_seconds > 0) throw new Refusal('TOO_MANY_ATTEMPTS', { retry_after_seconds });
    },
  };
}

/** For tests that are not about limits. */
export const NO_FLOOD_LIMIT: FloodLimit = { wait: () => 0, take: () => undefined };
