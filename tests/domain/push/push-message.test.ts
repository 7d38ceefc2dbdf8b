import { expect, test } from 'vitest';
import {
  glassesLeftMessage,
  nextDaytime,
  paymentFailedMessage,
} from '../../../src/domain/push/push-message.ts';

test.each([
  ['during the day', '2026-06-15T12:00:00Z', 'UTC', '2026-06-15T12:00:00Z'],
  ['at nine', '2026-06-15T09:00:00Z', 'UTC', '2026-06-15T09:00:00Z'],
  ['before nine', '2026-06-15T08:59:59Z', 'UTC', '2026-06-15T09:00:00Z'],
  ['just before nine in the evening', '2026-06-15T20:59:59Z', 'UTC', '2026-06-15T20:59:59Z'],
  ['at nine in the evening', '2026-06-15T21:00:00Z', 'UTC', '2026-06-16T09:00:00Z'],
  ['in the venue’s evening', '2026-06-15T03:00:00Z', 'America/Los_Angeles', '2026-06-15T03:00:00Z'],
  ['in the venue’s night', '2026-06-15T12:00:00Z', 'America/Los_Angeles', '2026-06-15T16:00:00Z'],
  [
    'in the late evening far east of UTC',
    '2026-06-15T07:30:00Z',
    'Pacific/Kiritimati',
    '2026-06-15T19:00:00Z',
  ],
  [
    'over a night in which the clock goes forward',
    '2026-03-28T22:00:00Z',
    'Europe/Vienna',
    '2026-03-29T07:00:00Z',
  ],
  [
    'over a night in which the clock goes back',
    '2026-10-24T20:00:00Z',
    'Europe/Vienna',
    '2026-10-25T08:00:00Z',
  ],
])('a notification goes out by day: %s', (_, now, zone, expected) => {
  expect(nextDaytime(new Date(now), zone)).toEqual(new Date(expected));
});

test('a locked screen shows the club and what to do, but no amount, count or name', () => {
  const glasses = glassesLeftMessage('Cellar Door', 'July 15');
  expect(glasses).toEqual({
    tag: 'glasses_left',
    title: 'Cellar Door',
    body: 'You have pours left this month. They reset on July 15.',
    path: '/dashboard',
  });
  expect(paymentFailedMessage('Cellar Door')).toEqual({
    tag: 'payment_failed',
    title: 'Cellar Door',
    body: 'Please check the payment method for your membership.',
    path: '/account',
  });
});
