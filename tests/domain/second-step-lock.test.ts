import { expect, test } from 'vitest';
import { secondStepLockSeconds } from '../../src/domain/second-step-lock.ts';

// docs/rules/api.md, "Rate limits".

test.each([
  [0, 0],
  [9, 0],
  [10, 900],
  [11, 0],
  [20, 3600],
  [30, 14_400],
  [40, 43_200],
  [50, 86_400],
  [90, 86_400],
])('after %i wrong codes in a row the second step locks for %i seconds', (failed, seconds) => {
  expect(secondStepLockSeconds(failed)).toBe(seconds);
});
