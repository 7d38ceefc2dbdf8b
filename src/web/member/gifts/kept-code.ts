const KEY = 'cellar-door:gift-code';

/**
 * The code of a gift that this tab opened. It is removed from the URL at once, so that it is in no history and reaches no
 * server through the redirect after sign-in; it is kept over that redirect, until the tab closes.
 */
export function keepGiftCode(hash: string): void {
  if (!hash) return;
  try {
    sessionStorage.setItem(KEY, decodeURIComponent(hash).slice(0, 60));
  } catch {
    // Then the user types the code.
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
    // It is deleted with the tab.
  }
}
