import { describe, expect, it, test } from 'vitest';
import {
  addMonths,
  atHour,
  CLOCK_SKEW_MS,
  elapsedMs,
  localDate,
  monthsSince,
  startOfDay,
} from '../../src/domain/calendar.ts';

describe('months are counted from the anchor, with the day clamped to the month', () => {
  test.each([
    ['2023-01-31', 1, '2023-02-28'],
    ['2023-01-31', 2, '2023-03-31'],
    ['2024-01-31', 1, '2024-02-29'],
    ['2023-12-31', 2, '2024-02-29'],
    ['2024-02-29', 12, '2025-02-28'],
    ['2024-02-29', 48, '2028-02-29'],
    ['2026-06-15', -6, '2025-12-15'],
    ['2026-10-30', 4, '2027-02-28'],
  ])('%s and %i months is %s', (anchor, months, expected) => {
    expect(addMonths(anchor, months)).toBe(expected);
  });

  test.each([
    ['2024-01-31', '2024-02-28', 0],
    ['2024-01-31', '2024-02-29', 1],
    ['2024-01-31', '2024-03-30', 1],
    ['2024-01-31', '2024-03-31', 2],
    ['2026-05-10', '2026-05-10', 0],
    ['2026-05-10', '2026-05-09', -1],
    ['2025-11-10', '2026-05-09', 5],
  ])('from %s to %s: %i whole months', (anchor, date, expected) => {
    expect(monthsSince(anchor, date)).toBe(expected);
  });

  it('throws for an invalid date', () => {
    expect(() => addMonths('soon', 1)).toThrow(RangeError);
  });
});

describe('a day begins at midnight in the venue’s time zone', () => {
  test.each([
    ['2026-07-01', 'America/New_York', '2026-07-01T04:00:00.000Z'],
    ['2026-01-01', 'America/New_York', '2026-01-01T05:00:00.000Z'],
    ['2026-03-29', 'Europe/Vienna', '2026-03-28T23:00:00.000Z'],
    ['2026-03-30', 'Europe/Vienna', '2026-03-29T22:00:00.000Z'],
    ['2026-06-01', 'Asia/Kolkata', '2026-05-31T18:30:00.000Z'],
    // Here the clock jumps from midnight to one: the day begins at its first instant.
    ['2026-04-24', 'Africa/Cairo', '2026-04-23T22:00:00.000Z'],
    ['2026-09-06', 'America/Santiago', '2026-09-06T04:00:00.000Z'],
    ['2026-03-08', 'America/Havana', '2026-03-08T05:00:00.000Z'],
    // Here it shows midnight twice: the day begins at the first.
    ['2026-11-01', 'America/Havana', '2026-11-01T04:00:00.000Z'],
    ['2021-10-29', 'Asia/Amman', '2021-10-28T21:00:00.000Z'],
    // Samoa left out a day, to be west of the date line no longer.
    ['2011-12-30', 'Pacific/Apia', '2011-12-30T10:00:00.000Z'],
  ])('%s in %s begins at %s', (date, zone, expected) => {
    expect(startOfDay(date, zone).toISOString()).toBe(expected);
  });

  test.each([
    ['2026-03-08', 2, 'America/New_York', '2026-03-08T07:00:00.000Z'],
    ['2026-03-29', 2, 'Europe/Vienna', '2026-03-29T01:00:00.000Z'],
    ['2026-10-25', 2, 'Europe/Vienna', '2026-10-25T00:00:00.000Z'],
    ['2026-11-01', 1, 'America/New_York', '2026-11-01T05:00:00.000Z'],
    ['2026-10-04', 2, 'Australia/Lord_Howe', '2026-10-03T15:30:00.000Z'],
    ['2026-03-29', 2, 'Antarctica/Troll', '2026-03-29T01:00:00.000Z'],
  ])('on %s, %i o’clock in %s is %s, skipped or shown twice', (date, hour, zone, expected) => {
    expect(atHour(date, hour, zone).toISOString()).toBe(expected);
  });

  test.each([
    ['2026-07-01T03:59:59Z', 'America/New_York', '2026-06-30'],
    ['2026-07-01T04:00:00Z', 'America/New_York', '2026-07-01'],
    ['2026-12-31T23:30:00Z', 'Europe/Vienna', '2027-01-01'],
  ])('%s in %s is the day %s', (instant, zone, expected) => {
    expect(localDate(new Date(instant), zone)).toBe(expected);
  });
});

describe('how long ago', () => {
  const now = new Date('2026-06-15T12:00:00Z');
  const ahead = (ms: number) => new Date(now.getTime() + ms);

  test.each([
    ['a minute ago', -60_000, 60_000],
    ['now', 0, 0],
    ['ahead by no more than two servers differ', CLOCK_SKEW_MS, 0],
    ['ahead by more: written while the clock was wrong', CLOCK_SKEW_MS + 1, Number.POSITIVE_INFINITY],
    ['a year ahead', 365 * 86_400_000, Number.POSITIVE_INFINITY],
  ])('%s', (_, by, ms) => expect(elapsedMs(ahead(by), now)).toBe(ms));
});
