import { readLocal, removeLocal, writeLocal } from './local-storage.ts';

// What this device keeps of joining from a tier: docs/rules/membership.md, "Joining from a tier".

const TIER = 'cellar-door:chosen-tier';

/** Keeps the tier whose 'Join' was pressed through registering and the survey. */
export const keepChosenTier = (tier: string): void => void writeLocal(TIER, tier.slice(0, 50));

/** The name of the tier; null if none was chosen. It may not be on offer. */
export function readChosenTier(): string | null {
  const tier = readLocal(TIER);
  return typeof tier === 'string' ? tier : null;
}

export const forgetChosenTier = (): void => removeLocal(TIER);

/** What is left to do after joining, first the password. */
type LeftToDo = 'password' | 'survey';

const KEY = 'cellar-door:joined';

export function keepLeftToDo(user_id: string, left: LeftToDo): void {
  writeLocal(KEY, { user_id, left });
}

export function readLeftToDo(user_id: string): LeftToDo | null {
  const entry = readLocal(KEY) as { user_id?: unknown; left?: unknown } | null;
  if (entry?.user_id !== user_id) return null;
  return entry.left === 'password' || entry.left === 'survey' ? entry.left : null;
}

/** Whether the user of this device has yet to choose a password. */
export const lacksPassword = (): boolean => ownerOfPassword() !== null;

/** Call after a sign-in with a password: there is one. */
export function noteHasPassword(): void {
  const user_id = ownerOfPassword();
  if (user_id) keepLeftToDo(user_id, 'survey');
}

function ownerOfPassword(): string | null {
  const entry = readLocal(KEY) as { user_id?: unknown; left?: unknown } | null;
  return entry?.left === 'password' && typeof entry.user_id === 'string' ? entry.user_id : null;
}

export const forgetLeftToDo = (): void => removeLocal(KEY);
