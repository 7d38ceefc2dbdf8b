import type { ReadLagging } from '../db/replica.ts';
import type { MailContext } from '../mail/send-email.ts';
import type { PourContext } from '../pours/pour-context.ts';

/** What the verbs of membership need. */
export interface MembershipContext extends PourContext, MailContext {
  /** For what may be a few seconds old. */
  readLagging: ReadLagging;
  /** Of the tiers' prices: ISO code in lowercase. */
  currency: string;
  billing: {
    /** Closes an unfinished card checkout, so that nobody pays for what staff have just decided. */
    closeOpenCheckout(userId: string): Promise<unknown>;
  };
}
