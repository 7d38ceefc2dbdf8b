import { useSyncExternalStore } from 'react';

const key = 'cellar-door:muted';
const listeners = new Set<() => void>();
/** For browsers that keep nothing: until the page is left. */
let forNow: boolean | null = null;

/** A choice of this device, not of the person. */
export function isMuted(): boolean {
  if (forNow !== null) return forNow;
  try {
    return localStorage.getItem(key) === 'yes';
  } catch {
    return false;
  }
}

export function setMuted(muted: boolean): void {
  try {
    localStorage.setItem(key, muted ? 'yes' : 'no');
  } catch {
    forNow = muted;
  }
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
