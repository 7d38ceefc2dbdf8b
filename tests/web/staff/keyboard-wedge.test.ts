import { expect, test } from 'vitest';
import { KeyboardWedge } from '../../../src/web/staff/scanner/keyboard-wedge.ts';

const token = 'AZrC3k_Q9x-ABCDEFGHIJ0123456789abcdefghi';

/** Types the text with a pause in milliseconds between keys, then Enter; returns Enter's result. */
function type(wedge: KeyboardWedge, text: string, pause: number, start = 1000): string | null {
  let at = start;
  for (const letter of text) {
    if (/[A-Z_]/.test(letter)) wedge.key('Shift', at);
    expect(wedge.key(letter, at)).toBeNull();
    at += pause;
  }
  return wedge.key('Enter', at);
}

test('a burst that ends in Enter is a code, capitals and all', () => {
  expect(type(new KeyboardWedge(), token, 8)).toBe(token);
});

test('one scan after another, each on its own', () => {
  const wedge = new KeyboardWedge();
  expect(type(wedge, token, 5, 1000)).toBe(token);
  const other = [...token].reverse().join('');
  expect(type(wedge, other, 5, 1400)).toBe(other);
});

test('typing by hand is too slow to be a scanner', () => {
  expect(type(new KeyboardWedge(), token, 120)).toBeNull();
});

test('what was typed just before is not part of the code', () => {
  const wedge = new KeyboardWedge();
  wedge.key('a', 0);
  wedge.key('b', 200);
  expect(type(wedge, token, 5, 1000)).toBe(token);
});

test('a fast but short word is not a code', () => {
  expect(type(new KeyboardWedge(), 'member', 10)).toBeNull();
});

test('a key that is not part of any code ends the burst', () => {
  const wedge = new KeyboardWedge();
  for (const letter of token) wedge.key(letter, 10);
  wedge.key('Tab', 12);
  expect(wedge.key('Enter', 14)).toBeNull();
});

test('an Enter long after the last key comes from a person', () => {
  const wedge = new KeyboardWedge();
  for (const letter of token) wedge.key(letter, 10);
  expect(wedge.key('Enter', 900)).toBeNull();
});
