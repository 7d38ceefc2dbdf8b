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
  ['canceled for the end of the period', { ...renewing, cancel_at_period_end: true }, weekBefore],
  ['set to end on a day', { ...renewing, cancel_at: new Date('2026-08-01T00:00:00Z') }, weekBefore],
  ['with a failed payment', { ...renewing, status: 'past_due', grace_until: renews_at }, weekBefore],
  ['ended', { ...renewing, status: 'canceled' }, weekBefore],
  ['canceled, a year on', { ...renewing, cancel_at_period_end: true }, yearly],
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
