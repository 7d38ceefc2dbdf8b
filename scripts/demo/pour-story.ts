import { addDays, addMonths, type LocalDate, localDate, startOfDay } from '../../src/domain/calendar.ts';
import { tonight } from '../../src/domain/reports/tonight.ts';
import type { Chance } from './chance.ts';
import type { MemberStory, Tier } from './member-story.ts';

export interface PouredStory {
  member: number;
  bartender: number;
  at: Date;
  quantity: number;
  location: string;
  notes: string | null;
  /** The reason for a void a little later; null for most pours. */
  void_reason: string | null;
}

/** Sunday first: quiet Mondays, full weekends. */
const GUESTS_BY_WEEKDAY = [0.9, 0.22, 0.6, 0.8, 1.1, 1.8, 2];
/** The same on every weekday: a newcomer looks at tonight first. */
const GUESTS_TONIGHT = 1.8;
const MINUTE_MS = 60_000;
const CLOSED = ['12-24', '12-25', '12-26', '01-01'];
const PLACES = [
  ['main_bar', 62],
  ['tasting_room', 28],
  ['private_event', 10],
] as const;
const GLASSES = [
  [1, 58],
  [2, 34],
  [3, 8],
] as const;
const HOURS = [
  [16, 6],
  [17, 12],
  [18, 20],
  [19, 24],
  [20, 20],
  [21, 12],
  [22, 5],
] as const;
const WEEKEND_HOURS = [[13, 6], [14, 8], [15, 9], ...HOURS] as const;
const NOTES = [
  'Loved the Blaufränkisch',
  'Sat outside',
  'Brought a friend',
  'Asked about the winemaker evening',
];
const VOID_REASONS = ['Poured for the wrong member', 'Corked, poured again', 'Changed their mind'];

const SHIFTS = [[0, 2], [1], [1, 2], [0, 1], [0, 3], [0, 1, 3], [0, 2, 3]];

const weekdayOf = (day: LocalDate) => new Date(day).getUTCDay();

/** In August many members are away. */
const guestsOn = (day: LocalDate) =>
  CLOSED.includes(day.slice(5))
    ? 0
    : (GUESTS_BY_WEEKDAY[weekdayOf(day)] ?? 0) * (day.slice(5, 7) === '08' ? 0.45 : 1);

interface When {
  now: Date;
  timeZone: string;
}

/** Pours, oldest first. No month of a membership has more glasses than the tier gives: docs/rules/glasses.md, "Glasses". */
export function tellPours(members: MemberStory[], tiers: Tier[], times: When, chance: Chance): PouredStory[] {
  const midnight = new Map<LocalDate, number>();
  const instant = (day: LocalDate, minutes: number) => {
    const start = midnight.get(day) ?? startOfDay(day, times.timeZone).getTime();
    midnight.set(day, start);
    return new Date(start + minutes * MINUTE_MS);
  };
  const today = localDate(times.now, times.timeZone);
  const night = tonight(times.now, times.timeZone).day;
  const daysOf = calendarFrom(members[0]?.stays[0]?.from ?? today, night, addMonths(today, 2));
  const stories: PouredStory[] = [];
  for (const [member, story] of members.entries()) {
    const last = addDays(today, -story.away_days);
    for (const { from, until, tier } of story.stays) {
      const glasses = tiers.find(({ name }) => name === tier)?.glasses ?? 0;
      for (let month = 0; ; month++) {
        const starts = addMonths(from, month);
        if (starts > last || (until && starts >= until)) break;
        const ends = addMonths(from, month + 1);
        const isLeaving = until !== null && addMonths(from, month + 2) >= until;
        const goal = Math.round(glasses * story.thirst * (isLeaving ? 0.4 : 0.7 + 0.5 * chance.next()));
        for (const [day, quantity] of visits(daysOf(starts, ends), Math.min(glasses, goal), chance)) {
          if (day > last) continue;
          const minutes = minutesOf(day, chance);
          // After midnight, tonight means the evening that just ended.
          const at = day === night && day === today ? tonightAt(minutes, times) : instant(day, minutes);
          if (at < times.now) stories.push({ member, at, quantity, ...serving(day, chance) });
        }
      }
    }
  }
  return stories.sort((a, b) => a.at.getTime() - b.at.getTime());
}

/** The bar has been open for at most four hours when the demo starts, at any time of day. */
const TONIGHT_MINUTES = 240;
/** A void follows its pour by five minutes. */
const BEFORE_NOW_MS = 6 * MINUTE_MS;

function tonightAt(minutes: number, { now, timeZone }: When): Date {
  const end = now.getTime() - BEFORE_NOW_MS;
  const start = Math.max(tonight(now, timeZone).since.getTime(), end - TONIGHT_MINUTES * MINUTE_MS);
  const share = ((minutes * 37) % TONIGHT_MINUTES) / TONIGHT_MINUTES;
  return new Date(start + share * (end - start));
}

/** The days with their relative numbers of guests, made once because all members share them. */
function calendarFrom(
  first: LocalDate,
  night: LocalDate,
  last: LocalDate,
): (from: LocalDate, until: LocalDate) => [LocalDate, number][] {
  const days: [LocalDate, number][] = [];
  const places = new Map<LocalDate, number>();
  for (let day = first; day <= last; day = addDays(day, 1)) {
    places.set(day, days.length);
    days.push([day, day === night ? Math.max(guestsOn(day), GUESTS_TONIGHT) : guestsOn(day)]);
  }
  return (from, until) => days.slice(places.get(from), places.get(until));
}

/** Picks days, each at most once, with the glasses on each: never more than `goal` in all. */
function visits(days: [LocalDate, number][], goal: number, chance: Chance): [LocalDate, number][] {
  const result = new Map<LocalDate, number>();
  for (let remaining = goal; remaining > 0; ) {
    const quantity = Math.min(remaining, chance.pick(GLASSES));
    remaining -= quantity;
    const day = chance.pick(days);
    if (!result.has(day)) result.set(day, quantity);
  }
  return [...result];
}

function minutesOf(day: LocalDate, chance: Chance): number {
  const weekend = [0, 6].includes(weekdayOf(day));
  return chance.pick(weekend ? WEEKEND_HOURS : HOURS) * 60 + chance.between(0, 59);
}

function serving(day: LocalDate, chance: Chance) {
  const shift = SHIFTS[weekdayOf(day)] ?? [0];
  return {
    bartender: shift[chance.between(0, shift.length - 1)] ?? 0,
    location: chance.pick(PLACES),
    notes: chance.is(0.03) ? (NOTES[chance.between(0, NOTES.length - 1)] ?? null) : null,
    void_reason: chance.is(0.012) ? (VOID_REASONS[chance.between(0, VOID_REASONS.length - 1)] ?? null) : null,
  };
}
