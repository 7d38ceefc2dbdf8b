/**
 * Logs failures that are not shown to the user: docs/rules/pages.md, "Silent failures". A warning, not an error, because
 * the page still works. `action` says what failed: 'Loading the card code'.
 */
export function logFailure(action: string, error: unknown): void {
  console.warn(`${action} failed:`, error);
}
