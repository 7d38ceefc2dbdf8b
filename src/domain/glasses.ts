/**
 * The ledger of glasses: billing periods, what gives glasses and until when, how they are spent, what rolls over, whether a
 * pour is allowed. These are the rules in readable form (docs/rules/glasses.md, "Glasses"). In production the SQL functions
 * of src/server/db/functions (glasses.sql, allowance.sql, spend-glasses.sql) apply them, so that a pour is decided in one
 * round trip. tests/server/pours/glasses-agreement.test.ts checks with random situations that the two agree.
 */

import type { LocalDate } from './calendar.ts';
import { addMonths, localDate, monthsSince, startOfDay } from './calendar.ts';

/** Half open: includes the start, excludes the end. */
export interface BillingPeriod {
  start: Date;
  end: Date;
}

/** The period of a member billed at the venue, from the day the membership began, at midnight in its time zone. */
export function venuePeriod(began: LocalDate, now: Date, timeZone: string): BillingPeriod {
  const elapsed = monthsSince(began, localDate(now, timeZone));
  return {
    start: startOfDay(addMonths(began, elapsed), timeZone),
    end: startOfDay(addMonths(began, elapsed + 1), timeZone),
  };
}

/** A card subscription's period, from our last snapshot; if it is over, the next one starts where it ended. */
export function cardPeriod(stored: BillingPeriod, now: Date): BillingPeriod {
  if (now < stored.end) return stored;
  const [day = '', time = ''] = stored.end.toISOString().split('T');
  return { start: stored.end, end: new Date(`${addMonths(day, 1)}T${time}`) };
}

/**
 * Sources of glasses. period: a paid month. advance: part of an unpaid month. rollover: the rest of the previous month.
 * given: on the house. correction: staff correcting a wrong count. celebration: on the house, automatically.
 */
export const GRANT_KINDS = ['period', 'advance', 'rollover', 'given', 'correction', 'celebration'] as const;
export type GrantKind = (typeof GRANT_KINDS)[number];

/**
 * Causes that alter a grant later. paid: the rest of an advance. tier_change: the share of another tier. tier_known: Stripe
 * said with which tier an unpaid period began. tier_glasses: the tier gives more from now on. correction: staff took some
 * back. returned, kept: its payment was given back or disputed, or is the club's again, which decides what may roll over.
 * ended: its end has moved.
 */
export const CHANGE_KINDS = [
  'paid',
  'tier_change',
  'tier_known',
  'tier_glasses',
  'correction',
  'returned',
  'kept',
  'ended',
] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** The current state of a grant, after all changes and pours. In glasses. */
export interface Grant {
  kind: GrantKind;
  /** The total given: negative if a smaller tier took back more than was left. */
  glasses: number;
  /** The part of `glasses` that may roll over. */
  rollable: number;
  /** Poured and not voided, waiting for guests, or owed for an earlier grant that was never paid. */
  taken: number;
  valid_from: Date;
  valid_until: Date;
}

export const leftOf = ({ glasses, taken }: Pick<Grant, 'glasses' | 'taken'>): number =>
  Math.max(0, glasses - taken);

const TURN: Record<GrantKind, number> = {
  rollover: 1,
  given: 2,
  correction: 2,
  celebration: 2,
  period: 3,
  advance: 3,
};

/** The order of spending: earliest end first; then rolled-over, given, the month's own; older ones first. */
export const inOrderOfSpending = <G extends Pick<Grant, 'kind' | 'valid_from' | 'valid_until'>>(
  grants: readonly G[],
): G[] =>
  [...grants].sort(
    (a, b) =>
      a.valid_until.getTime() - b.valid_until.getTime() ||
      TURN[a.kind] - TURN[b.kind] ||
      a.valid_from.getTime() - b.valid_from.getTime(),
  );

/** The glasses that a pour takes from each grant; null if there are too few. */
export function spend<G extends Grant>(grants: readonly G[], quantity: number): Map<G, number> | null {
  const taken = new Map<G, number>();
  let wanted = quantity;
  for (const grant of inOrderOfSpending(grants)) {
    const some = Math.min(wanted, leftOf(grant));
    if (some > 0) taken.set(grant, some);
    wanted -= some;
  }
  return wanted > 0 ? null : taken;
}

/** The glasses available from the grants of the current period, for a member with access; without access there are none. */
export const availableOf = (grants: readonly Grant[]): number =>
  grants.reduce((sum, grant) => sum + leftOf(grant), 0);

/** The rest of a paid period's glasses, up to the number that may roll over. */
export const rolledOver = (period: Pick<Grant, 'glasses' | 'taken' | 'rollable'>): number =>
  Math.min(period.rollable, leftOf(period));

/**
 * What a period that is over can still give to a pour made in it that arrived late: what is left, without the glasses that
 * rolled over. Nothing if it was never paid.
 */
export const leftForLatePour = (grants: readonly Grant[], isPaid: boolean, rolled: number): number =>
  isPaid ? Math.max(0, availableOf(grants) - rolled) : 0;

const DAY_MS = 86_400_000;
const lengthOf = ({ start, end }: BillingPeriod) => end.getTime() - start.getTime();

/**
 * The glasses that a tier change adds to the current period, and the additional number that may roll over: the difference
 * between the two tiers for the rest of the period, from the second from which Stripe prorates, rounded down. Negative for
 * a smaller tier.
 */
export function proratedShare(from: number, to: number, at: Date, period: BillingPeriod): number {
  const second = Math.floor(at.getTime() / 1000) * 1000;
  const rest = Math.min(Math.max(0, period.end.getTime() - second), lengthOf(period));
  return Math.floor(((to - from) * rest) / lengthOf(period)) || 0;
}

/** The glasses of a tier that an unpaid period gives in advance: the grace days' share of the period, rounded up. */
export const advanceOf = (tierPours: number, graceDays: number, period: BillingPeriod): number =>
  Math.min(tierPours, Math.ceil((tierPours * graceDays * DAY_MS) / lengthOf(period)));

export type PourDecision =
  | { outcome: 'recorded'; available_pours: number }
  | { outcome: 'not_active' }
  | { outcome: 'exceeded'; available_pours: number };

/** Decides a pour: recorded, with the pours left after it, or exceeded, with the pours left now. */
export function decidePour(access: boolean, available: number, quantity: number): PourDecision {
  if (!access) return { outcome: 'not_active' };
  return quantity > available
    ? { outcome: 'exceeded', available_pours: available }
    : { outcome: 'recorded', available_pours: available - quantity };
}

/** comp: on the house. correction: fixes a wrong count, in either direction. */
export const GIVEN_KINDS = ['comp', 'correction'] as const;
export type GivenKind = (typeof GIVEN_KINDS)[number];

/** Glasses given by the club; a celebration is on the house too, but automatic. */
export const GIVEN_LEDGER_KINDS = [...GIVEN_KINDS, 'celebration'] as const;

/** Whether the number is valid for its kind: a comp gives, a correction gives or takes back. */
export const isGivable = ({ kind, glasses }: { kind: GivenKind; glasses: number }): boolean =>
  kind === 'comp' ? glasses > 0 : glasses !== 0;

/** Whether this many glasses may be given or taken back: at most those left, so that no pour is undone. */
export function decideGiven(
  access: boolean,
  available: number,
  glasses: number,
): 'given' | 'not_active' | 'exceeded' {
  if (!access) return 'not_active';
  return -glasses > available ? 'exceeded' : 'given';
}
