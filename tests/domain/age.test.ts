import { expect, test } from 'vitest';
import { ageText, durationText } from '../../src/domain/age.ts';

test.each([
  [59_999, 'less than a minute'],
  [60_000, '1 minute'],
  [3_599_999, '59 minutes'],
  [3_600_000, '1 hour'],
  [172_800_000, '2 days'],
])('%s ms are %s', (ms, expected) => {
  expect(durationText(ms)).toBe(expected);
});

test('ages are rounded down', () => {
  const now = new Date('2026-06-15T12:00:00Z');
  expect(ageText(new Date('2026-06-15T11:59:01Z'), now)).toBe('just now');
  expect(ageText(new Date('2026-06-15T10:01:00Z'), now)).toBe('1 hour ago');
});
