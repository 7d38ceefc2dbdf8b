import type { ImportWorker } from './import-context.ts';
import { runImports } from './import-steps.ts';
import { deleteOldImports } from './member-imports.ts';

const RUN_EVERY_MS = 2_000;
/** After this, the run is recorded as successful. */
const LONGEST_RUN_MS = 20_000;
const DELETE_EVERY_MS = 3_600_000;

/** The scheduler's tasks for imports, with the venue's current settings. A run still in progress is joined, not doubled. */
export function importTasks(ctx: () => ImportWorker) {
  let running: Promise<void> | null = null;
  return [
    {
      name: 'imports',
      everyMs: RUN_EVERY_MS,
      run() {
        running ??= runAll(ctx).finally(() => {
          running = null;
        });
        return running;
      },
    },
    { name: 'deleting old imports', everyMs: DELETE_EVERY_MS, run: () => deleteOldImports(ctx()) },
  ];
}

/** Continues without waiting while there is more. */
async function runAll(ctx: () => ImportWorker): Promise<void> {
  const began = performance.now();
  while ((await runImports(ctx())) && performance.now() - began < LONGEST_RUN_MS);
}
