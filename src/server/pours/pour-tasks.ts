import { CELEBRATE_EVERY_MS, celebrate } from './celebrations.ts';
import { WRITE_DUE_GRANTS_EVERY_MS, writeAllDueGrants } from './due-grants.ts';
import { REMIND_OF_GLASSES_EVERY_MS, remindOfGlasses } from './glasses-reminders.ts';
import { writeOfRollover } from './rollover-emails.ts';

type TaskContext = Parameters<typeof celebrate>[0] &
  Parameters<typeof remindOfGlasses>[0] &
  Parameters<typeof writeOfRollover>[0];

export const pourTasks = <T>(
  ctx: TaskContext,
  inTurn: (name: string, everyMs: number, run: () => Promise<unknown>) => T,
): T[] => [
  inTurn('due grants', WRITE_DUE_GRANTS_EVERY_MS, () => writeAllDueGrants(ctx)),
  inTurn('glasses reminders', REMIND_OF_GLASSES_EVERY_MS, () => remindOfGlasses(ctx)),
  inTurn('rollover emails', REMIND_OF_GLASSES_EVERY_MS, () => writeOfRollover(ctx)),
  inTurn('celebrations', CELEBRATE_EVERY_MS, () => celebrate(ctx)),
];
