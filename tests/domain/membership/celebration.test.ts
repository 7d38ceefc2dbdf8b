import { describe, expect, test } from 'vitest';
import {
  type CelebratedMember,
  celebrationReason,
  celebrationsOn,
  isHundredthNext,
} from '../../../src/domain/membership/celebration.ts';

const member: CelebratedMember = {
  birthday: null,
  member_since: '2024-05-10',
  lifetime: 12,
  poured_today: 2,
};
const occasions = (today: string, change: Partial<CelebratedMember> = {}) =>
  celebrationsOn(today, { ...member, ...change }).map(({ occasion }) => occasion);

describe('birthdays', () => {
  const birthday = { month: 11, day: 22 };
  const leap = { month: 2, day: 29 };
  test.each([
    ['on the day, whatever the year', '2026-11-22', birthday, ['birthday:2026']],
    ['not the day before', '2026-11-21', birthday, []],
    ['of February 29 in a leap year, on the day', '2028-02-29', leap, ['birthday:2028']],
    ['and not on the day before', '2028-02-28', leap, []],
    ['in another year on February 28', '2027-02-28', leap, ['birthday:2027']],
    ['and not on March 1', '2027-03-01', leap, []],
    ['in 2100, which has no leap day', '2100-02-28', leap, ['birthday:2100']],
    ['that nobody knows', '2026-11-22', null, []],
  ])('%s', (_, today, known, found) => expect(occasions(today, { birthday: known })).toEqual(found));
});

describe('anniversaries', () => {
  test.each([
    ['the first', '2025-05-10', '2024-05-10', ['anniversary:1']],
    ['each later one', '2027-05-10', '2024-05-10', ['anniversary:3']],
    ['not the day of joining', '2024-05-10', '2024-05-10', []],
    ['not a month later', '2024-06-10', '2024-05-10', []],
    ['of a member who joined on February 29, on February 28', '2025-02-28', '2024-02-29', ['anniversary:1']],
    ['and in a leap year on February 29', '2028-02-29', '2024-02-29', ['anniversary:4']],
    ['not on the day before', '2028-02-28', '2024-02-29', []],
  ])('%s', (_, today, member_since, found) => expect(occasions(today, { member_since })).toEqual(found));
});

describe('the hundredth glass', () => {
  test.each([
    ['on the day it was poured', 100, 1, ['hundredth']],
    ['also among others', 103, 4, ['hundredth']],
    ['not the next day', 101, 1, []],
    ['not before', 99, 5, []],
    ['not for a member who had more long before', 500, 2, []],
  ])('%s', (_, lifetime, poured_today, found) =>
    expect(occasions('2026-01-01', { lifetime, poured_today })).toEqual(found),
  );
  test('is next after ninety-nine', () => {
    expect([98, 99, 100].map(isHundredthNext)).toEqual([false, true, false]);
  });
});

test('the ledger states the reason', () => {
  const all = celebrationsOn('2026-05-10', {
    birthday: { month: 5, day: 10 },
    member_since: '2025-05-10',
    lifetime: 100,
    poured_today: 1,
  });
  expect(all.map(celebrationReason)).toEqual(['Birthday', 'Anniversary: 1 year', 'Hundredth glass']);
});
