/**
 * Logs a failure that is not shown to the user (`docs/rules.md`, "Member pages"). A warning, because the user can carry
 * on. `action` says what failed: 'Loading the card code'.
 */
export function logFailure(action: string, error: unknown): void {
  console.warn(`${action} failed:`, error);
}
