/**
 * The origin of the ids in a database: live, Stripe with real money; test, Stripe's test mode; demo, another server with
 * Stripe's API. Ids of one mean nothing to the others (docs/decisions/stripe-mode.md).
 */
export const STRIPE_MODES = ['live', 'test', 'demo'] as const;
export type StripeMode = (typeof STRIPE_MODES)[number];

type StripeAccount = { secretKey: string; apiUrl?: string | undefined };

export function stripeModeOf({ secretKey, apiUrl }: StripeAccount): StripeMode {
  if (apiUrl) return 'demo';
  return /^(sk|rk)_live_/.test(secretKey) ? 'live' : 'test';
}

export interface StripeKey {
  mode: StripeMode;
  /** A restricted key only has the permissions it was given. */
  restricted: boolean;
}

export function describeStripeKey(account: StripeAccount): StripeKey {
  return { mode: stripeModeOf(account), restricted: account.secretKey.startsWith('rk_') };
}
