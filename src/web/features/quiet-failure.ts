/** For what fails without a word to the user (spec section 8, silent failures): whoever looks into it finds it. */
export function logQuietly(what: string, error: unknown): void {
  // biome-ignore lint/suspicious/noConsole: an error would cry wolf, the person can go on
  console.warn(`${what}:`, error);
}
