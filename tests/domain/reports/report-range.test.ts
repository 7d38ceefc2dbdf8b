import { expect, it } from 'vitest';
import { churnRate } from '../../../src/domain/reports/member-figures.ts';
import { isReportRange, monthsOf, stepEnds, stepOf } from '../../../src/domain/reports/report-range.ts';
import { tonight } from '../../../src/domain/reports/tonight.ts';

it('a range has daily steps up to two months, weekly up to six, then monthly', () => {
  expect(stepOf({ from: '2026-01-01', to: '2026-03-03' })).toBe('day');
  expect(stepOf({ from: '2026-01-01', to: '2026-03-04' })).toBe('week');
  expect(stepOf({ from: '2026-01-01', to: '2026-07-05' })).toBe('week');
  expect(stepOf({ from: '2026-01-01', to: '2026-07-06' })).toBe('month');
});

it('each step ends with its last day, and the last one with the range', () => {
  expect(stepEnds({ from: '2026-03-30', to: '2026-04-01' })).toEqual([
    '2026-03-30',
    '2026-03-31',
    '2026-04-01',
  ]);
  expect(stepEnds({ from: '2026-01-05', to: '2026-03-30' }).slice(0, 2)).toEqual([
    '2026-01-11',
    '2026-01-18',
  ]);
  expect(stepEnds({ from: '2025-12-10', to: '2026-07-04' })).toEqual([
    ...['2025-12-31', '2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30', '2026-05-31', '2026-06-30'],
    '2026-07-04',
  ]);
});

it('a range runs forward, for at most five years', () => {
  expect(isReportRange({ from: '2026-03-02', to: '2026-03-01' })).toBe(false);
  expect(isReportRange({ from: '2021-03-01', to: '2026-03-01' })).toBe(true);
  expect(isReportRange({ from: '2021-02-28', to: '2026-03-02' })).toBe(false);
});

it('a range lists the months it touches by their first days', () => {
  expect(monthsOf({ from: '2025-12-31', to: '2026-02-01' })).toEqual([
    '2025-12-01',
    '2026-01-01',
    '2026-02-01',
  ]);
});

it('churn is the share lost of those at the beginning', () => {
  expect(churnRate({ opening: 40, lost: 3 })).toBe(0.075);
  expect(churnRate({ opening: 0, lost: 0 })).toBeNull();
});

it('a night lasts past midnight, until six in the morning at the venue', () => {
  const zone = 'Europe/Vienna';
  const began = { since: new Date('2026-06-15T04:00:00Z'), day: '2026-06-15' };
  expect(tonight(new Date('2026-06-15T20:00:00Z'), zone)).toEqual(began);
  expect(tonight(new Date('2026-06-16T03:59:59Z'), zone)).toEqual(began);
  expect(tonight(new Date('2026-06-16T04:00:00Z'), zone).day).toBe('2026-06-16');
});
