// Browsers may refuse storage (private windows, no room) or hold something we did not write. Callers go on without.

/** The value kept under the key; null when there is none or it cannot be read. Check its shape before you trust it. */
export function readLocal(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null');
  } catch {
    return null;
  }
}

/** Keeps a value that JSON can hold. False when the browser does not keep it. */
export function writeLocal(key: string, value: unknown): boolean {
  try {
    localStorage.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

export function removeLocal(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // Nothing was kept, then.
  }
}

/** What this device keeps about members' balances for staff: it goes when they sign out. */
export const BALANCE_PREFIX = 'cellar-door:balance:';

/** The offline queue of staff. One key for each pour, so that two tabs that write at once never overwrite each other's list. */
export const POUR_PREFIX = 'cellar-door:pour:';

/** Removes everything under the prefix. */
export function removeLocalUnder(prefix: string): void {
  for (const key of localKeys(prefix)) removeLocal(key);
}

/** The keys that start with the prefix. */
export function localKeys(prefix: string): string[] {
  try {
    const keys = Array.from({ length: localStorage.length }, (_, index) => localStorage.key(index));
    return keys.filter((key) => key?.startsWith(prefix)) as string[];
  } catch {
    return [];
  }
}
