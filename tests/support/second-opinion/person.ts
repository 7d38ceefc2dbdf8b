import type { Card } from './card.ts';
import type { Debt } from './debts.ts';
import type { DuesPayment } from './dues.ts';
import type { Membership } from './membership.ts';
import type { PastPeriod, Payment, Pour } from './period.ts';

export class Person {
  readonly who: 0 | 1;
  membership: Membership | null = null;
  /** Whether the other person shares this one's membership. */
  shares = false;
  sharesSince = 0;
  isCustomer = false;
  /** The saved cards, and the one that is charged. */
  cards: Card[] = [];
  card: Card | null = null;
  /** The end of each trial for which staff get a notice. */
  longTrials = new Set<number>();
  /** Less than Stripe's minimum; added to the next charge. */
  owed = 0;
  payments: Payment[] = [];
  /** The payments at the venue for all memberships. */
  venuePayments: { of: Membership; payment: DuesPayment }[] = [];
  /** Last invoices whose payment failed, in cents: Stripe leaves them open. */
  leftOpen: number[] = [];
  /** Unpaid months of all memberships. */
  debts: Debt[] = [];
  /** The periods that are over, and until when pours can have been made in them. */
  past: PastPeriod[] = [];
  /** The starts of the months that pauses skipped, counted from the start of each pause. */
  skippedMonths: number[] = [];
  /** A paid year whose month by card is over. */
  year: { tier: string; payment: Payment } | null = null;
  /** A card that takes over from the membership at the venue, and its first charge. */
  nextCard: { at: number; tier: string; price: number } | null = null;
  /** The person's own pours, as recorded by staff. */
  poured: Pour[] = [];
  standingAfter: 'inactive' | 'ended' = 'inactive';

  constructor(who: 0 | 1) {
    this.who = who;
  }

  get goodCard(): boolean {
    return this.card?.kind === 'pays';
  }

  save(kind: Card['kind']): void {
    this.card = { kind };
    this.cards.push(this.card);
  }

  /** The unrefunded card payments of this member. */
  get paid(): number {
    return this.payments.reduce((sum, { amount, refunded }) => sum + amount - refunded, 0);
  }
}

export const isMember = ({ membership }: Person): boolean =>
  membership !== null && !membership.over && !membership.plan?.onHold;
