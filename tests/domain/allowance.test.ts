import { describe, expect, it, test } from 'vitest';
import { availability, cardPeriod, decidePour, venuePeriod } from '../../src/domain/allowance.ts';

const at = (text: string) => new Date(text);

describe('the period of a member billed at the venue runs monthly from member_since', () => {
  test.each([
    ['2026-01-31', '2026-01-31T00:00:00Z', '2026-01-31', '2026-02-28'],
    ['2026-01-31', '2026-02-27T23:59:59Z', '2026-01-31', '2026-02-28'],
    ['2026-01-31', '2026-02-28T00:00:00Z', '2026-02-28', '2026-03-31'],
    ['2026-01-31', '2026-03-30T12:00:00Z', '2026-02-28', '2026-03-31'],
    ['2026-01-31', '2026-03-31T00:00:00Z', '2026-03-31', '2026-04-30'],
    ['2024-02-29', '2025-03-01T00:00:00Z', '2025-02-28', '2025-03-29'],
  ])('member since %s, at %s: %s to %s', (since, now, start, end) => {
    expect(venuePeriod(since, at(now), 'UTC')).toEqual({
      start: at(`${start}T00:00:00Z`),
      end: at(`${end}T00:00:00Z`),
    });
  });

  it('starts at midnight in the venue’s time zone', () => {
    const before = venuePeriod('2026-05-15', at('2026-06-15T03:59:59Z'), 'America/New_York');
    const after = venuePeriod('2026-05-15', at('2026-06-15T04:00:00Z'), 'America/New_York');
    expect(before.end).toEqual(at('2026-06-15T04:00:00Z'));
    expect(after.start).toEqual(before.end);
  });
});

describe('the period of a card subscription is the one last fetched from Stripe', () => {
  const stored = { start: at('2026-01-31T10:00:00Z'), end: at('2026-02-28T10:00:00Z') };

  it('is the stored period until it ends', () => {
    expect(cardPeriod(stored, at('2026-02-28T09:59:59Z'))).toEqual(stored);
  });

  it('is the next month from then on, even before we see the renewal', () => {
    expect(cardPeriod(stored, at('2026-02-28T10:00:00Z'))).toEqual({
      start: stored.end,
      end: at('2026-03-28T10:00:00Z'),
    });
  });
});

describe('available is the tier’s monthly pours minus the pours of the period', () => {
  const period = { start: at('2026-06-01T00:00:00Z'), end: at('2026-07-01T00:00:00Z') };
  const entry = (created_at: string, quantity: number, voided = false) => ({
    created_at: at(created_at),
    quantity,
    voided,
  });

  test.each([
    ['nothing poured', [], 4, 0],
    ['the first instant counts', [entry('2026-06-01T00:00:00Z', 1)], 3, 1],
    ['the end belongs to the next period', [entry('2026-07-01T00:00:00Z', 1)], 4, 0],
    ['the previous period does not count', [entry('2026-05-31T23:59:59Z', 4)], 4, 0],
    [
      'a voided pour does not count',
      [entry('2026-06-05T00:00:00Z', 2, true), entry('2026-06-06T00:00:00Z', 1)],
      3,
      1,
    ],
    ['never below zero, even after a change to a smaller tier', [entry('2026-06-05T00:00:00Z', 9)], 0, 9],
  ])('%s', (_, ledger, available_pours, pours_used) => {
    expect(availability(4, ledger, period)).toEqual({ available_pours, pours_used, tier_max: 4 });
  });
});

describe('a pour is recorded, or refused with a reason', () => {
  const has = { available_pours: 2, pours_used: 2, tier_max: 4 };

  test.each([
    [true, 1, { outcome: 'recorded', available_pours: 1 }],
    [true, 2, { outcome: 'recorded', available_pours: 0 }],
    [true, 3, { outcome: 'exceeded', available_pours: 2 }],
    [false, 1, { outcome: 'not_active' }],
    [false, 3, { outcome: 'not_active' }],
  ])('access %s, %i glasses', (access, quantity, expected) => {
    expect(decidePour(access, has, quantity)).toEqual(expected);
  });
});
