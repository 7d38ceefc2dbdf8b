import type { ImportWorker } from './import-context.ts';
import { runImports } from './import-steps.ts';
import { deleteOldImports } from './member-imports.ts';

const RUN_EVERY_MS = 2_000;
const DELETE_EVERY_MS = 3_600_000;

/** What the scheduler does about imports, with the venue as it is by then. A run that still goes on is joined, not doubled. */
export function importTasks(ctx: () => ImportWorker) {
  let running: Promise<void> | null = null;
  return [
    {
      name: 'imports',
      everyMs: RUN_EVERY_MS,
      run() {
        running ??= runImports(ctx()).finally(() => {
          running = null;
        });
        return running;
      },
    },
    { name: 'deleting old imports', everyMs: DELETE_EVERY_MS, run: () => deleteOldImports(ctx()) },
  ];
}
