import type { Logger } from 'pino';
import type { TaskRuns } from './task-runs.ts';

interface Task {
  /** As the log names it when it fails. */
  name: string;
  everyMs: number;
  run(): Promise<unknown>;
  /** For what only one of several servers does at a time: whether it is this one's turn. */
  isTurn?: () => Promise<boolean>;
}

/** Runs each task again and again; a failure is logged, and the next run still comes. */
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
