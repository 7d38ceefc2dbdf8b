import { readLocal, removeLocal, writeLocal } from './local-storage.ts';

export interface OfflineCard {
  user_id: string;
  first_name: string;
  last_name: string;
  tier: string;
  /** The venue's label for the tier; absent on cards saved by an earlier version. */
  tier_label?: string;
  member_since: string;
  token: string;
  /** The time the code arrived, in milliseconds on this device's clock; its lifetime counts from here. */
  arrived_at: number;
}

const KEY = 'cellar-door:card';

export function readOfflineCard(): OfflineCard | null {
  return readLocal(KEY) as OfflineCard | null;
}

export function saveOfflineCard(card: OfflineCard): void {
  writeLocal(KEY, card);
}

export function deleteOfflineCard(exceptOf?: string): void {
  if (exceptOf && readOfflineCard()?.user_id === exceptOf) return;
  removeLocal(KEY);
}
