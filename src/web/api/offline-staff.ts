import { readLocal, removeLocal, writeLocal } from './local-storage.ts';

/** Who works at this device, so that the bar goes on without a network. Nothing else of the account is kept. */
export interface OfflineStaff {
  id: string;
  first_name: string;
  last_name: string;
}

interface Kept extends OfflineStaff {
  /** When the server last said so: milliseconds since 1970. */
  at: number;
}

const KEY = 'cellar-door:staff';
/** A shift, and a network that comes back the next morning. */
const LIFE_MS = 24 * 60 * 60_000;

/** The member of staff kept on this device; null when there is none. */
export function readOfflineStaff(now: number): OfflineStaff | null {
  const { id, first_name, last_name, at } = (readLocal(KEY) ?? {}) as Partial<Kept>;
  if (!id || first_name === undefined || last_name === undefined || at === undefined) return null;
  // From a later moment, it was kept by a clock that was wrong.
  if (at > now || at < now - LIFE_MS) return null;
  return { id, first_name, last_name };
}

export function saveOfflineStaff({ id, first_name, last_name }: OfflineStaff, now: number): void {
  writeLocal(KEY, { id, first_name, last_name, at: now } satisfies Kept);
}

export function deleteOfflineStaff(): void {
  removeLocal(KEY);
}
