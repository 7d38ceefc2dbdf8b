/** The id of an object that may be expanded; null without one. */
export const idOf = (it: string | { id: string } | null | undefined) =>
  typeof it === 'string' ? it : (it?.id ?? null);

/** An instant of Stripe, which counts seconds. */
export const instant = (seconds: number) => new Date(seconds * 1000);
