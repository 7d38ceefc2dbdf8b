import { readLocal, removeLocal, writeLocal } from './local-storage.ts';

/** The person who works at this device, so that the bar can continue without a network. Nothing else is stored. */
interface Kept {
  id: string;
  first_name: string;
  last_name: string;
  /** The last confirmation by the server, in milliseconds since 1970. */
  at: number;
}
export type OfflineStaff = Omit<Kept, 'at'>;

const KEY = 'cellar-door:staff';
/** Long enough for a shift and a network that returns the next morning. */
const LIFE_MS = 24 * 60 * 60_000;

export function readOfflineStaff(now: number): OfflineStaff | null {
  const { id, first_name, last_name, at } = (readLocal(KEY) ?? {}) as Partial<Kept>;
  if (!id || first_name === undefined || last_name === undefined || at === undefined) return null;
  // A future time comes from a wrong clock.
  if (at > now || at < now - LIFE_MS) return null;
  return { id, first_name, last_name };
}

export function saveOfflineStaff({ id, first_name, last_name }: OfflineStaff, now: number): void {
  writeLocal(KEY, { id, first_name, last_name, at: now } satisfies Kept);
}

export function deleteOfflineStaff(): void {
  removeLocal(KEY);
}
