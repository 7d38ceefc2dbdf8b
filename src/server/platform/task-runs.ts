export interface TaskRun {
  name: string;
  /** Null before the first success. */
  succeeded_at: Date | null;
  failed_at: Date | null;
  failures: number;
}

export interface TaskRuns {
  /** Runs a task and records the outcome. Rejects if it does. */
  track<T>(name: string, run: () => Promise<T>): Promise<T>;
  get(name: string): TaskRun | null;
  list(): TaskRun[];
}

/** Remembers the last run of each task of this process. */
export function createTaskRuns(now: () => Date): TaskRuns {
  const runs = new Map<string, TaskRun>();
  return {
    async track(name, run) {
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
    get: (name) => runs.get(name) ?? null,
    list: () => [...runs.values()],
  };
}
