/** Runs each user's work one piece after another; users do not wait for each other. */
export function createPerUserQueue(): <T>(userId: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return (userId, work) => {
    const previous = last.get(userId) ?? Promise.resolve();
    const result = previous.then(work, work);
    const settled = result.then(
      () => undefined,
      () => undefined,
    );
    last.set(userId, settled);
    void settled.then(() => {
      if (last.get(userId) === settled) last.delete(userId);
    });
    return result;
  };
}

/**
 * Shares runs between callers for the same user: all who call during a run get the next one, which starts after
 * they called. Each caller sees a state no older than the call, and a burst of twenty calls costs two runs.
 */
export function createCoalescedRunner<T>(
  run: (userId: string) => Promise<T>,
): (userId: string) => Promise<T> {
  const enqueue = createPerUserQueue();
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
