import type { StripeMode } from '../../config/stripe-mode.ts';

/** One item that setting up made, changed, or found correct. */
export interface SetupStep {
  outcome: 'made' | 'changed' | 'unchanged' | 'failed';
  text: string;
}

export interface SetupReport {
  mode: StripeMode;
  steps: SetupStep[];
  /** The signing secret of a new endpoint. Stripe's API never shows it again. */
  webhookSecret: string | null;
  /** Whether this installation stores the secret, so that no one has to. */
  secretKept: boolean;
}

/** One item that setting up would make or change; 'unread' if it cannot be read from Stripe. */
export interface PlannedStep {
  outcome: 'make' | 'change' | 'unchanged' | 'unread';
  text: string;
}

export interface SetupPlan {
  mode: StripeMode;
  steps: PlannedStep[];
  /** Identifies these steps, so that only they are carried out. */
  plan: string;
}

/** One line of a check. attention: the server cannot judge it, so a person must look. */
export interface Finding {
  health: 'well' | 'attention' | 'failing';
  /** The line's topic, in a word or two. */
  about: string;
  text: string;
  /** Setting up again repairs it. */
  setup?: true;
}

export interface CheckReport {
  mode: StripeMode;
  findings: Finding[];
}

export const well = (about: string, text: string): Finding => ({ health: 'well', about, text });
export const failing = (about: string, text: string): Finding => ({ health: 'failing', about, text });
/** A problem that setting up repairs. */
export const toSetUp = (about: string, text: string): Finding => ({ ...failing(about, text), setup: true });
export const attention = (about: string, text: string): Finding => ({ health: 'attention', about, text });
