import type { Logger } from 'pino';
import type { TaskRuns } from './task-runs.ts';

interface Task {
  name: string;
  everyMs: number;
  run(): Promise<unknown>;
  /** Whether it is this server's turn; present for tasks that only one server runs at a time. */
  isTurn?: () => Promise<boolean>;
}

/** Runs each task repeatedly; a failure is logged, and the next run still happens. */
export function startScheduler(tasks: Task[], log: Logger, runs: TaskRuns): { close(): void } {
  const timers = tasks.map(({ name, everyMs, run, isTurn }) =>
    setInterval(() => {
      const turn = isTurn ? isTurn() : Promise.resolve(true);
      turn
        .then((isOurs) => (isOurs ? runs.track(name, run) : undefined))
        .catch((error: unknown) => log.error({ err: error }, `${name} failed`));
    }, everyMs),
  );
  return {
    close() {
      for (const timer of timers) clearInterval(timer);
    },
  };
}
