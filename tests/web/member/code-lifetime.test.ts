import { describe, expect, test } from 'vitest';
import { codeFileName } from '../../../src/web/member/card/code-file-name.ts';
import {
  isOverdue,
  lifeInWords,
  lifeLeft,
  nextRequestIn,
} from '../../../src/web/member/card/code-lifetime.ts';

const minute = 60_000;
const arrived = 1_800_000_000_000;

test('a code lives ten minutes', () => {
  expect(lifeLeft(arrived, arrived)).toBe(10 * minute);
  expect(lifeLeft(arrived, arrived + 9 * minute)).toBe(minute);
  expect(lifeLeft(arrived, arrived + 11 * minute)).toBe(0);
});

describe('the next one is asked for', () => {
  test('eight minutes after the last, or at once when that is past', () => {
    expect(nextRequestIn(arrived, 0, arrived)).toBe(8 * minute);
    expect(nextRequestIn(arrived, 0, arrived + 3 * minute)).toBe(5 * minute);
    expect(nextRequestIn(arrived, 0, arrived + 30 * minute)).toBe(0);
  });

  test('fifteen seconds after a failure, however old the last one is', () => {
    const failed = arrived + 8 * minute;
    expect(nextRequestIn(arrived, failed, failed)).toBe(15_000);
    expect(nextRequestIn(0, failed, failed + 5_000)).toBe(10_000);
    expect(nextRequestIn(failed + 1, failed, failed + 1)).toBe(8 * minute);
  });
});

test('overdue is what should have been replaced and was not', () => {
  expect(isOverdue(arrived, arrived + 8 * minute)).toBe(false);
  expect(isOverdue(arrived, arrived + 9 * minute)).toBe(true);
});

test('the life left, in words', () => {
  expect(lifeInWords(6 * minute + 59_000)).toBe('another 6 minutes');
  expect(lifeInWords(100_000)).toBe('another 1 minute');
  expect(lifeInWords(40_000)).toBe('another 40 seconds');
  expect(lifeInWords(600)).toBe('another 1 second');
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
