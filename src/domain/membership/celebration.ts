/** Days to celebrate: docs/rules/glasses.md, "Days to celebrate". Days are the venue's. */

import { addMonths, type LocalDate, monthsSince } from '../calendar.ts';
import type { ClubNumber } from '../club/club-settings.ts';

export const CELEBRATION_KINDS = ['birthday', 'anniversary', 'hundredth'] as const;
export type CelebrationKind = (typeof CELEBRATION_KINDS)[number];

export const CELEBRATION_GLASSES = {
  birthday: 'birthday_glasses',
  anniversary: 'anniversary_glasses',
  hundredth: 'hundredth_glasses',
} as const satisfies Record<CelebrationKind, ClubNumber>;

const HUNDREDTH = 100;

export interface CelebratedMember {
  birthday: { month: number; day: number } | null;
  /** The start of the first membership; a later one does not change it. */
  member_since: LocalDate;
  /** Glasses ever poured, without voided ones. */
  lifetime: number;
  poured_today: number;
}

export interface Celebration {
  kind: CelebrationKind;
  /** Unique per member: 'birthday:2026', 'anniversary:3', 'hundredth'. */
  occasion: string;
  /** Full years as a member; null except for an anniversary. */
  years: number | null;
}

/** The birthdays celebrated on a day. February 29 is celebrated on February 28 in years without one. */
export function birthdaysOn(today: LocalDate): { month: number; day: number }[] {
  const [year = 0, month = 0, day = 0] = today.split('-').map(Number);
  const isLeap = new Date(Date.UTC(year, 2, 0)).getUTCDate() === 29;
  const leapDay = month === 2 && day === 28 && !isLeap ? [{ month: 2, day: 29 }] : [];
  return [{ month, day }, ...leapDay];
}

/** The celebrations on a day at the venue. */
export function celebrationsOn(today: LocalDate, member: CelebratedMember): Celebration[] {
  const { birthday, member_since, lifetime, poured_today } = member;
  const celebrations: Celebration[] = [];
  if (
    birthday &&
    birthdaysOn(today).some(({ month, day }) => month === birthday.month && day === birthday.day)
  )
    celebrations.push({ kind: 'birthday', occasion: `birthday:${today.slice(0, 4)}`, years: null });
  const years = Math.floor(monthsSince(member_since, today) / 12);
  if (years >= 1 && addMonths(member_since, years * 12) === today)
    celebrations.push({ kind: 'anniversary', occasion: `anniversary:${years}`, years });
  if (lifetime >= HUNDREDTH && lifetime - poured_today < HUNDREDTH)
    celebrations.push({ kind: 'hundredth', occasion: 'hundredth', years: null });
  return celebrations;
}

export const isHundredthNext = (lifetime: number): boolean => lifetime === HUNDREDTH - 1;

const CELEBRATION_REASONS: Record<CelebrationKind, string> = {
  birthday: 'Birthday',
  anniversary: 'Anniversary',
  hundredth: 'Hundredth glass',
};

/** The reason in the ledger for a glass on the house. */
export const celebrationReason = ({ kind, years }: Celebration): string =>
  years === null
    ? CELEBRATION_REASONS[kind]
    : `${CELEBRATION_REASONS[kind]}: ${years === 1 ? '1 year' : `${years} years`}`;
