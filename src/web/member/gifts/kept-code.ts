const KEY = 'cellar-door:gift-code';

/**
 * The code of a gift that this tab opened. It is taken out of the address at once, so that it is in no history and goes to no
 * server with the way back from sign-in; it outlives that way, and not the tab.
 */
export function keepGiftCode(hash: string): void {
  if (!hash) return;
  try {
    sessionStorage.setItem(KEY, decodeURIComponent(hash).slice(0, 60));
  } catch {
    // Then the code is typed.
  }
}

/** Empty for none. */
export function readGiftCode(): string {
  try {
    return sessionStorage.getItem(KEY) ?? '';
  } catch {
    return '';
  }
}

export function forgetGiftCode(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // It goes with the tab.
  }
}
