import { describe, expect, test } from 'vitest';
import { codeFileName } from '../../../src/web/member/card/card-face.tsx';
import {
  isOverdue,
  nextRequestInMs,
  validForLabel,
  validForMs,
} from '../../../src/web/member/card/code-lifetime.ts';

const minute = 60_000;
const arrived = 1_800_000_000_000;

test('a code is valid for ten minutes', () => {
  expect(validForMs(arrived, arrived)).toBe(10 * minute);
  expect(validForMs(arrived, arrived + 9 * minute)).toBe(minute);
  expect(validForMs(arrived, arrived + 11 * minute)).toBe(0);
});

describe('the next code is requested', () => {
  test('eight minutes after the last, or at once if that has passed', () => {
    expect(nextRequestInMs(arrived, 0, arrived)).toBe(8 * minute);
    expect(nextRequestInMs(arrived, 0, arrived + 3 * minute)).toBe(5 * minute);
    expect(nextRequestInMs(arrived, 0, arrived + 30 * minute)).toBe(0);
  });

  test('fifteen seconds after a failure, however old the last one is', () => {
    const failed = arrived + 8 * minute;
    expect(nextRequestInMs(arrived, failed, failed)).toBe(15_000);
    expect(nextRequestInMs(0, failed, failed + 5_000)).toBe(10_000);
    expect(nextRequestInMs(failed + 1, failed, failed + 1)).toBe(8 * minute);
  });
});

test('a code is overdue when it should have been replaced', () => {
  expect(isOverdue(arrived, arrived + 8 * minute)).toBe(false);
  expect(isOverdue(arrived, arrived + 9 * minute)).toBe(true);
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
