/**
 * For what fails without a word to the user (spec section 8, silent failures): whoever looks into it finds it.
 * A warning, not an error: the person can go on.
 */
export function logFailure(what: string, error: unknown): void {
  console.warn(`${what}:`, error);
}
