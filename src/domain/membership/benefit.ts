/** What a tier gives beside its pours, and what is left of it: docs/rules/benefits.md. */

import { addMonths, localDate, monthsSince, startOfDay } from '../calendar.ts';
import type { BillingPeriod } from '../glasses.ts';

export const BENEFIT_UNITS = ['month', 'quarter', 'year', 'once'] as const;
export type BenefitUnit = (typeof BENEFIT_UNITS)[number];

/** The months of a window; null for one without an end. */
const UNIT_MONTHS = { month: 1, quarter: 3, year: 12, once: null } as const satisfies Record<
  BenefitUnit,
  number | null
>;

export const MAX_BENEFITS = 8;
export const MAX_BENEFIT_LENGTH = 60;
export const MAX_BENEFIT_NUMBER = 50;

export interface Benefit {
  words: string;
  /** Null, like the number, for a standing one. */
  every: BenefitUnit | null;
  number: number | null;
}

/** Two benefits with the same key are the same one. */
export const benefitKey = ({ words, every }: Pick<Benefit, 'words' | 'every'>): string =>
  `${every ?? ''} ${words.toLowerCase()}`;

/** Why a tier's list is refused. */
export const BENEFIT_LIST_OBSTACLES = [
  'too_many_benefits',
  'benefit_words_not_allowed',
  'benefit_number_not_allowed',
  'benefit_twice',
] as const;

/** The problem with a tier's list; null if there is none. */
export function benefitsObstacle(list: readonly Benefit[]): (typeof BENEFIT_LIST_OBSTACLES)[number] | null {
  if (list.length > MAX_BENEFITS) return 'too_many_benefits';
  const areWords = ({ words }: Benefit) =>
    words.trim() !== '' && words.length <= MAX_BENEFIT_LENGTH && !/\p{Cc}|[<>]/u.test(words);
  const isCounted = ({ every, number }: Benefit) =>
    every === null
      ? number === null
      : Number.isInteger(number) && Number(number) >= 1 && Number(number) <= MAX_BENEFIT_NUMBER;
  if (!list.every(areWords)) return 'benefit_words_not_allowed';
  if (!list.every(isCounted)) return 'benefit_number_not_allowed';
  return new Set(list.map(benefitKey)).size < list.length ? 'benefit_twice' : null;
}

/** 'Bottle of the month, 1 a month'; a standing one is its words. */
export function benefitText({ words, every, number }: Benefit): string {
  if (every === null) return words;
  return `${words}, ${number} ${every === 'once' ? 'in all' : `a ${every}`}`;
}

/** '1 of 2 left this month' */
export function benefitLeftText({
  every,
  number,
  left,
}: {
  every: BenefitUnit;
  number: number;
  left: number;
}) {
  return `${left} of ${number} left${every === 'once' ? '' : ` this ${every}`}`;
}

/** A membership's months: the running one, and those before it. */
export interface MonthsOfMembership {
  /** Months by card are counted from an instant in UTC; at the venue, from a day in its time zone. */
  by_card: boolean;
  /** The start of its first month. */
  began: Date;
  running: BillingPeriod;
  time_zone: string;
}

/** Includes the start, excludes the end; null for one without it. */
export interface BenefitWindow {
  start: Date;
  end: Date | null;
}

const DAY_MS = 86_400_000;

/** Groups of `size` months, counted from `began`: the one that contains an instant, also one before `began`. */
function monthsFrom(began: Date, size: number, at: Date, zone: string | null): BillingPeriod {
  const first = localDate(began, zone ?? 'UTC');
  // A month at the venue begins at midnight, one by card at the time of day at which the first began.
  const time = zone === null ? began.getTime() % DAY_MS : 0;
  const startOf = (month: number) =>
    new Date(startOfDay(addMonths(first, month), zone ?? 'UTC').getTime() + time);
  const elapsed = monthsSince(first, localDate(new Date(at.getTime() - time), zone ?? 'UTC'));
  const start = Math.floor(elapsed / size) * size;
  return { start: startOf(start), end: startOf(start + size) };
}

/** The window of a counted benefit that contains an instant: docs/rules/benefits.md, "Windows". */
export function benefitWindow(
  every: BenefitUnit,
  { by_card, began, running, time_zone }: MonthsOfMembership,
  at: Date,
): BenefitWindow {
  const size = UNIT_MONTHS[every];
  if (size === null) return { start: began, end: null };
  const zone = by_card ? null : time_zone;
  if (size > 1) return monthsFrom(began, size, at, zone);
  if (at >= running.start) return running;
  // Months before the running one end where that begins.
  const month = monthsFrom(
    monthsFrom(began, 1, running.start, zone).start.getTime() === running.start.getTime()
      ? began
      : running.start,
    1,
    at,
    zone,
  );
  return month.end > running.start ? { start: month.start, end: running.start } : month;
}

/** A number of a counted benefit, and since when it counts; 0 once it is off the list. */
export interface BenefitNumber {
  since: Date;
  number: number;
}

/** The most that a window gave since it began; `numbers` in order of time. */
export function numberIn({ start, end }: BenefitWindow, numbers: readonly BenefitNumber[]): number {
  const before = numbers.findLast(({ since }) => since <= start);
  const within = numbers.filter(({ since }) => since > start && (end === null || since < end));
  return Math.max(0, ...[...(before ? [before] : []), ...within].map(({ number }) => number));
}

/** How many were taken in a window; for good, in one without an end. */
export const takenIn = ({ start, end }: BenefitWindow, uses: readonly Date[]): number =>
  end === null ? uses.length : uses.filter((at) => at >= start && at < end).length;

/** Why a benefit cannot be taken. not_given: it is not counted, or the member's tier does not give it. */
export const BENEFIT_OBSTACLES = ['not_given', 'used_up'] as const;
