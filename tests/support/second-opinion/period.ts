import type { Club } from './club.ts';
import { GRACE } from './club.ts';

// docs/rules.md, "What a period gives", "Glasses that roll over" and "Available pours".

/**
 * Where docs/rules.md, or what it means, and the product differ today; `known-faults.ts` shows each. With all of
 * them the model counts as the product does.
 */
export type Fault = 'rejoin' | 'upgrade' | 'raise';
export type Faults = ReadonlySet<Fault>;

export interface Pour {
  at: number;
  glasses: number;
  voided: boolean;
  period: Period;
}

export interface Payment {
  at: number;
  amount: number;
  refunded: number;
  disputed: 'no' | 'open' | 'won' | 'lost';
}

export interface Guest {
  giver: 0 | 1;
  until: number;
  state: 'held' | 'poured' | 'back';
}

/** What a period came to when it ended. */
interface Closing {
  tier: number;
  given: number;
  rolled: number;
  used: number;
  carried: number;
}

export interface Period {
  start: number;
  end: number;
  /** The tier that it began with. */
  tier: string;
  paid: boolean;
  /** A month that a pause leaves out. */
  skipped: boolean;
  /** The regular charge, by card. */
  payment: Payment | null;
  /** Glasses added by tier changes. */
  extras: number;
  /** How many may roll over into the next: by the rule, and by the fault 'upgrade'. */
  limit: number;
  faultyLimit: number;
  given: number;
  pours: Pour[];
  guests: Guest[];
  /** The period whose glasses roll over into this one. */
  before: Period | null;
  /** What rolled over, once a pour has settled it. */
  settled: number | null;
  /** Glasses of periods that were never paid. */
  carried: number;
  closing: Closing | null;
  /** The fault 'rejoin': what the day held before the membership began. */
  foreign: { pours: Pour[]; given: number; rolled: number | null };
}

const sum = (numbers: number[]) => numbers.reduce((total, it) => total + it, 0);

const poured = (pours: Pour[]): number =>
  sum(pours.filter(({ voided }) => !voided).map(({ glasses }) => glasses));

/** Counts the glasses of periods by the venue's tiers as they are now. */
export class Glasses {
  readonly club: Club;
  readonly faults: Faults;

  constructor(club: Club, faults: Faults) {
    this.club = club;
    this.faults = faults;
  }

  terms(tier: string) {
    const terms = this.club[tier];
    if (!terms) throw new Error(`No tier ${tier}`);
    return terms;
  }

  /** What the tier and its changes give so far. */
  tier(period: Period): number {
    const { pours } = this.terms(period.tier);
    if (period.skipped) return 0;
    if (period.paid) return pours + period.extras;
    return Math.min(pours, Math.ceil((pours * GRACE) / (period.end - period.start)));
  }

  whenPaid(period: Period): number {
    return period.paid || period.skipped ? 0 : this.terms(period.tier).pours - this.tier(period);
  }

  given(period: Period): number {
    return period.given + (this.faults.has('rejoin') ? period.foreign.given : 0);
  }

  /** Poured and not taken back. */
  poured(period: Period): number {
    const foreign = this.faults.has('rejoin') ? poured(period.foreign.pours) : 0;
    return poured(period.pours) + foreign;
  }

  /** Poured, or held for guests. */
  used(period: Period): number {
    return this.poured(period) + this.held(period);
  }

  held(period: Period): number {
    return period.guests.filter(({ state }) => state === 'held').length;
  }

  rolled(period: Period): number {
    if (period.settled !== null) return period.settled;
    const foreign = this.faults.has('rejoin') ? period.foreign.rolled : null;
    return foreign ?? this.fromBefore(period.before);
  }

  private fromBefore(before: Period | null): number {
    if (!before?.closing || !before.paid || before.skipped || isReturned(before.payment)) return 0;
    const { closing } = before;
    const tier = this.faults.has('raise') ? this.tier(before) : closing.tier;
    const fromTier = Math.max(
      0,
      closing.used + closing.carried - closing.rolled - Math.max(0, closing.given),
    );
    const left = tier + Math.min(0, closing.given) - fromTier;
    const limit = this.faults.has('upgrade') ? before.faultyLimit : before.limit;
    return Math.max(0, Math.min(limit, left));
  }

  total(period: Period): number {
    return this.tier(period) + this.rolled(period) + this.given(period);
  }

  available(period: Period): number {
    return Math.max(0, this.total(period) - this.used(period) - period.carried);
  }

  /** What is left of the rolled-over glasses, which are poured before all others. */
  rolledLeft(period: Period): number {
    return Math.max(
      0,
      Math.min(this.available(period), this.rolled(period) - this.used(period) - period.carried),
    );
  }

  /** Ends a period. Returns how many glasses count against the next. */
  close(period: Period): number {
    for (const guest of period.guests) if (guest.state === 'held') guest.state = 'back';
    const closing = {
      tier: this.tier(period),
      given: this.given(period),
      rolled: this.rolled(period),
      used: this.used(period),
      carried: period.carried,
    };
    period.closing = closing;
    if (period.paid) {
      const over = closing.carried + closing.used - closing.tier - closing.given - closing.rolled;
      return Math.max(0, Math.min(closing.carried, over));
    }
    return closing.carried + Math.max(0, closing.used - closing.rolled - Math.max(0, closing.given));
  }
}

/** The club was not paid in the end: refunded in full, or disputed and not won. */
function isReturned(payment: Payment | null): boolean {
  if (!payment) return false;
  return payment.refunded >= payment.amount || payment.disputed === 'open' || payment.disputed === 'lost';
}
