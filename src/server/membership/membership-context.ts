import type { PourContext } from '../pours/pour-context.ts';

/** What the verbs of membership need. */
export interface MembershipContext extends PourContext {
  billing: {
    /** Closes an unfinished card checkout, so that nobody pays for what staff have just decided. */
    closeOpenCheckout(userId: string): Promise<unknown>;
  };
}
