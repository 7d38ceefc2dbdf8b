import { describe, expect, test } from 'vitest';
import type { ApplicationStatus } from '../../src/domain/application.ts';
import {
  APPROVAL_NEWS_DAYS,
  isUnfinished,
  newestAnswers,
  showsDecision,
} from '../../src/domain/application.ts';

const DAY_MS = 86_400_000;
const reviewed_at = new Date('2026-03-01T12:00:00Z');
const daysLater = (days: number) => new Date(reviewed_at.getTime() + days * DAY_MS);
const member = { isMember: true, isApplying: false };
const applying = { isMember: false, isApplying: true };
const visitor = { isMember: false, isApplying: false };

describe('whether the dashboard shows a decision', () => {
  test.each<[ApplicationStatus, typeof member, number, boolean]>([
    ['approved', member, 0, true],
    ['approved', member, APPROVAL_NEWS_DAYS - 1, true],
    ['approved', member, APPROVAL_NEWS_DAYS, false],
    ['approved', visitor, 0, false],
    ['rejected', visitor, 0, true],
    ['rejected', visitor, 400, true],
    ['rejected', applying, 0, false],
    ['rejected', member, 0, false],
    ['pending', visitor, 0, false],
    ['pending', member, 0, false],
  ])('%s, user %j, after %d days: %s', (status, user, days, shown) => {
    expect(showsDecision({ status, reviewed_at }, user, daysLater(days))).toBe(shown);
  });
});

test('only a pending application without its last step is unfinished', () => {
  expect(isUnfinished({ status: 'pending', is_complete: false })).toBe(true);
  expect(isUnfinished({ status: 'pending', is_complete: true })).toBe(false);
  expect(isUnfinished({ status: 'rejected', is_complete: false })).toBe(false);
});

describe('which answers about taste count', () => {
  const at = (day: number) => new Date(Date.UTC(2026, 5, day));
  type Some = { red?: number; comments?: string };
  const applied = { answers: { red: 3, comments: 'No oak' } as Some, given_at: at(10) };
  const changedOn = (day: number) => ({ answers: { red: 9 } as Some, given_at: at(day) });

  // docs/rules/wines.md, "Taste".
  test.each([
    ['no answers at all', null, null, null],
    ['an application alone', applied, null, applied],
    ['a change alone', null, changedOn(5), changedOn(5)],
    ['an application after the change', applied, changedOn(5), applied],
    [
      'a change after the application: its ratings, and what was said in words',
      applied,
      changedOn(12),
      { answers: { red: 9, comments: 'No oak' }, given_at: at(12) },
    ],
  ])('%s', (_, application, change, counts) => {
    expect(newestAnswers(application, change)).toEqual(counts);
  });
});
