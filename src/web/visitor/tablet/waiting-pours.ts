import { localKeys, POUR_PREFIX, readLocal } from '../../api/local-storage.ts';

/** Glasses in the offline queue of this device, by the user who poured them. */
export function waitingPours(): Map<string, number> {
  const waiting = new Map<string, number>();
  for (const key of localKeys(POUR_PREFIX)) {
    const pour = (readLocal(key) ?? {}) as Record<string, unknown>;
    const { staff_id, quantity, refused, withdrawn } = pour;
    if (typeof staff_id !== 'string' || typeof quantity !== 'number' || refused !== undefined || withdrawn)
      continue;
    waiting.set(staff_id, (waiting.get(staff_id) ?? 0) + quantity);
  }
  return waiting;
}
