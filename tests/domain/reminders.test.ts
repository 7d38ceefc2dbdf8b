import { expect, test } from 'vitest';
import { dueReminders, type RemindedSubscription } from '../../src/domain/reminders.ts';

const renews_at = new Date('2026-07-15T10:00:00Z');
const renewing: RemindedSubscription = {
  status: 'active',
  cancel_at_period_end: false,
  cancel_at: null,
  current_period_end: renews_at,
  grace_until: null,
  created_at: new Date('2025-03-15T10:00:00Z'),
  canceled_at: null,
};
const weekBefore = { renewalDays: 7, annual: false };
const yearly = { renewalDays: 0, annual: true };
const types = (subscription: RemindedSubscription, settings: typeof weekBefore, now: string) =>
  dueReminders(subscription, settings, new Date(now)).map(({ type }) => type);

test.each([
  ['2026-07-08T09:59:59Z', []],
  ['2026-07-08T10:00:00Z', ['renewal_reminder']],
  ['2026-07-15T09:59:59Z', ['renewal_reminder']],
  ['2026-07-15T10:00:00Z', []],
])('a week before the renewal, at %s: %j', (now, due) => {
  expect(types(renewing, weekBefore, now)).toEqual(due);
});

test.each([
  ['off', renewing, { renewalDays: 0, annual: false }],
  ['set to end on a day', { ...renewing, cancel_at: new Date('2026-08-01T00:00:00Z') }, weekBefore],
  ['with a failed payment', { ...renewing, status: 'past_due', grace_until: renews_at }, weekBefore],
  ['ended', { ...renewing, status: 'canceled' }, weekBefore],
])('no reminder: %s', (_, subscription, settings) => {
  expect(types(subscription, settings, '2026-07-14T10:00:00Z')).toEqual([]);
});

test.each([
  ['2026-03-14T23:59:59Z', []],
  ['2026-03-15T00:00:00Z', [{ type: 'annual_notice', years: 1 }]],
  ['2027-03-14T12:00:00Z', [{ type: 'annual_notice', years: 1 }]],
  ['2027-03-15T12:00:00Z', [{ type: 'annual_notice', years: 2 }]],
])('the annual notice at %s: %j', (now, due) => {
  expect(dueReminders(renewing, yearly, new Date(now))).toEqual(due);
});

const off = { renewalDays: 0, annual: false };
const ending = { ...renewing, cancel_at_period_end: true, canceled_at: new Date('2026-07-01T10:00:00Z') };
test.each([
  ['five days before, to the second', ending, '2026-07-10T10:00:00Z', true],
  ['a second earlier', ending, '2026-07-10T09:59:59Z', false],
  ['just before the end', ending, '2026-07-15T09:59:59Z', true],
  ['at the end', ending, '2026-07-15T10:00:00Z', false],
  [
    'canceled in these last days',
    { ...ending, canceled_at: new Date('2026-07-10T10:00:00Z') },
    '2026-07-14T10:00:00Z',
    false,
  ],
  ['canceled before that was recorded', { ...ending, canceled_at: null }, '2026-07-14T10:00:00Z', true],
  [
    'set to end before the period does',
    { ...ending, cancel_at: new Date('2026-07-08T10:00:00Z') },
    '2026-07-04T10:00:00Z',
    true,
  ],
])('the reminder of an end, whatever else the venue sends: %s', (_, subscription, now, isDue) => {
  for (const settings of [off, weekBefore, yearly]) {
    expect(types(subscription, settings, now)).toEqual(isDue ? ['ending_reminder'] : []);
  }
});

const paused = {
  ...renewing,
  paused_from: new Date('2026-07-15T10:00:00Z'),
  paused_until: new Date('2026-08-15T10:00:00Z'),
};
test.each([
  ['a week before it, to the second', paused, '2026-08-08T10:00:00Z', true],
  ['a second earlier', paused, '2026-08-08T09:59:59Z', false],
  ['canceled during the pause', { ...paused, cancel_at_period_end: true }, '2026-08-14T10:00:00Z', false],
  ['open-ended', { ...paused, paused_until: null }, '2026-08-14T10:00:00Z', false],
])('the reminder of a return, whatever else the venue sends: %s', (_, subscription, now, isDue) => {
  const during = { ...subscription, current_period_end: new Date('2026-08-15T10:00:00Z') };
  for (const settings of [off, weekBefore, yearly]) {
    expect(types(during, settings, now)).toEqual(isDue ? ['return_reminder'] : []);
  }
});
