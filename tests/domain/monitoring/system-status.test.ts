import { describe, expect, it, test } from 'vitest';
import {
  backupHealth,
  clockHealth,
  databaseHealth,
  diskHealth,
  emailHealth,
  isDeliveryStuck,
  leftoversHealth,
  type PaymentFacts,
  paymentsHealth,
} from '../../../src/domain/monitoring/system-status.ts';

const now = new Date('2026-06-15T12:00:00Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const GB = 1024 ** 3;
const ago = (ms: number) => new Date(now.getTime() - ms);

test.each([
  [{ answered_ms: 20, own_version: true }, 'well'],
  [{ answered_ms: 1000, own_version: true }, 'attention'],
  [{ answered_ms: 4000, own_version: true }, 'failing'],
  [{ answered_ms: 20, own_version: false }, 'failing'],
])('the database with %j is %s', (facts, expected) => {
  expect(databaseHealth(facts)).toBe(expected);
});

describe('payments', () => {
  const quiet: PaymentFacts = {
    last_sweep_at: ago(MINUTE),
    started_at: ago(DAY),
    unanswered_since: null,
    last_event_at: null,
    has_subscriptions: false,
    oldest_open_event_at: null,
  };
  it.each<[string, Partial<PaymentFacts>, string]>([
    ['nobody pays by card yet', {}, 'well'],
    ['the server has just started', { last_sweep_at: null, started_at: ago(MINUTE) }, 'well'],
    ['no sweep has succeeded since the start', { last_sweep_at: null, started_at: ago(HOUR) }, 'failing'],
    ['the last sweep is five minutes old', { last_sweep_at: ago(5 * MINUTE) }, 'attention'],
    ['Stripe did not answer the last request', { unanswered_since: now }, 'attention'],
    ['Stripe has answered nothing for an hour', { unanswered_since: ago(HOUR) }, 'failing'],
    ['an event waits for a quarter of an hour', { oldest_open_event_at: ago(15 * MINUTE) }, 'attention'],
    ['an event waits for a day', { oldest_open_event_at: ago(DAY) }, 'failing'],
    ['Stripe never called, though members pay by card', { has_subscriptions: true }, 'attention'],
    ['Stripe has not called for 34 days', { has_subscriptions: true, last_event_at: ago(34 * DAY) }, 'well'],
    [
      'Stripe has not called for 35 days',
      { has_subscriptions: true, last_event_at: ago(35 * DAY) },
      'attention',
    ],
  ])('%s', (_, facts, expected) => {
    expect(paymentsHealth({ ...quiet, ...facts }, now)).toBe(expected);
  });
});

test.each([
  [true, null, 'well'],
  [true, ago(14 * MINUTE), 'well'],
  [true, ago(15 * MINUTE), 'attention'],
  [true, ago(DAY), 'failing'],
  [false, null, 'attention'],
])('email with a mail server (%s), the oldest from %s: %s', (sends, oldest_at, expected) => {
  expect(emailHealth({ sends, oldest_at }, now)).toBe(expected);
});

const BACKUP = {
  made_here: true,
  plan: 'daily' as const,
  last_at: null,
  failed_at: null,
  started_at: ago(DAY),
};

test.each([
  [null, null, 'attention'],
  [ago(25 * HOUR), null, 'well'],
  [ago(25 * HOUR), ago(HOUR), 'attention'],
  [ago(26 * HOUR), null, 'attention'],
  [ago(3 * DAY), ago(HOUR), 'failing'],
])('a last backup of %s, and a failed attempt at %s: %s', (last_at, failed_at, expected) => {
  expect(backupHealth({ ...BACKUP, last_at, failed_at }, now)).toBe(expected);
});

test('backups of a Postgres server cannot be seen', () => {
  expect(backupHealth({ ...BACKUP, made_here: false }, now)).toBe('unknown');
});

test.each([
  ['daily', 9, null, 'well'],
  ['daily', 10, null, 'attention'],
  ['daily', 9, 1, 'attention'],
  ['off', 9, null, 'attention'],
  ['demo', 900, null, 'well'],
] as const)(
  'no backup yet, made %s, %s minutes after the start, a try failed %s minutes ago: %s',
  (plan, started, failed, expected) => {
    const started_at = ago(started * MINUTE);
    const failed_at = failed === null ? null : ago(failed * MINUTE);
    expect(backupHealth({ ...BACKUP, plan, started_at, failed_at }, now)).toBe(expected);
  },
);

test.each([
  [null, 'unknown'],
  [2 * GB, 'well'],
  [GB - 1, 'attention'],
  [GB / 4 - 1, 'failing'],
])('%s free bytes are %s', (free, expected) => {
  expect(diskHealth(free)).toBe(expected);
});

test.each([
  [[null, null], 'well'],
  [[4999, -4999], 'well'],
  [[0, -5000], 'attention'],
  [[60_000, null], 'failing'],
])('clocks that differ by %j ms are %s', (skews, expected) => {
  expect(clockHealth(skews)).toBe(expected);
});

test('anything left to do needs attention', () => {
  expect(leftoversHealth([0, 0])).toBe('well');
  expect(leftoversHealth([0, 1])).toBe('attention');
});

test.each([
  ['nothing is due', { due_at: ago(-MINUTE), delivered_at: ago(DAY) }, false],
  ['many are due, and some were just delivered', { due_at: ago(HOUR), delivered_at: ago(MINUTE) }, false],
  ['one is due since five minutes', { due_at: ago(5 * MINUTE), delivered_at: ago(DAY) }, false],
  ['one is due since an hour, and nobody delivers', { due_at: ago(HOUR), delivered_at: ago(HOUR) }, true],
  ['no email waits', { due_at: null, delivered_at: ago(DAY) }, false],
])('delivery is stuck when %s: %s', (_, facts, expected) => {
  expect(isDeliveryStuck(facts, now)).toBe(expected);
});
