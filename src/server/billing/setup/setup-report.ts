import type { StripeMode } from '../../config/stripe-mode.ts';

/** One thing that setting up made, changed, or found as it should be. */
export interface SetupStep {
  outcome: 'made' | 'changed' | 'unchanged' | 'failed';
  text: string;
}

export interface SetupReport {
  mode: StripeMode;
  steps: SetupStep[];
  /** The signing secret of an endpoint that was made now. Stripe's API never shows it again. */
  webhookSecret: string | null;
}

/** One line of a check. `look`: Stripe's API does not say it, so somebody must look at it by hand. */
export interface Finding {
  verdict: 'ok' | 'wrong' | 'look';
  /** What the line is about, in a word or two. */
  about: string;
  text: string;
}

export interface CheckReport {
  mode: StripeMode;
  findings: Finding[];
}

export const ok = (about: string, text: string): Finding => ({ verdict: 'ok', about, text });
export const wrong = (about: string, text: string): Finding => ({ verdict: 'wrong', about, text });
export const look = (about: string, text: string): Finding => ({ verdict: 'look', about, text });
