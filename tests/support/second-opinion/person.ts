import type { Debt } from './debts.ts';
import type { Membership } from './membership.ts';
import type { Payment, Pour } from './period.ts';

/** One of the two people of a sequence. */
export class Person {
  readonly who: 0 | 1;
  membership: Membership | null = null;
  /** Whether the other one shares this one's membership. */
  shares = false;
  isCustomer = false;
  goodCard = true;
  hasCard = false;
  /** Below the least that Stripe charges; it waits for the next charge. */
  owed = 0;
  payments: Payment[] = [];
  /** Months that were never paid, of all memberships. */
  debts: Debt[] = [];
  /** When the last pause that was not taken back began. */
  pausedAt: number | null = null;
  /** Their own, as staff recorded them. */
  poured: Pour[] = [];
  standingAfter: 'inactive' | 'ended' = 'inactive';

  constructor(who: 0 | 1) {
    this.who = who;
  }

  /** The money kept of this member's own payments by card. */
  get paid(): number {
    return this.payments.reduce((sum, { amount, refunded }) => sum + amount - refunded, 0);
  }
}

export const isMember = ({ membership }: Person): boolean => membership !== null && !membership.over;
