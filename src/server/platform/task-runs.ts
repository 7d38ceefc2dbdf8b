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
      const record = runs.get(name) ?? { name, succeeded_at: null, failed_at: null, failures: 0 };
      runs.set(name, record);
      try {
        const result = await run();
        record.succeeded_at = now();
        return result;
      } catch (error) {
        record.failed_at = now();
        record.failures += 1;
        throw error;
      }
    },
    get: (name: string) => runs.get(name) ?? null,
    list: () => [...runs.values()],
  };
}
