import { describe, expect, test } from 'vitest';
import type { ApplicationStatus } from '../../src/domain/application.ts';
import { APPROVAL_NEWS_DAYS, isUnfinished, showsDecision } from '../../src/domain/application.ts';

const DAY_MS = 86_400_000;
const reviewed_at = new Date('2026-03-01T12:00:00Z');
const daysLater = (days: number) => new Date(reviewed_at.getTime() + days * DAY_MS);
const member = { isMember: true, isApplying: false };
const applying = { isMember: false, isApplying: true };
const visitor = { isMember: false, isApplying: false };

describe('whether the dashboard tells of a decision', () => {
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
