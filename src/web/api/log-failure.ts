/**
 * For failures that the user is not shown: docs/rules.md, "Silent failures". A warning, not an error, because the page
 * still works.
 */
export function logFailure(what: string, error: unknown): void {
  console.warn(`${what}:`, error);
}
