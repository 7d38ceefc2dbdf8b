export interface TaskRun {
  name: string;
  /** Null before the first success. */
  succeeded_at: Date | null;
  failed_at: Date | null;
  failures: number;
}

export type TaskRuns = ReturnType<typeof createTaskRuns>;

export function createTaskRuns(now: () => Date) {
  const runs = new Map<string, TaskRun>();
  return {
    /** Runs a task and records the outcome. Rejects if it does. */
    async track<T>(name: string, run: () => Promise<T>): Promise<T> {
      const known = runs.get(name) ?? { name, succeeded_at: null, failed_at: null, failures: 0 };
      runs.set(name, known);
      try {
        const result = await run();
        known.succeeded_at = now();
        return result;
      } catch (error) {
        known.failed_at = now();
        known.failures += 1;
        throw error;
      }
    },
    get: (name: string) => runs.get(name) ?? null,
    list: () => [...runs.values()],
  };
}
