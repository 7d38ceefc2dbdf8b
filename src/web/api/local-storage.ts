// Browsers may refuse storage (private windows, no space) or hold data we did not write. Callers continue without it.

const storageOf = (kind: 'localStorage' | 'sessionStorage') => ({
  /** The value stored under the key; null if there is none or it cannot be read. Check its shape before you trust it. */
  read(key: string): unknown {
    try {
      return JSON.parse(globalThis[kind].getItem(key) ?? 'null');
    } catch {
      return null;
    }
  },
  /** Stores a JSON value. False if the browser does not store it. */
  write(key: string, value: unknown): boolean {
    try {
      globalThis[kind].setItem(key, JSON.stringify(value));
      return true;
    } catch {
      return false;
    }
  },
  remove(key: string): void {
    try {
      globalThis[kind].removeItem(key);
    } catch {
      // Nothing was stored.
    }
  },
});

export const { read: readLocal, write: writeLocal, remove: removeLocal } = storageOf('localStorage');

/** What only this tab stores, until it closes. */
export const tabStorage = storageOf('sessionStorage');

/** Members' balances stored on this device for staff; deleted when they sign out. */
export const BALANCE_PREFIX = 'cellar-door:balance:';

/** The offline queue of staff. One key for each pour, so that two tabs writing at once never overwrite each other. */
export const POUR_PREFIX = 'cellar-door:pour:';

/** Payments at the venue that wait for the server; one key for each, as above. */
export const PAYMENT_PREFIX = 'cellar-door:payment:';

export function removeLocalUnder(prefix: string): void {
  for (const key of localKeys(prefix)) removeLocal(key);
}

export function localKeys(prefix: string): string[] {
  try {
    const keys = Array.from({ length: localStorage.length }, (_, index) => localStorage.key(index));
    return keys.filter((key) => key?.startsWith(prefix)) as string[];
  } catch {
    return [];
  }
}
