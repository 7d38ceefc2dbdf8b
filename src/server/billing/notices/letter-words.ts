import type { TaxBehavior } from '../../../domain/money.ts';
import type { Button, Content } from '../../mail/email.ts';
import type { BillingNotice, PriceChange } from '../billing-context.ts';

export interface BillingLetter {
  subject: string;
  content: Content[];
}

interface TierPrice {
  tier: string;
  monthly_cents: number;
  currency: string;
  tax_behavior: TaxBehavior;
}

/** What the letters about billing have in common. */
export interface Words {
  /** A tier's display name. */
  label(tier: string): string;
  time_zone: string;
  /** 'July 13, 2026', in the venue's zone. */
  day(date: Date): string;
  /** What the member agreed to: the same words as beside the button. */
  renews(price: TierPrice): string;
  /** Another price to come: 'From August 13, 2026, you pay $45.00 per month for Select.'; empty for none. */
  changes(change: PriceChange | null): string[];
  /** Whom the club is for, and its terms; empty where it has neither. */
  club: string[];
  account(button?: string): Button;
  dashboard: Button;
  renew: Button;
  household: Button;
  /** The buyer's page. */
  gifts: Button;
}

/** For each of these types of notice, what its letter says. */
export type LetterWriters<T extends BillingNotice['type']> = {
  [K in T]: (notice: Extract<BillingNotice, { type: K }>, words: Words) => BillingLetter;
};

export const letter = (subject: string, ...content: Content[]): BillingLetter => ({ subject, content });

/** What the letter about a notice says. */
export function writeLetter<N extends BillingNotice>(
  writers: LetterWriters<N['type']>,
  notice: N,
  words: Words,
): BillingLetter {
  const write: (notice: never, words: Words) => BillingLetter = writers[notice.type as N['type']];
  // Each writer takes its own type of notice, which is the key it stands under.
  return write(notice as never, words);
}
