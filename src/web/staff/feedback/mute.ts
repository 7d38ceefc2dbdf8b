import { useSyncExternalStore } from 'react';
import { readLocal, writeLocal } from '../../api/local-storage.ts';

const KEY = 'cellar-door:muted';
const listeners = new Set<() => void>();
/** For browsers without storage: lasts until the page is left. */
let unsaved: boolean | null = null;

/** The setting belongs to the device, not to the user. */
export function isMuted(): boolean {
  return unsaved ?? readLocal(KEY) === true;
}

export function setMuted(muted: boolean): void {
  unsaved = writeLocal(KEY, muted) ? null : muted;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

export function useMuted(): boolean {
  return useSyncExternalStore(subscribe, isMuted);
}
