import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  availability,
  cardPeriod,
  carriedPours,
  decidePour,
  type PeriodTerms,
  periodPours,
  proratedPours,
  venuePeriod,
} from '../../src/domain/allowance.ts';

const at = (text: string) => new Date(text);

describe('the period of a member billed at the venue runs monthly from the day it began', () => {
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

  it('counts the pours carried into the period', () => {
    const ledger = [entry('2026-06-05T00:00:00Z', 1)];
    expect(availability(4, ledger, period, 2)).toEqual({ available_pours: 1, pours_used: 3, tier_max: 4 });
  });
});

const JUNE = { start: at('2026-06-01T00:00:00Z'), end: at('2026-07-01T00:00:00Z') };
const terms = (changed: Partial<PeriodTerms> = {}): PeriodTerms => ({
  tier_pours: 20,
  changed_pours: 0,
  given_pours: 0,
  paid: true,
  carried_pours: 0,
  rolled_pours: 0,
  grace_days: 7,
  ...changed,
});

describe('a change of tier adds the difference for the rest of the period, rounded down', () => {
  test.each([
    ['at its first instant', 4, 20, '2026-06-01T00:00:00Z', 16],
    ['one second later', 4, 20, '2026-06-01T00:00:01Z', 15],
    ['with a third of it left', 4, 20, '2026-06-21T00:00:00Z', 5],
    ['within the same second', 4, 20, '2026-06-21T00:00:00.999Z', 5],
    ['an hour before its end', 4, 20, '2026-06-30T23:00:00Z', 0],
    ['after its end', 4, 20, '2026-07-02T00:00:00Z', 0],
    ['before its start', 4, 20, '2026-05-02T00:00:00Z', 16],
    ['to a smaller tier, halfway', 20, 4, '2026-06-16T00:00:00Z', -8],
    ['to a smaller tier, an hour before its end', 20, 4, '2026-06-30T23:00:00Z', -1],
  ])('%s: from %i to %i at %s adds %i', (_, from, to, instant, extra) => {
    expect(proratedPours(from, to, at(instant), JUNE)).toBe(extra);
  });

  it('over any changes gives no more than the money paid for them would have bought', () => {
    const change = fc.record({ pours: fc.constantFrom(4, 8, 14, 20), second: fc.nat(30 * 86_400) });
    fc.assert(
      fc.property(fc.constantFrom(4, 8, 14, 20), fc.array(change, { maxLength: 8 }), (first, changes) => {
        let [pours, extra, bought] = [first, 0, first];
        for (const it of changes.toSorted((a, b) => a.second - b.second)) {
          extra += proratedPours(pours, it.pours, new Date(JUNE.start.getTime() + it.second * 1000), JUNE);
          bought += ((it.pours - pours) * (30 * 86_400 - it.second)) / (30 * 86_400);
          pours = it.pours;
        }
        const given = periodPours(terms({ tier_pours: first, changed_pours: extra }), JUNE);
        expect(given).toBeLessThanOrEqual(Math.max(0, bought) + 1e-9);
      }),
    );
  });
});

describe('a period gives the tier’s pours once it is paid, before that the share that grace is of it', () => {
  test.each([
    ['paid', terms(), 20],
    ['paid, with a change', terms({ changed_pours: 4 }), 24],
    ['paid, with what staff gave', terms({ given_pours: 3 }), 23],
    ['unpaid: what staff gave is theirs at once', terms({ paid: false, given_pours: 2 }), 7],
    ['unpaid: 7 of 30 days, rounded up', terms({ paid: false }), 5],
    ['unpaid: 1 of 30 days', terms({ paid: false, grace_days: 1 }), 1],
    ['unpaid: 21 of 30 days', terms({ paid: false, grace_days: 21 }), 14],
    ['unpaid, the smallest tier', terms({ tier_pours: 4, paid: false }), 1],
    ['unpaid: a change is paid at once', terms({ paid: false, changed_pours: 3 }), 8],
    ['never below zero', terms({ changed_pours: -25 }), 0],
  ])('%s', (_, it, given) => {
    expect(periodPours(it, JUNE)).toBe(given);
  });

  it('never gives more than the tier for a period shorter than grace', () => {
    const short = { start: JUNE.start, end: at('2026-06-04T00:00:00Z') };
    expect(periodPours(terms({ paid: false }), short)).toBe(20);
  });
});

describe('pours that were never paid count in the next period', () => {
  test.each([
    ['paid: nothing', terms(), 20, 0],
    ['poured beyond a paid period, after a smaller tier: nothing', terms({ changed_pours: -8 }), 20, 0],
    ['unpaid: all that was poured', terms({ paid: false }), 5, 5],
    ['unpaid, but for what staff gave', terms({ paid: false, given_pours: 2 }), 5, 3],
    ['unpaid, but for the glasses of a paid change', terms({ paid: false, changed_pours: 3 }), 5, 2],
    ['carried, with enough left to make up for them', terms({ carried_pours: 5 }), 15, 0],
    ['carried, with too few left', terms({ tier_pours: 4, carried_pours: 5 }), 0, 1],
    ['carried into a period that is not paid either', terms({ paid: false, carried_pours: 3 }), 2, 5],
  ])('%s', (_, it, used, carried) => {
    expect(carriedPours(it, used)).toBe(carried);
  });

  it('over any periods, paid or not, at most what is paid and one share of grace is poured', () => {
    const period = fc.record({
      tier_pours: fc.constantFrom(4, 8, 14, 20),
      paid: fc.boolean(),
      /** Poured before the payment, and in all, as shares of what is there. */
      early: fc.nat(100),
      late: fc.nat(100),
    });
    fc.assert(
      fc.property(fc.array(period, { maxLength: 12 }), (periods) => {
        let [carried, poured, bought] = [0, 0, 0];
        for (const { tier_pours, paid, early, late } of periods) {
          const pour = (isPaid: boolean, used: number, share: number) => {
            const given = periodPours(terms({ tier_pours, paid: isPaid }), JUNE);
            return used + Math.floor((Math.max(0, given - carried - used) * share) / 100);
          };
          let used = pour(false, 0, early);
          if (paid) used = pour(true, used, late);
          poured += used;
          bought += paid ? tier_pours : 0;
          carried = carriedPours(terms({ tier_pours, paid, carried_pours: carried }), used);
          expect(poured).toBeLessThanOrEqual(bought + 5);
        }
      }),
    );
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
