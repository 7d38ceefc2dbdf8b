import { describe, expect, test } from 'vitest';
import {
  accessUntil,
  barStanding,
  canReplaceStatus,
  graceUntil,
  grantsAccess,
  isEnded,
  poursReturnAt,
  SUBSCRIPTION_STATUSES,
  type SubscriptionState,
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
  expect(graceUntil('past_due', null, NOW, 3)).toEqual(day(13));
  expect(graceUntil('past_due', first, day(14), 3), 'as it was announced').toEqual(day(17));
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

const today = new Date('2026-11-22T07:00:00Z');
const earlier = new Date('2026-11-04T03:00:00Z');
const later = new Date('2026-12-21T10:00:00Z');
const paid: SubscriptionState = {
  status: 'active',
  cancel_at_period_end: false,
  current_period_end: later,
  grace_until: null,
};
const seen = (active: boolean, subscription: SubscriptionState | null, ended_on: string | null = null) =>
  Object.values(barStanding({ active, subscription, ended_on }, today, 'America/New_York'));

describe('what staff see before they pour', () => {
  test.each<[string, unknown[], unknown[]]>([
    ['billed at the venue', seen(true, null), ['venue', null]],
    ['paid by card', seen(true, paid), ['active', null]],
    ['ended, not swept up yet', seen(true, { ...paid, cancel_at: earlier }), ['ended', '2026-11-03']],
    [
      'grace over',
      seen(true, { ...paid, status: 'past_due', grace_until: earlier }),
      ['suspended', '2026-11-03'],
    ],
    ['canceled, no day known', seen(true, { ...paid, status: 'canceled' }), ['ended', null]],
    ['lost the card', seen(false, { ...paid, status: 'canceled' }, '2026-11-01'), ['ended', '2026-11-01']],
    ['unpaid', seen(false, { ...paid, status: 'unpaid' }, '2026-11-01'), ['suspended', '2026-11-01']],
    ['our copy still looks paid', seen(false, paid, '2026-11-01'), ['ended', '2026-11-01']],
    ['was billed at the venue', seen(false, null, '2026-11-01'), ['inactive', '2026-11-01']],
    ['never was a member', seen(false, null), ['inactive', null]],
  ])('%s', (_, standing, expected) => {
    expect(standing).toEqual(expected);
  });
});

describe('glasses come back', () => {
  const facts = {
    standing: 'active',
    period_end: later,
    ends_at: null,
    paused_until: null,
    pours_when_paid: 0,
  } as const;
  test('with the next period, by card or at the venue', () => {
    expect(poursReturnAt(facts)).toBe(later);
    expect(poursReturnAt({ ...facts, standing: 'venue' })).toBe(later);
  });
  test('only if the membership continues', () => {
    expect(poursReturnAt({ ...facts, standing: 'ending', ends_at: later })).toBeNull();
    expect(poursReturnAt({ ...facts, standing: 'ending', ends_at: new Date(later.getTime() + 1) })).toBe(
      later,
    );
    for (const standing of ['grace', 'suspended', 'ended', 'inactive', 'unknown'] as const) {
      expect(poursReturnAt({ ...facts, standing })).toBeNull();
    }
  });
  test('with a pending payment, on no known day', () => {
    expect(poursReturnAt({ ...facts, pours_when_paid: 3 })).toBeNull();
  });
});
