/** Work that is queued or running, over all users. */
export interface QueueDepth {
  pieces: number;
}

/** Runs each user's work one piece after another; users do not wait for each other. Counts the pieces in `depth`. */
export function createPerUserQueue(
  depth: QueueDepth = { pieces: 0 },
): <T>(userId: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return (userId, work) => {
    depth.pieces += 1;
    const previous = last.get(userId) ?? Promise.resolve();
    const result = previous.then(work, work);
    const ended = () => {
      depth.pieces -= 1;
    };
    const settled = result.then(ended, ended);
    last.set(userId, settled);
    void settled.then(() => {
      if (last.get(userId) === settled) last.delete(userId);
    });
    return result;
  };
}

/**
 * Shares runs between callers for the same user: all calls during a run get the next one, which starts after them. Each
 * caller sees a state no older than the call, and a burst of twenty calls costs two runs.
 */
export function createCoalescedRunner<T>(
  run: (userId: string) => Promise<T>,
  depth?: QueueDepth,
): (userId: string) => Promise<T> {
  const enqueue = createPerUserQueue(depth);
  const nextRuns = new Map<string, Promise<T>>();
  return (userId) => {
    const shared = nextRuns.get(userId);
    if (shared) return shared;
    const next = enqueue(userId, () => {
      nextRuns.delete(userId);
      return run(userId);
    });
    nextRuns.set(userId, next);
    return next;
  };
}
