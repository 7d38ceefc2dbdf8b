/**
 * How much a member may pour: billing periods, what each gives, what is available, whether a pour is allowed. These are
 * the rules in their readable form (docs/rules.md, "Billing period", "What a period gives", "Available pours",
 * "Recording a pour"). In production the SQL functions member_allowance, carried_pours and record_pour apply them
 * (src/server/db/functions), so that a pour is decided in one round trip.
 * tests/server/pours/allowance-agreement.test.ts holds the two together with random situations.
 */

import type { LocalDate } from './calendar.ts';
import { addMonths, localDate, monthsSince, startOfDay } from './calendar.ts';

/** Half open: start is in, end is not. */
export interface BillingPeriod {
  start: Date;
  end: Date;
}

export interface Availability {
  available_pours: number;
  /** In this period, with the pours carried into it. */
  pours_used: number;
  /**
   * What this period gives in all, including rolled-over glasses. Less than the tier's monthly pours while
   * it is unpaid or after a tier change.
   */
  tier_max: number;
}

export interface LedgerEntry {
  quantity: number;
  created_at: Date;
  voided: boolean;
}

/**
 * The period of a member billed at the venue: monthly, always counted from the day the membership began, with days
 * that begin at midnight in the venue's time zone.
 */
export function venuePeriod(began: LocalDate, now: Date, timeZone: string): BillingPeriod {
  const elapsed = monthsSince(began, localDate(now, timeZone));
  return {
    start: startOfDay(addMonths(began, elapsed), timeZone),
    end: startOfDay(addMonths(began, elapsed + 1), timeZone),
  };
}

/**
 * The period of a card subscription, from our last snapshot. If that period is over and we have not seen the renewal
 * yet, the next one starts where it ended.
 */
export function cardPeriod(stored: BillingPeriod, now: Date): BillingPeriod {
  if (now < stored.end) return stored;
  const [day = '', time = ''] = stored.end.toISOString().split('T');
  return { start: stored.end, end: new Date(`${addMonths(day, 1)}T${time}`) };
}

/** What decides the glasses of one billing period. */
export interface PeriodTerms {
  /** Monthly pours of the tier the period began with. */
  tier_pours: number;
  /** What tier changes within the period added: the sum of proratedPours. */
  changed_pours: number;
  /** What staff gave within the period, less what they took back. */
  given_pours: number;
  /** Whether the period's regular charge is known to be paid. Always true for a member billed at the venue. */
  paid: boolean;
  /** Pours of earlier periods that were never paid; they count in this one. */
  carried_pours: number;
  /** Glasses of the period before that rolled over into this one (membership/rollover.ts). */
  rolled_pours: number;
  /** How long a failed renewal keeps access, as it was when the period began. */
  grace_days: number;
}

const DAY_MS = 86_400_000;
const lengthOf = ({ start, end }: BillingPeriod) => end.getTime() - start.getTime();

/**
 * How many glasses a change to another tier adds to the running period: the difference of the monthly pours for the
 * rest of the period, from the second from which Stripe prorates, rounded down. Negative for a smaller tier.
 */
export function proratedPours(from: number, to: number, at: Date, period: BillingPeriod): number {
  const second = Math.floor(at.getTime() / 1000) * 1000;
  const rest = Math.min(Math.max(0, period.end.getTime() - second), lengthOf(period));
  return Math.floor(((to - from) * rest) / lengthOf(period)) || 0;
}

/**
 * How many glasses a period gives. Until its regular charge is paid, only the share of the tier's pours that grace is
 * of the period, rounded up, what was added by tier changes, which are paid at once, what staff gave, and what rolled over.
 */
export function periodPours(terms: PeriodTerms, period: BillingPeriod): number {
  const { tier_pours, changed_pours, given_pours, rolled_pours, paid, grace_days } = terms;
  const share = Math.ceil((tier_pours * grace_days * DAY_MS) / lengthOf(period));
  return Math.max(
    0,
    (paid ? tier_pours : Math.min(tier_pours, share)) + changed_pours + given_pours + rolled_pours,
  );
}

/**
 * How many pours count in the next period because nobody paid for them. `used` are the pours of the period itself;
 * `awaited` those after it, poured while waiting for a renewal that never came, minus what staff gave and
 * what rolled over meanwhile. Paid glasses left unpoured make up for those carried into the period.
 */
export function carriedPours(terms: PeriodTerms, used: number, awaited = 0): number {
  const { tier_pours, changed_pours, given_pours, rolled_pours, paid, carried_pours } = terms;
  const paidFor = Math.max(0, (paid ? tier_pours : 0) + changed_pours + given_pours + rolled_pours);
  const unpaid = paid ? 0 : Math.max(0, used - paidFor);
  return Math.max(0, carried_pours - Math.max(0, paidFor - used)) + unpaid + awaited;
}

/**
 * The period's pours that were not voided, with those carried into it, and what is left of what it gives: never below
 * 0, even after a change to a smaller tier. `held` are the glasses waiting for guests. For a member with access;
 * without access nothing is available.
 */
export function availability(
  given: number,
  ledger: LedgerEntry[],
  period: BillingPeriod,
  carried = 0,
  held = 0,
): Availability {
  let used = carried;
  for (const entry of ledger) {
    if (!entry.voided && entry.created_at >= period.start && entry.created_at < period.end) {
      used += entry.quantity;
    }
  }
  return { available_pours: Math.max(0, given - used - held), pours_used: used, tier_max: given };
}

export type PourDecision =
  | { outcome: 'recorded'; available_pours: number }
  | { outcome: 'not_active' }
  | { outcome: 'exceeded'; available_pours: number };

/**
 * Whether this many glasses may be poured; available_pours is what is then left. A glass that was held for a guest is not
 * among the available ones, and is poured as long as the period gives one more than was poured.
 */
export function decidePour(access: boolean, has: Availability, quantity: number, held = false): PourDecision {
  if (!access) return { outcome: 'not_active' };
  if (held) {
    return has.tier_max > has.pours_used
      ? { outcome: 'recorded', available_pours: has.available_pours }
      : { outcome: 'exceeded', available_pours: 0 };
  }
  if (quantity > has.available_pours) return { outcome: 'exceeded', available_pours: has.available_pours };
  return { outcome: 'recorded', available_pours: has.available_pours - quantity };
}

/** comp: on the house. correction: puts right what was counted wrong, either way. */
export const GIFT_KINDS = ['comp', 'correction'] as const;
export type GiftKind = (typeof GIFT_KINDS)[number];

/** What the ledger has: celebration is on the house too, given by nobody in particular. */
export const LEDGER_GIFT_KINDS = [...GIFT_KINDS, 'celebration'] as const;

/** Whether staff can give this many: a comp gives, a correction gives or takes back. */
export const isGift = ({ kind, glasses }: { kind: GiftKind; glasses: number }): boolean =>
  kind === 'comp' ? glasses > 0 : glasses !== 0;

/** Whether this many glasses may be given or taken back: never more than are left, so that nothing poured is undone. */
export function decideGift(
  access: boolean,
  has: Availability,
  glasses: number,
): 'given' | 'not_active' | 'exceeded' {
  if (!access) return 'not_active';
  return -glasses > has.available_pours ? 'exceeded' : 'given';
}
