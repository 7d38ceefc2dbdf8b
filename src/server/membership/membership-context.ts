import type { ReadLagging } from '../db/replica.ts';
import type { MailContext } from '../mail/send-email.ts';
import type { PourContext } from '../pours/pour-context.ts';

export interface MembershipContext extends PourContext, MailContext {
  /** For data that may be a few seconds old. */
  readLagging: ReadLagging;
  /** The currency of the tiers' prices: ISO code in lowercase. */
  currency: string;
  billing: {
    /** Closes an unfinished card checkout, so that no one pays after a decision of staff. */
    closeOpenCheckout(userId: string): Promise<unknown>;
    /** Throws Refusal PAYMENTS_OFF. */
    assertOn(): void;
  };
}
