import { expect, test } from 'vitest';
import { disputeState, leadingDispute } from '../../../src/domain/staff/dispute.ts';

test.each([
  ['needs_response', 'open'],
  ['under_review', 'open'],
  ['warning_needs_response', 'open'],
  ['warning_under_review', 'open'],
  ['a status unknown today', 'open'],
  ['won', 'won'],
  ['warning_closed', 'won'],
  ['prevented', 'won'],
  ['lost', 'lost'],
])('a dispute that Stripe calls %s is %s', (status, state) => {
  expect(disputeState(status)).toBe(state);
});

test('of several disputes the open one leads, then a lost one, then the newest', () => {
  const one = (id: string, state: 'open' | 'won' | 'lost', day: number) => ({
    id,
    state,
    opened_at: new Date(Date.UTC(2026, 5, day)),
  });
  const lead = (...disputes: ReturnType<typeof one>[]) => leadingDispute(disputes)?.id ?? null;
  expect(lead()).toBeNull();
  expect(lead(one('a', 'won', 1))).toBe('a');
  expect(lead(one('a', 'open', 1), one('b', 'lost', 2), one('c', 'won', 3))).toBe('a');
  expect(lead(one('a', 'lost', 1), one('b', 'won', 2))).toBe('a');
  expect(lead(one('a', 'lost', 1), one('b', 'lost', 2))).toBe('b');
});
