import { expect, test } from 'vitest';
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
