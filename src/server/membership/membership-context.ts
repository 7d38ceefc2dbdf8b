import type { ReadLagging } from '../db/replica.ts';
import type { MailContext } from '../mail/send-email.ts';
import type { PourContext } from '../pours/pour-context.ts';

/** Pages of Stripe where a user pays for a membership; billing makes them. */
export interface PaymentPages {
  /** The URL of the page. Throws what createCheckout throws. */
  open(user_id: string, order: PaymentOrder): Promise<{ url: string }>;
  /** Closes an unfinished one, so that no one pays after a decision of staff. */
  close(user_id: string): Promise<unknown>;
  /** Looks at Stripe whether it was paid. Throws Refusal PAYMENTS_UNAVAILABLE. */
  look(user_id: string): Promise<unknown>;
}

export interface PaymentOrder {
  tierName: string;
  applicationId: string;
  /** A month is charged again, by a subscription; a year is paid once. */
  period?: 'month' | 'year' | undefined;
  consentVersion?: string | undefined;
  /** Opened with a code at the bar, in a browser where nobody is signed in. */
  byLink?: boolean;
}

export interface MembershipContext extends PourContext, MailContext {
  /** For data that may be a few seconds old. */
  readLagging: ReadLagging;
  /** The currency of the tiers' prices: ISO code in lowercase. */
  currency: string;
  paymentPages: PaymentPages;
}
