/**
 * Periods at the venue, kinds of ledger rows, and shares of a period, for billing, the contract and the tables. The rules of
 * the ledger run in SQL: docs/rules/glasses.md, "Glasses", says where each can be read.
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

/**
 * Sources of glasses. period: a paid month. advance: part of an unpaid month. rollover: the rest of the previous month.
 * given: on the house. correction: staff correcting a wrong count. celebration: on the house, automatically.
 */
export const GRANT_KINDS = ['period', 'advance', 'rollover', 'given', 'correction', 'celebration'] as const;
export type GrantKind = (typeof GRANT_KINDS)[number];

/**
 * Causes that alter a grant later. paid: the rest of an advance. unpaid: a void took back what paid for it at the venue. tier_change: the share of another tier. tier_known: Stripe
 * said with which tier an unpaid period began. tier_glasses: the tier gives more from now on. correction: staff took some
 * back. returned, kept: its payment was given back or disputed, or is the club's again, which decides what may roll over.
 * ended: its end has moved.
 */
export const CHANGE_KINDS = [
  'paid',
  'unpaid',
  'tier_change',
  'tier_known',
  'tier_glasses',
  'correction',
  'returned',
  'kept',
  'ended',
] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

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

/** comp: on the house. correction: fixes a wrong count, in either direction. */
export const GIVEN_KINDS = ['comp', 'correction'] as const;
export type GivenKind = (typeof GIVEN_KINDS)[number];

/** Glasses given by the club; a celebration is on the house too, but automatic. */
export const GIVEN_LEDGER_KINDS = [...GIVEN_KINDS, 'celebration'] as const;

/** Whether the number is valid for its kind: a comp gives, a correction gives or takes back. */
export const isGivable = ({ kind, glasses }: { kind: GivenKind; glasses: number }): boolean =>
  kind === 'comp' ? glasses > 0 : glasses !== 0;
