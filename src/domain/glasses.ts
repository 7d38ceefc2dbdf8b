/**
 * The ledger of glasses: billing periods, what gives glasses and until when, how they are spent, what rolls over, whether a pour
 * is allowed. These are the rules in their readable form (docs/rules/glasses.md, "Glasses"). In production the SQL
 * functions of src/server/db/functions (glasses.sql, allowance.sql, spend-glasses.sql) apply them, so that a pour is
 * decided in one round trip. tests/server/pours/glasses-agreement.test.ts holds the two together with random
 * situations.
 */

import type { LocalDate } from './calendar.ts';
import { addMonths, localDate, monthsSince, startOfDay } from './calendar.ts';

/** Half open: start is in, end is not. */
export interface BillingPeriod {
  start: Date;
  end: Date;
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

/**
 * What gives glasses. period: a month that is paid for. advance: the share of one that is not paid yet. rollover: what the
 * month before left. given: on the house. correction: by staff, for what was counted wrong. celebration: on the house, by
 * nobody in particular.
 */
export const GRANT_KINDS = ['period', 'advance', 'rollover', 'given', 'correction', 'celebration'] as const;
export type GrantKind = (typeof GRANT_KINDS)[number];

/**
 * What alters a grant later. paid: the rest of an advance. tier_change: the share of another tier. tier_known: Stripe said with
 * which tier an unpaid period began. tier_glasses: the tier gives more from now on. correction: staff took some back.
 * returned, kept: its payment was given back or disputed, or is the club's again, which decides what may roll over. ended: it ends
 * at another instant than it said.
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

/** A grant as it stands, with all that altered it and took from it. Glasses. */
export interface Grant {
  kind: GrantKind;
  /** What it gives: below 0 where a smaller tier took back more than was left. */
  glasses: number;
  /** How many of them may roll over. */
  rollable: number;
  /** Poured and not voided, waiting for guests, and owed for an earlier grant that was never paid. */
  taken: number;
  valid_from: Date;
  valid_until: Date;
}

/** What is left of a grant: never below 0. */
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

/**
 * The order in which grants are spent: what ends first; then what rolled over, what the club gave, and the month's own; the
 * older first.
 */
export const inOrderOfSpending = <G extends Pick<Grant, 'kind' | 'valid_from' | 'valid_until'>>(
  grants: readonly G[],
): G[] =>
  [...grants].sort(
    (a, b) =>
      a.valid_until.getTime() - b.valid_until.getTime() ||
      TURN[a.kind] - TURN[b.kind] ||
      a.valid_from.getTime() - b.valid_from.getTime(),
  );

/** How many glasses a pour takes of each grant; null where there are too few. */
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

/** What is available of the grants of the running period. For a member with access; without it nothing is. */
export const availableOf = (grants: readonly Grant[]): number =>
  grants.reduce((sum, grant) => sum + leftOf(grant), 0);

/** How many glasses of a paid period roll over into the next when it ends: what is left of its own, as far as it may. */
export const rolledOver = (period: Pick<Grant, 'glasses' | 'taken' | 'rollable'>): number =>
  Math.min(period.rollable, leftOf(period));

const DAY_MS = 86_400_000;
const lengthOf = ({ start, end }: BillingPeriod) => end.getTime() - start.getTime();

/**
 * How many glasses a change to another tier adds to the running period, and how many more may roll over: the difference
 * of the two tiers' numbers for the rest of the period, from the second from which Stripe prorates, rounded down. Negative for a
 * smaller tier.
 */
export function proratedShare(from: number, to: number, at: Date, period: BillingPeriod): number {
  const second = Math.floor(at.getTime() / 1000) * 1000;
  const rest = Math.min(Math.max(0, period.end.getTime() - second), lengthOf(period));
  return Math.floor(((to - from) * rest) / lengthOf(period)) || 0;
}

/**
 * How many of a tier's glasses an unpaid period gives in advance: the share that the days of grace are of it, rounded up.
 */
export const advanceOf = (tierPours: number, graceDays: number, period: BillingPeriod): number =>
  Math.min(tierPours, Math.ceil((tierPours * graceDays * DAY_MS) / lengthOf(period)));

export type PourDecision =
  | { outcome: 'recorded'; available_pours: number }
  | { outcome: 'not_active' }
  | { outcome: 'exceeded'; available_pours: number };

/** Whether this many glasses may be poured; available_pours is what is then left. */
export function decidePour(access: boolean, available: number, quantity: number): PourDecision {
  if (!access) return { outcome: 'not_active' };
  return quantity > available
    ? { outcome: 'exceeded', available_pours: available }
    : { outcome: 'recorded', available_pours: available - quantity };
}

/** comp: on the house. correction: puts right what was counted wrong, either way. */
export const GIVEN_KINDS = ['comp', 'correction'] as const;
export type GivenKind = (typeof GIVEN_KINDS)[number];

/** What the club gives: celebration is on the house too, given by nobody in particular. */
export const GIVEN_LEDGER_KINDS = [...GIVEN_KINDS, 'celebration'] as const;

/** Whether staff can give this many: a comp gives, a correction gives or takes back. */
export const isGivable = ({ kind, glasses }: { kind: GivenKind; glasses: number }): boolean =>
  kind === 'comp' ? glasses > 0 : glasses !== 0;

/** Whether this many glasses may be given or taken back: never more than are left, so that nothing poured is undone. */
export function decideGiven(
  access: boolean,
  available: number,
  glasses: number,
): 'given' | 'not_active' | 'exceeded' {
  if (!access) return 'not_active';
  return -glasses > available ? 'exceeded' : 'given';
}
