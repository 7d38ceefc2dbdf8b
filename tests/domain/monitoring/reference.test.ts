import { expect, test } from 'vitest';
import { isReference, REFERENCE_BYTES, referenceFrom } from '../../../src/domain/monitoring/reference.ts';

test('a reference is three groups that can be read out: no I, L, O or U', () => {
  const all = Array.from({ length: 256 }, (_, byte) =>
    referenceFrom(new Uint8Array(REFERENCE_BYTES).fill(byte)),
  );
  expect(all.every(isReference)).toBe(true);
  expect(new Set(all.join('').replaceAll('-', '')).size).toBe(32);
  expect(all.join('')).not.toMatch(/[ILOU]/);
});

test.each([
  ['', false],
  ['7K3M-9QX2-D4FT', true],
  ['7k3m-9qx2-d4ft', false],
  ['7K3M-9QX2-D4FT\n', false],
  ['7K3M-9QX2', false],
  ["7K3M-9QX2-D4F'", false],
  ['7K3M-9QX2-D4FT-D4FT', false],
  ['*/ drop table pours', false],
])('%j is a reference: %s', (text, expected) => {
  expect(isReference(text)).toBe(expected);
});
