import { expect, test, vi } from 'vitest';
import * as dates from '../../../src/web/format/dates.ts';

const ZONES = ['America/Los_Angeles', 'UTC', 'Pacific/Auckland'];

test.each(ZONES)('a calendar day is that day in %s', (zone) => {
  vi.stubEnv('TZ', zone);
  expect(dates.dateOfDay('2024-03-01')).toBe('3/1/2024');
  expect(dates.monthOfDay('2024-03-01')).toBe('March 2024');
  expect(dates.birthdayText({ month: 3, day: 1, year: 1984 })).toBe('March 1, 1984');
  expect(dates.birthdayText({ month: 2, day: 29, year: null })).toBe('February 29');
});

test.each(ZONES)('dates and times in %s are formatted as Intl formats American English', (zone) => {
  vi.stubEnv('TZ', zone);
  const intl = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en-US', options);
  const numeric = intl({ month: 'numeric', day: 'numeric', year: 'numeric' });
  const padded = intl({ month: 'short', day: '2-digit', year: 'numeric' });
  const time = intl({ hour: 'numeric', minute: '2-digit' });
  // Each day of a year, with hour and minute moving on.
  for (let at = Date.UTC(2024, 0, 1); at < Date.UTC(2025, 0, 2); at += (25 * 60 + 7) * 60_000) {
    const instant = new Date(at);
    // Newer versions of Intl put a narrow space before AM and PM.
    const hours = time.format(instant).replace('\u202f', ' ');
    expect(dates.dateOfInstant(instant.toISOString())).toBe(numeric.format(instant));
    expect(dates.dateOfInstant(at / 1000)).toBe(numeric.format(instant));
    expect(dates.timeOfDay(instant)).toBe(hours);
    expect(dates.formatDateTime(instant.toISOString())).toBe(`${padded.format(instant)} • ${hours}`);
  }
});
