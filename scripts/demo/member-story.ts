import { addDays, addMonths, type LocalDate, monthsSince } from '../../src/domain/calendar.ts';
import type { LeavingReason } from '../../src/domain/reports/leaving-reason.ts';
import type { Chance } from './chance.ts';
import { demoEmail, fullName } from './names.ts';

interface Stay {
  from: LocalDate;
  until: LocalDate | null;
  reason: LeavingReason | null;
  tier: string;
  price_cents: number;
}

export interface MemberStory {
  first: string;
  last: string;
  email: string;
  phone: string | null;
  stays: Stay[];
  /** The five ratings of the survey, in its order. */
  ratings: number[];
  /** The share of their glasses that a member drinks. */
  thirst: number;
  /** Days since an absent member's last visit; 0 for other members. */
  away_days: number;
}

export interface Tier {
  name: string;
  glasses: number;
  price_cents: number;
}

const TIER_SHARES: Record<string, number> = { select: 45, premier: 31, elite: 14, household: 10 };

const REASONS: [LeavingReason, number][] = [
  ['seldom_here', 38],
  ['price', 24],
  ['moving', 18],
  ['wines', 8],
  ['service', 4],
  ['other', 8],
];

/** The club opened this many days ago. */
export const OPENED_DAYS_AGO = 730;
const MONTHS = 24;
/** Members who joined before this day pay the old prices. */
const PRICES_ROSE_MONTHS_AGO = 12;
const FORMER_SHARE_OF_PRICE = 0.9;

/** The relative number of joiners in each month: many at the opening, in spring and before Christmas, few in summer. */
function joinWeight(months: number, monthOfYear: number): number {
  const season = [7, 5, 6, 8, 8, 6, 4, 3, 6, 7, 8, 10][monthOfYear - 1] ?? 6;
  return season + Math.max(0, 18 - 7 * months);
}

const weekday = (day: LocalDate) => new Date(day).getUTCDay();
const isMonday = (day: LocalDate) => weekday(day) === 1;

/** The days on which members joined, oldest first; none on a Monday, when the bar is too quiet to sell one. */
function joinDays(count: number, today: LocalDate, chance: Chance): LocalDate[] {
  const openingDay = addDays(today, -OPENED_DAYS_AGO);
  const lastOpen = addDays(today, isMonday(addDays(today, -1)) ? -2 : -1);
  const months = Array.from({ length: MONTHS }, (_, month) => {
    const start = addMonths(openingDay, month);
    return [month, joinWeight(month, Number(start.slice(5, 7)))] as const;
  });
  return Array.from({ length: count }, () => {
    const start = addMonths(openingDay, chance.pick(months));
    const day = addDays(start, chance.between(0, 28));
    const openDay = isMonday(day) ? addDays(day, 1) : day;
    return openDay < today ? openDay : lastOpen;
  }).sort();
}

function stayFrom(from: LocalDate, tiers: Tier[], today: LocalDate, chance: Chance): Stay {
  const name = chance.pick(Object.entries(TIER_SHARES));
  const tier = tiers.find((it) => it.name === name) ?? tiers[0];
  if (!tier) throw new Error('The demo needs a tier');
  const isEarly = from < addMonths(today, -PRICES_ROSE_MONTHS_AGO);
  const price_cents = isEarly
    ? Math.round((tier.price_cents * FORMER_SHARE_OF_PRICE) / 100) * 100
    : tier.price_cents;
  // A few members leave every month, more of them after the first three months and after a quiet summer.
  for (let months = 2; ; months++) {
    const ends = addMonths(from, months);
    if (ends > today) return { from, until: null, reason: null, tier: tier.name, price_cents };
    const summer = ['08', '09'].includes(ends.slice(5, 7));
    if (chance.is((months === 3 ? 0.06 : 0.032) * (summer ? 1.8 : 1))) {
      const reason = chance.is(0.75) ? chance.pick(REASONS) : null;
      return { from, until: ends, reason, tier: tier.name, price_cents };
    }
  }
}

export function tellMembers(count: number, tiers: Tier[], today: LocalDate, chance: Chance): MemberStory[] {
  return joinDays(count, today, chance).map((from, number) => {
    const { first, last } = fullName(number);
    const stays = [stayFrom(from, tiers, today, chance)];
    const leftOn = stays[0]?.until;
    const returnDay = leftOn && addMonths(leftOn, chance.between(2, 5));
    if (returnDay && returnDay < today && chance.is(0.12))
      stays.push(stayFrom(returnDay, tiers, today, chance));
    const isMember = stays.at(-1)?.until === null;
    const staysAway = isMember && monthsSince(from, today) >= 2 && chance.is(0.14);
    return {
      first,
      last,
      email: demoEmail(first, last),
      phone: chance.is(0.6) ? `+1 555 01${String(chance.between(0, 99)).padStart(2, '0')}` : null,
      stays,
      ratings: ratingsOf(chance),
      thirst: 0.35 + 0.65 * chance.next(),
      away_days: staysAway ? chance.between(22, 70) : 0,
    };
  });
}

/** Members who know wine come more often, and like one color more than the other. */
function ratingsOf(chance: Chance): number[] {
  const within = (value: number) => Math.min(10, Math.max(1, value));
  const knowledge = chance.between(1, 10);
  const lean = chance.between(-4, 4);
  const frequency = within(Math.round(knowledge / 2) + chance.between(0, 4));
  return [knowledge, frequency, within(6 + lean), within(6 - lean), chance.between(2, 10)];
}
