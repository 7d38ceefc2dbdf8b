import { describe, expect, test } from 'vitest';
import { codeFileName } from '../../../src/web/member/card/card-face.tsx';
import {
  codeAge,
  isOverdue,
  nextRequestInMs,
  validForLabel,
  validForMs,
} from '../../../src/web/member/card/code-lifetime.ts';

const minute = 60_000;
const arrived = { time: 1_800_000_000_000, steady: 5_000 };
/** So much later on each clock. */
const later = (time: number, steady = time) => ({
  time: arrived.time + time,
  steady: arrived.steady + steady,
});

test('a code is valid for ten minutes', () => {
  expect(validForMs(0)).toBe(10 * minute);
  expect(validForMs(9 * minute)).toBe(minute);
  expect(validForMs(11 * minute)).toBe(0);
});

test('the next code is requested eight minutes after the last, or at once if that has passed', () => {
  expect(nextRequestInMs(0)).toBe(8 * minute);
  expect(nextRequestInMs(3 * minute)).toBe(5 * minute);
  expect(nextRequestInMs(30 * minute)).toBe(0);
});

describe('the age of a code', () => {
  test.each([0, 3 * minute, 30 * minute])('after %i ms is that', (ms) => {
    expect(codeAge(arrived, later(ms))).toEqual({ ms, isDoubtful: false });
  });

  test.each([
    ['the phone slept while its steady clock stood', later(30 * minute, 2 * minute), 30 * minute],
    ['the time of day jumped forward', later(61 * minute, minute), 61 * minute],
    ['the time of day jumped back', later(-59 * minute, minute), minute],
  ])('is the greater one, and doubtful, when %s', (_why, now, ms) => {
    expect(codeAge(arrived, now)).toEqual({ ms, isDoubtful: true });
  });

  test('is certain although the time of day was corrected by seconds', () => {
    expect(codeAge(arrived, later(minute + 3_000, minute)).isDoubtful).toBe(false);
  });
});

test('a code is overdue when it should have been replaced', () => {
  expect(isOverdue(8 * minute)).toBe(false);
  expect(isOverdue(9 * minute)).toBe(true);
});

test('how long a code is valid, as a label', () => {
  expect(validForLabel(6 * minute + 59_000)).toBe('6 more minutes');
  expect(validForLabel(100_000)).toBe('1 more minute');
  expect(validForLabel(40_000)).toBe('40 more seconds');
  expect(validForLabel(600)).toBe('1 more second');
});

test.each([
  ['Ada', 'Ada-qr-code.png'],
  ['Anne Marie', 'Anne-Marie-qr-code.png'],
  ['Zoë', 'Zoë-qr-code.png'],
  ['../../etc', 'etc-qr-code.png'],
  ['', 'member-qr-code.png'],
])('the download of %s is called %s', (name, file) => {
  expect(codeFileName(name)).toBe(file);
});
