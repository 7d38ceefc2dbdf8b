import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { availableOf, type Grant, rolledOver, spend } from '../../../src/domain/glasses.ts';
import { isReturned } from '../../../src/domain/membership/rollover.ts';

// docs/rules/glasses.md, "Glasses".

test.each([
  ['paid', false],
  ['partially_refunded', false],
  ['refunded', true],
  ['disputed', true],
])('a payment that is %s counts as returned: %s', (status, returned) => {
  expect(isReturned(status)).toBe(returned);
});

it('over any months, no more is poured than was given, and no more rolls over than its limit, for one month', () => {
  const month = fc.record({
    wanted: fc.integer({ min: 0, max: 20 }),
    given: fc.integer({ min: 0, max: 4 }),
  });
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 12 }), fc.array(month, { maxLength: 12 }), (rollable, months) => {
      let [rolled, gave, drunk] = [0, 0, 0];
      for (const { wanted, given } of months) {
        const terms = { rollable: 0, taken: 0, valid_from: new Date(0), valid_until: new Date(1) };
        const own: Grant = { ...terms, kind: 'period', glasses: 8, rollable };
        const grants: Grant[] = [
          own,
          { ...terms, kind: 'given', glasses: given },
          { ...terms, kind: 'rollover', glasses: rolled },
        ];
        const poured = Math.min(wanted, availableOf(grants));
        for (const [grant, glasses] of spend(grants, poured) ?? []) grant.taken += glasses;
        gave += 8 + given;
        drunk += poured;
        const next = rolledOver(own);
        expect(next).toBeLessThanOrEqual(Math.min(rollable, 8));
        // Only glasses given and not poured roll over.
        expect(drunk + next).toBeLessThanOrEqual(gave);
        // The month's own is poured last, so nothing rolls over twice.
        expect(next).toBe(Math.min(rollable, 8 - Math.max(0, poured - rolled - given)));
        rolled = next;
      }
    }),
  );
});
