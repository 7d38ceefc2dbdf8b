import { expect, it } from 'vitest';
import { isEasyPin } from '../../src/domain/staff/staff-pin.ts';

it.each(['0000', '7777', '1234', '4321', '7890', '8901', '1212', '1122', '1987', '2026'])(
  '%s is easy to guess',
  (pin) => {
    expect(isEasyPin(pin)).toBe(true);
  },
);

it.each(['1357', '8042', '7391', '5829', '0192'])('%s is not', (pin) => {
  expect(isEasyPin(pin)).toBe(false);
});

it('leaves more than nine thousand PINs to choose from', () => {
  const left = Array.from({ length: 10_000 }, (_, n) => String(n).padStart(4, '0')).filter(
    (pin) => !isEasyPin(pin),
  );
  expect(left.length).toBeGreaterThan(9_000);
});
