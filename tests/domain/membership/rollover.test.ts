import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { availability, periodPours } from '../../../src/domain/allowance.ts';
import {
  type EndedPeriod,
  isReturned,
  rolledLeft,
  rolledOver,
} from '../../../src/domain/membership/rollover.ts';

// docs/rules.md, "Glasses that roll over".

const PREMIER: EndedPeriod = {
  tier_pours: 8,
  changed_pours: 0,
  given_pours: 0,
  carried_pours: 0,
  rolled_pours: 0,
  poured: 0,
  paid: true,
  returned: false,
  at_most: [3],
};

describe('what a period of eight glasses lets roll over, three at most', () => {
  test.each<[string, Partial<EndedPeriod>, number]>([
    ['nothing poured', {}, 3],
    ['six poured', { poured: 6 }, 2],
    ['all poured', { poured: 8 }, 0],
    ['a tier that lets none', { at_most: [0] }, 0],
    ['a tier that lets all', { at_most: [100] }, 8],
    ['a period that was never paid', { paid: false }, 0],
    ['a period whose payment was given back, or is disputed', { returned: true }, 0],
    ['three rolled over into it, and were poured first', { rolled_pours: 3, poured: 9 }, 2],
    ['three rolled over into it, and none was poured', { rolled_pours: 3, at_most: [100] }, 8],
    ['of three that rolled over into it, two were poured', { rolled_pours: 3, poured: 2, at_most: [100] }, 8],
    ['staff gave two, which were poured before the tier’s', { given_pours: 2, poured: 2, at_most: [100] }, 8],
    ['staff gave two, and none was poured', { given_pours: 2, at_most: [100] }, 8],
    ['staff took two back', { given_pours: -2, poured: 5 }, 1],
    ['staff took all back', { given_pours: -8 }, 0],
    ['a larger tier from the middle on', { changed_pours: 3, at_most: [100] }, 11],
    ['from the middle on a tier that lets none', { at_most: [3, 0] }, 3],
    [
      'from the middle on one that lets five, of which all were left',
      { changed_pours: 3, at_most: [0, 5] },
      5,
    ],
    ['a smaller tier from the middle on', { changed_pours: -4, poured: 3 }, 1],
    ['two that were never paid counted in it', { carried_pours: 2, poured: 5 }, 1],
    ['more poured than it gave', { poured: 20 }, 0],
  ])('%s', (_, ended, glasses) => {
    expect(rolledOver({ ...PREMIER, ...ended })).toBe(glasses);
  });
});

test.each([
  ['paid', false],
  ['partially_refunded', false],
  ['refunded', true],
  ['disputed', true],
])('a payment that is %s counts as returned: %s', (status, returned) => {
  expect(isReturned(status)).toBe(returned);
});

test.each([
  ['none poured', 3, 0, 0, 11, 3],
  ['two poured', 3, 2, 0, 9, 1],
  ['one poured, one promised to a guest', 3, 1, 1, 9, 1],
  ['more poured than rolled over', 3, 5, 0, 6, 0],
  ['no access', 3, 0, 0, 0, 0],
])('they are poured first: %s', (_, rolled, poured, held, available, left) => {
  expect(rolledLeft(rolled, poured, held, available)).toBe(left);
});

it('over any months, no more is poured than the tier gives, and no more rolls over than its limit', () => {
  const month = fc.record({
    wanted: fc.integer({ min: 0, max: 20 }),
    given: fc.integer({ min: -4, max: 4 }),
  });
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 12 }), fc.array(month, { maxLength: 12 }), (at_most, months) => {
      let rolled_pours = 0;
      let gave = 0;
      let drunk = 0;
      const june = { start: new Date('2026-06-01T00:00:00Z'), end: new Date('2026-07-01T00:00:00Z') };
      for (const { wanted, given } of months) {
        const terms = { ...PREMIER, given_pours: given, rolled_pours, grace_days: 7 };
        const whole = availability(periodPours(terms, june), [], june).available_pours;
        const poured = Math.min(wanted, whole);
        gave += 8 + given;
        drunk += poured;
        const next = rolledOver({ ...terms, poured, at_most: [at_most] });
        expect(next).toBeLessThanOrEqual(Math.min(at_most, 8));
        // What rolls over was given and not poured: what was poured so far, and what waits, were all given.
        expect(drunk + next).toBeLessThanOrEqual(gave);
        // Nothing is kept for longer than one period.
        expect(next).toBeLessThanOrEqual(Math.max(0, 8 + given - Math.max(0, poured - rolled_pours)));
        rolled_pours = next;
      }
    }),
  );
});
