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
  /** Whether this installation keeps it, so that nobody has to. */
  secretKept: boolean;
}

/** One thing that setting up would make or change; 'unread' where Stripe did not say what is there. */
export interface PlannedStep {
  outcome: 'make' | 'change' | 'unchanged' | 'unread';
  text: string;
}

export interface SetupPlan {
  mode: StripeMode;
  steps: PlannedStep[];
  /** Names these steps, so that they and no others are done. */
  plan: string;
}

/** One line of a check. `look`: Stripe's API does not say it, so somebody must look at it by hand. */
export interface Finding {
  verdict: 'ok' | 'wrong' | 'look';
  /** What the line is about, in a word or two. */
  about: string;
  text: string;
  /** Setting up again repairs it. */
  setup?: true;
}

export interface CheckReport {
  mode: StripeMode;
  findings: Finding[];
}

export const ok = (about: string, text: string): Finding => ({ verdict: 'ok', about, text });
export const wrong = (about: string, text: string): Finding => ({ verdict: 'wrong', about, text });
/** Wrong, and setting up makes it right. */
export const toSetUp = (about: string, text: string): Finding => ({ ...wrong(about, text), setup: true });
export const look = (about: string, text: string): Finding => ({ verdict: 'look', about, text });
