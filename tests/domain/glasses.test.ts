import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { advanceOf, proratedShare, venuePeriod } from '../../src/domain/glasses.ts';

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

const JUNE = { start: at('2026-06-01T00:00:00Z'), end: at('2026-07-01T00:00:00Z') };
describe('a change of tier adds the share of the difference for the rest of the period, rounded down', () => {
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
    expect(proratedShare(from, to, at(instant), JUNE)).toBe(extra);
  });

  it('gives, over any changes, no more than the money paid for them would have bought', () => {
    const change = fc.record({ pours: fc.constantFrom(4, 8, 14, 20), second: fc.nat(30 * 86_400) });
    fc.assert(
      fc.property(fc.constantFrom(4, 8, 14, 20), fc.array(change, { maxLength: 8 }), (first, changes) => {
        let [pours, extra, bought] = [first, 0, first];
        for (const it of changes.toSorted((a, b) => a.second - b.second)) {
          extra += proratedShare(pours, it.pours, new Date(JUNE.start.getTime() + it.second * 1000), JUNE);
          bought += ((it.pours - pours) * (30 * 86_400 - it.second)) / (30 * 86_400);
          pours = it.pours;
        }
        expect(first + extra).toBeLessThanOrEqual(bought + 1e-9);
      }),
    );
  });
});

describe('an unpaid period gives the share in advance that grace is of it, rounded up', () => {
  test.each([
    ['7 of 30 days', 20, 7, 5],
    ['1 of 30 days', 20, 1, 1],
    ['21 of 30 days', 20, 21, 14],
    ['the smallest tier', 4, 7, 1],
    ['a tier without glasses', 0, 7, 0],
  ])('%s of %i', (_, tierPours, grace, advance) => {
    expect(advanceOf(tierPours, grace, JUNE)).toBe(advance);
  });

  it('and never more than the tier, for a period shorter than grace', () => {
    expect(advanceOf(20, 7, { start: JUNE.start, end: at('2026-06-04T00:00:00Z') })).toBe(20);
  });
});
