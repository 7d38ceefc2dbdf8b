/**
 * A warning, not an error: the page still works (docs/rules/pages.md, "Silent failures"). `action`: 'Loading the card
 * code'.
 */
export function logFailure(action: string, error: unknown): void {
  console.warn(`${action} failed:`, error);
}
