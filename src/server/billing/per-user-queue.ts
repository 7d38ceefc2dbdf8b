/** Runs the work of each user one after another; different users do not wait for each other. */
export function createPerUserQueue(): <T>(userId: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return (userId, work) => {
    const before = last.get(userId) ?? Promise.resolve();
    const mine = before.then(work, work);
    const settled = mine.then(
      () => undefined,
      () => undefined,
    );
    last.set(userId, settled);
    void settled.then(() => {
      if (last.get(userId) === settled) last.delete(userId);
    });
    return mine;
  };
}

/**
 * Joins callers of the same work for the same user: whoever comes while a run is under way gets the next
 * run, which starts after they came and is shared by all of them. So each caller's run sees the world as
 * it was when they called, or newer, and a burst of twenty costs two runs.
 */
export function createCoalescedRunner<T>(
  run: (userId: string) => Promise<T>,
): (userId: string) => Promise<T> {
  const inOrder = createPerUserQueue();
  const waiting = new Map<string, Promise<T>>();
  return (userId) => {
    const joined = waiting.get(userId);
    if (joined) return joined;
    const next = inOrder(userId, () => {
      waiting.delete(userId);
      return run(userId);
    });
    waiting.set(userId, next);
    return next;
  };
}
