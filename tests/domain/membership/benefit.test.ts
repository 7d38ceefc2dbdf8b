import { describe, expect, it, test } from 'vitest';
import { startOfDay } from '../../../src/domain/calendar.ts';
import { venuePeriod } from '../../../src/domain/glasses.ts';
import {
  type Benefit,
  type BenefitUnit,
  benefitLeftText,
  benefitsObstacle,
  benefitText,
  benefitWindow,
  type MonthsOfMembership,
  numberIn,
  takenIn,
} from '../../../src/domain/membership/benefit.ts';

// docs/rules/benefits.md

const ZONE = 'America/Los_Angeles';
const day = (date: string) => startOfDay(date, ZONE);

/** A membership at the venue that began on a day, as it stands at an instant. */
const atVenue = (began: string, now: Date): MonthsOfMembership => ({
  by_card: false,
  began: day(began),
  running: venuePeriod(began, now, ZONE),
  time_zone: ZONE,
});

describe('the window of a benefit at the venue', () => {
  test.each<[BenefitUnit, string, string, string, string | null]>([
    ['month', '2026-01-31', '2026-02-28', '2026-02-28', '2026-03-31'],
    ['month', '2026-01-31', '2026-03-30', '2026-02-28', '2026-03-31'],
    ['quarter', '2026-01-31', '2026-01-31', '2026-01-31', '2026-04-30'],
    ['quarter', '2026-01-31', '2026-04-29', '2026-01-31', '2026-04-30'],
    ['quarter', '2026-01-31', '2026-04-30', '2026-04-30', '2026-07-31'],
    ['quarter', '2026-01-31', '2027-02-01', '2027-01-31', '2027-04-30'],
    ['year', '2028-02-29', '2029-02-27', '2028-02-29', '2029-02-28'],
    ['year', '2028-02-29', '2029-02-28', '2029-02-28', '2030-02-28'],
    ['once', '2026-01-31', '2029-05-01', '2026-01-31', null],
  ])('%s of a member since %s, on %s: %s to %s', (every, began, on, start, end) => {
    const noon = new Date(day(on).getTime() + 12 * 3_600_000);
    expect(benefitWindow(every, atVenue(began, noon), noon)).toEqual({
      start: day(start),
      end: end === null ? null : day(end),
    });
  });

  it('begins at midnight at the venue', () => {
    const midnight = day('2026-04-30');
    const before = new Date(midnight.getTime() - 1);
    const months = atVenue('2026-01-31', midnight);
    expect(benefitWindow('quarter', months, midnight).start).toEqual(midnight);
    expect(benefitWindow('quarter', months, before).end).toEqual(midnight);
    expect(benefitWindow('month', months, before)).toEqual({ start: day('2026-03-31'), end: midnight });
  });

  it('of a first month begins with the membership', () => {
    const began = new Date(day('2026-06-15').getTime() + 18 * 3_600_000);
    const running = { start: began, end: day('2026-07-15') };
    const months = { ...atVenue('2026-06-15', began), running };
    expect(benefitWindow('month', months, began)).toEqual(running);
  });
});

describe('the window of a benefit by card', () => {
  const began = new Date('2026-01-31T20:13:05Z');
  const months = (start: string, end: string): MonthsOfMembership => ({
    by_card: true,
    began,
    running: { start: new Date(start), end: new Date(end) },
    time_zone: ZONE,
  });
  const running = months('2026-04-30T20:13:05Z', '2026-05-31T20:13:05Z');

  it('is whole billing periods, to the second', () => {
    const at = (instant: string) => benefitWindow('quarter', running, new Date(instant));
    const first = { start: began, end: new Date('2026-04-30T20:13:05Z') };
    expect(at('2026-04-30T20:13:04Z')).toEqual(first);
    expect(at('2026-04-30T20:13:05Z')).toEqual({
      start: new Date('2026-04-30T20:13:05Z'),
      end: new Date('2026-07-31T20:13:05Z'),
    });
    expect(benefitWindow('month', running, new Date('2026-05-01T00:00:00Z'))).toEqual(running.running);
    expect(benefitWindow('month', running, new Date('2026-04-30T00:00:00Z'))).toEqual({
      start: new Date('2026-03-31T20:13:05Z'),
      end: new Date('2026-04-30T20:13:05Z'),
    });
  });

  it('of a month follows a billing day that moved; a quarter stays', () => {
    const moved = months('2026-03-10T09:00:00Z', '2026-04-10T09:00:00Z');
    const at = new Date('2026-03-20T00:00:00Z');
    expect(benefitWindow('month', moved, at)).toEqual(moved.running);
    expect(benefitWindow('quarter', moved, at).start).toEqual(began);
    expect(benefitWindow('month', moved, new Date('2026-03-05T00:00:00Z'))).toEqual({
      start: new Date('2026-02-10T09:00:00Z'),
      end: moved.running.start,
    });
  });
});

test('a pause moves no window', () => {
  // Paused from March 15 to May 15: the running month is counted from the membership's first day, as before.
  const back = new Date(day('2026-05-15').getTime() + 1);
  expect(benefitWindow('quarter', atVenue('2026-01-15', back), back)).toEqual({
    start: day('2026-04-15'),
    end: day('2026-07-15'),
  });
});

describe('the number in a window', () => {
  const window = { start: day('2026-03-15'), end: day('2026-04-15') };
  const numbers = (...list: [string, number][]) =>
    list.map(([since, number]) => ({ since: day(since), number }));
  test.each<[string, [string, number][], number]>([
    ['as it was when the window began', [['2026-01-01', 2]], 2],
    [
      'raised within it reaches everyone',
      [
        ['2026-01-01', 2],
        ['2026-03-20', 4],
      ],
      4,
    ],
    [
      'lowered within it counts from the next',
      [
        ['2026-01-01', 2],
        ['2026-03-20', 1],
      ],
      2,
    ],
    [
      'raised and lowered within it is the most',
      [
        ['2026-01-01', 1],
        ['2026-03-20', 5],
        ['2026-03-21', 2],
      ],
      5,
    ],
    [
      'lowered as it began',
      [
        ['2026-01-01', 2],
        ['2026-03-15', 1],
      ],
      1,
    ],
    ['new within it', [['2026-04-01', 3]], 3],
    ['new after it', [['2026-04-15', 3]], 0],
    [
      'off the list before it',
      [
        ['2026-01-01', 2],
        ['2026-02-01', 0],
      ],
      0,
    ],
    [
      'off the list within it',
      [
        ['2026-01-01', 2],
        ['2026-04-01', 0],
      ],
      2,
    ],
    ['none', [], 0],
  ])('%s', (_, list, expected) => {
    expect(numberIn(window, numbers(...list))).toBe(expected);
  });

  it('once is the most since the membership began', () => {
    const once = { start: day('2026-03-15'), end: null };
    expect(numberIn(once, numbers(['2026-01-01', 2], ['2027-01-01', 1]))).toBe(2);
    expect(numberIn(once, numbers(['2026-01-01', 2], ['2026-02-01', 1]))).toBe(1);
  });
});

test('what was taken counts in its window, and once for good', () => {
  const uses = [day('2026-03-14'), day('2026-03-15'), day('2026-04-14'), day('2026-04-15')];
  expect(takenIn({ start: day('2026-03-15'), end: day('2026-04-15') }, uses)).toBe(2);
  expect(takenIn({ start: day('2026-04-01'), end: null }, uses)).toBe(4);
});

const benefit = (words: string, every: BenefitUnit | null = null, number: number | null = null): Benefit => ({
  words,
  every,
  number,
});

describe('a list', () => {
  const fine = benefit('Bottle of the month', 'month', 1);
  test.each<[string, Benefit[], ReturnType<typeof benefitsObstacle>]>([
    ['nothing', [], null],
    ['a standing and a counted one', [benefit('10 % off bottles to take home'), fine], null],
    ['50', [benefit('Tasting', 'once', 50)], null],
    ['60 characters', [benefit('x'.repeat(60))], null],
    ['61 characters', [benefit('x'.repeat(61))], 'benefit_words_not_allowed'],
    ['no words', [benefit(' ')], 'benefit_words_not_allowed'],
    ['HTML', [benefit('<b>Bottle</b>')], 'benefit_words_not_allowed'],
    ['two lines', [benefit('Bottle\nof the month')], 'benefit_words_not_allowed'],
    ['a count of 0', [benefit('Bottle', 'month', 0)], 'benefit_number_not_allowed'],
    ['a count of 51', [benefit('Bottle', 'month', 51)], 'benefit_number_not_allowed'],
    ['half a bottle', [benefit('Bottle', 'month', 0.5)], 'benefit_number_not_allowed'],
    ['a unit without a number', [benefit('Bottle', 'month')], 'benefit_number_not_allowed'],
    ['a number without a unit', [benefit('Bottle', null, 2)], 'benefit_number_not_allowed'],
    ['the same twice', [fine, benefit('BOTTLE of the month', 'month', 2)], 'benefit_twice'],
    ['the same words by another unit', [fine, benefit('Bottle of the month', 'year', 2)], null],
    ['eight', Array.from({ length: 8 }, (_, n) => benefit(`B${n}`)), null],
    ['nine', Array.from({ length: 9 }, (_, n) => benefit(`B${n}`)), 'too_many_benefits'],
  ])('%s', (_, list, obstacle) => {
    expect(benefitsObstacle(list)).toBe(obstacle);
  });
});

test('its words', () => {
  expect(benefitText(benefit('10 % off bottles'))).toBe('10 % off bottles');
  expect(benefitText(benefit('Bottle of the month', 'month', 1))).toBe('Bottle of the month, 1 a month');
  expect(benefitText(benefit('Welcome bottle', 'once', 2))).toBe('Welcome bottle, 2 in all');
  expect(benefitLeftText({ every: 'quarter', number: 2, left: 1 })).toBe('1 of 2 left this quarter');
  expect(benefitLeftText({ every: 'once', number: 1, left: 0 })).toBe('0 of 1 left');
});
