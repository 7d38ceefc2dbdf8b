const KEY = 'cellar-door:share-link';
const TOKEN = /^[\w-]{43}$/;

/** The token of the link that was followed, or of the one that this tab went to sign in with; empty for none. */
export function keptShareToken(fromLink: string): string {
  try {
    if (TOKEN.test(fromLink)) sessionStorage.setItem(KEY, fromLink);
    const kept = sessionStorage.getItem(KEY) ?? '';
    return TOKEN.test(kept) ? kept : fromLink;
  } catch {
    return fromLink;
  }
}

/** Call once it was used. */
export function forgetShareToken(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // Then it is deleted with the tab.
  }
}
