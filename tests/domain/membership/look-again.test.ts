import { describe, expect, test } from 'vitest';
import { lookAgainAt } from '../../../src/domain/membership/look-again.ts';

const NOW = new Date('2026-06-15T12:00:00Z');
const day = (date: string) => new Date(`2026-${date}T09:00:00Z`);
const RUNNING = {
  status: 'active',
  cancel_at_period_end: false,
  current_period_end: day('07-01'),
  cancel_at: null,
  grace_until: null,
  approval_until: null,
  paused_from: null,
  paused_until: null,
};
const hours = (count: number) => new Date(NOW.getTime() + count * 3_600_000);
const PAID = { is_unpaid: false };

describe('a subscription is looked at again', () => {
  test.each([
    ['after a week while it runs', {}, PAID, hours(168)],
    ['at the end of its period', { current_period_end: day('06-18') }, PAID, day('06-18')],
    ['at the end of its life', { cancel_at: day('06-17') }, PAID, day('06-17')],
    ['when a pause begins', { paused_from: day('06-19'), paused_until: day('07-19') }, PAID, day('06-19')],
    ['when a pause ends', { paused_from: day('05-19'), paused_until: day('06-19') }, PAID, day('06-19')],
    ['at the bank’s deadline', { approval_until: day('06-16') }, PAID, day('06-16')],
    ['hourly while its renewal has not come', { current_period_end: day('06-15') }, PAID, hours(1)],
    ['hourly while its period is not paid', {}, { is_unpaid: true }, hours(1)],
    ['hourly while a payment is past due', { status: 'past_due', grace_until: day('06-20') }, PAID, hours(1)],
    ['daily while it is unpaid', { status: 'unpaid' }, PAID, hours(24)],
    ['daily in a status we do not know', { status: 'held' }, PAID, hours(24)],
    [
      'after a week while Stripe has stopped it without an end',
      { current_period_end: day('06-01'), paused_from: day('06-01') },
      PAID,
      hours(168),
    ],
    ['never once it has ended', { status: 'canceled' }, PAID, null],
  ])('%s', (_, change, facts, expected) => {
    expect(lookAgainAt({ ...RUNNING, ...change }, facts, NOW)).toEqual(expected);
  });
});
