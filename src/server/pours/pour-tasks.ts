import { CELEBRATE_EVERY_MS, celebrate } from './celebrations.ts';
import { WRITE_DUE_GRANTS_EVERY_MS, writeAllDueGrants } from './due-grants.ts';
import { REMIND_OF_GLASSES_EVERY_MS, remindOfGlasses } from './glasses-reminders.ts';
import { writeOfRollover } from './rollover-emails.ts';

type TaskContext = Parameters<typeof celebrate>[0] &
  Parameters<typeof remindOfGlasses>[0] &
  Parameters<typeof writeOfRollover>[0];

/** `now` returns the current context: staff may change the venue's zone while the server runs. */
export const pourTasks = <T>(
  now: () => TaskContext,
  inTurn: (name: string, everyMs: number, run: () => Promise<unknown>) => T,
): T[] => [
  inTurn('due grants', WRITE_DUE_GRANTS_EVERY_MS, () => writeAllDueGrants(now())),
  inTurn('glasses reminders', REMIND_OF_GLASSES_EVERY_MS, () => remindOfGlasses(now())),
  inTurn('rollover emails', REMIND_OF_GLASSES_EVERY_MS, () => writeOfRollover(now())),
  inTurn('celebrations', CELEBRATE_EVERY_MS, () => celebrate(now())),
];
