import { expect, test } from 'vitest';
import {
  accessUntil,
  canReplaceStatus,
  graceUntil,
  grantsAccess,
  isEnded,
  SUBSCRIPTION_STATUSES,
  standingOf,
} from '../../src/domain/standing.ts';

const day = (n: number) => new Date(Date.UTC(2026, 0, 1 + n));
const NOW = day(10);
const END = day(20);

const table: [
  string,
  { cancel?: boolean; at?: number; grace?: number; now?: number },
  string,
  Date | null,
][] = [
  ['active', {}, 'active', day(27)],
  ['active', { now: 25 }, 'active', day(27)],
  ['active', { cancel: true }, 'ending', END],
  ['active', { cancel: true, now: 20 }, 'ended', null],
  ['active', { at: 15 }, 'ending', day(15)],
  ['active', { at: 15, now: 15 }, 'ended', null],
  ['active', { at: 60 }, 'ending', day(27)],
  ['active', { cancel: true, at: 20 }, 'ending', END],
  ['trialing', {}, 'active', day(27)],
  ['trialing', { cancel: true }, 'ending', END],
  ['past_due', { grace: 12 }, 'grace', day(12)],
  ['past_due', { grace: 10 }, 'suspended', null],
  ['past_due', { grace: 9 }, 'suspended', null],
  ['past_due', {}, 'suspended', null],
  ['past_due', { grace: 12, cancel: true }, 'grace', day(12)],
  ['unpaid', {}, 'suspended', null],
  ['paused', {}, 'suspended', null],
  ['incomplete', {}, 'suspended', null],
  ['canceled', {}, 'ended', null],
  ['incomplete_expired', {}, 'ended', null],
  ['mellowed', {}, 'unknown', null],
  ['', {}, 'unknown', null],
];

test.each(table)('%s %j is %s', (status, { cancel = false, at, grace, now }, standing, until) => {
  const state = {
    status,
    cancel_at_period_end: cancel,
    cancel_at: at === undefined ? null : day(at),
    current_period_end: END,
    grace_until: grace === undefined ? null : day(grace),
  };
  const instant = now === undefined ? NOW : day(now);
  expect(standingOf(state, instant)).toBe(standing);
  expect(accessUntil(state, instant)).toEqual(until);
  expect(grantsAccess(standingOf(state, instant))).toBe(until !== null);
});

test('the table covers every status', () => {
  expect(SUBSCRIPTION_STATUSES.filter((status) => !table.some(([row]) => row === status))).toEqual([]);
});

test('grace begins with the first failure, is not extended by the next, and ends with recovery', () => {
  const first = graceUntil('past_due', null, NOW);
  expect(first).toEqual(day(17));
  expect(graceUntil('past_due', first, day(14))).toEqual(day(17));
  expect(graceUntil('active', first, day(14))).toBeNull();
  expect(graceUntil('unpaid', first, day(14))).toBeNull();
});

test('ended is final', () => {
  for (const ended of ['canceled', 'incomplete_expired']) {
    expect(isEnded(ended)).toBe(true);
    for (const status of SUBSCRIPTION_STATUSES) {
      expect(canReplaceStatus(ended, status)).toBe(isEnded(status));
      expect(canReplaceStatus('active', status)).toBe(true);
    }
  }
});
