import { describe, expect, test } from 'vitest';
import {
  KEY_PAUSE_MS,
  KeyBurst,
  type KeyPress,
  type Verdict,
} from '../../../src/web/staff/scanner/key-burst.ts';

const CARD = 'AZrC3k_Q9x-ABCDEFGHIJ0123456789abcdefghi';
/** An id of version 7, its expiry and its signature; then such an id and its proof. */
const CARD_7 = 'AZrC3kVRd7qKq83vASNFZ2kpAAd3Yg5mT2xQk1Zo';
/** Printed cards whose ids begin their second half with each byte that it can begin with. */
const PAPER_CODES = Array.from({ length: 64 }, (_, index) =>
  Buffer.concat([
    Buffer.from(`0197b1f000007000${(0x80 + index).toString(16)}00000000000001`, 'hex'),
    Buffer.alloc(16, 0xa7),
  ]).toString('base64url'),
);
const PAPER_7 = 'AZrC3kVRd7qKq83vASNFZ_Jm9wQx2LkT7bYcR4dN0hE';
const USER_ID = '0197b1f0-0000-7000-8000-000000000001';
const GUEST = 'guest-Kq83vASNFZ2kpAAd3Yg5mT2xQk1ZoAZrC3kVRd7q012';

const CODES: Record<string, string> = {
  '-': 'Minus',
  _: 'Minus',
  ' ': 'Space',
  '.': 'Period',
  Enter: 'Enter',
  Tab: 'Tab',
};
const codeOf = (key: string) =>
  CODES[key] ??
  (/[a-z]/i.test(key) ? `Key${key.toUpperCase()}` : /\d/.test(key) ? `Digit${key}` : 'Backquote');

const pressOf = (key: string, at: number): KeyPress => ({
  key,
  code: codeOf(key),
  shift: /^[A-Z_]$/.test(key),
  at,
});

/** Types the keys with the given pauses in milliseconds, the last of which repeats. Then nothing more is typed. */
function type(
  keys: string[],
  pauses: number[],
  change: (press: KeyPress) => KeyPress = (press) => press,
): Verdict[] {
  const burst = new KeyBurst();
  let at = 1000;
  const verdicts = keys.map((key, nth) => {
    if (nth > 0) at += pauses[Math.min(nth - 1, pauses.length - 1)] ?? 0;
    return burst.press(change(pressOf(key, at)));
  });
  return [...verdicts, burst.pause(at + KEY_PAUSE_MS + 1)];
}
const codesOf = (verdicts: Verdict[]) => verdicts.flatMap((it) => (it.kind === 'end' ? it.codes : []));

describe('a scanner that types', () => {
  test.each([5, 20, 50, 100, 150])('is heard at %i ms between characters', (pause) => {
    for (const end of [['Enter'], ['Tab'], ['Tab', 'Enter'], []])
      expect(codesOf(type([...CARD, ...end], [pause])), end.join()).toEqual([CARD]);
  });

  test.each(['"', "'", '`'])('is heard with %s around the code', (quote) => {
    for (const end of [['Enter'], ['Tab'], []])
      expect(codesOf(type([quote, ...CARD, quote, ...end], [20])), end.join()).toEqual([CARD]);
  });

  test('is heard with uneven pauses', () => {
    expect(codesOf(type([...CARD, 'Enter'], [5, 16, 31, 8, 48, 16, 140, 2]))).toEqual([CARD]);
  });

  test('is heard whole with every printed card, whatever its id', () => {
    expect(PAPER_CODES.flatMap((code) => codesOf(type([...code, 'Enter'], [8])))).toEqual(PAPER_CODES);
  });

  test.each([
    ['a card', CARD_7],
    ['a printed card', PAPER_7],
    ['a user id', USER_ID],
    ["a guest's code", GUEST],
  ])('is heard with %s, and after each prefix', (_name, code) => {
    for (const prefix of ['', 'Q1', 'QR', 'QR1', 'X', 'scan-'])
      expect(codesOf(type([...prefix, ...code, 'Enter'], [8])), prefix).toEqual([code]);
    expect(codesOf(type([']', 'Q', '1', ...code, 'Enter'], [8]))).toEqual([code]);
  });

  test('is recognised within twelve characters of a card, and each key after that is its own', () => {
    const verdicts = type([...CARD_7, 'Enter'], [8]).map(({ kind }) => kind);
    expect(verdicts[0]).toBe('first');
    expect(verdicts.slice(11, 40).every((kind) => kind === 'scanner')).toBe(true);
  });

  test('is heard on a busy device, where keys arrive late', () => {
    const burst = new KeyBurst();
    const verdicts = [...CARD, 'Enter'].flatMap((key, nth) => [
      burst.pause(1000 + 8 * nth),
      burst.press(pressOf(key, 1000 + 8 * nth)),
    ]);
    expect(codesOf(verdicts)).toEqual([CARD]);
  });

  test('means a US keyboard, whatever the layout of the computer and Caps Lock', () => {
    const german: Record<string, string> = { y: 'z', z: 'y', Y: 'Z', Z: 'Y', '-': 'ß', _: '?' };
    const french: Record<string, string> = {
      a: 'q',
      q: 'a',
      A: 'Q',
      Q: 'A',
      z: 'w',
      '3': '"',
      '7': 'è',
      '-': ')',
    };
    for (const layout of [german, french]) {
      const codes = codesOf(
        type([...CARD, 'Enter'], [8], (it) => ({ ...it, key: layout[it.key] ?? it.key })),
      );
      expect(codes[0]).toBe(CARD);
    }
    const inverted = (key: string) => (key === key.toLowerCase() ? key.toUpperCase() : key.toLowerCase());
    const locked = type([...CARD, 'Enter'], [8], (it) =>
      it.key.length === 1 ? { ...it, key: inverted(it.key) } : it,
    );
    expect(codesOf(locked)[0]).toBe(CARD);
  });

  test('set to the layout of the computer gives what it typed too', () => {
    const places: Record<string, string> = { KeyZ: 'KeyY', KeyY: 'KeyZ', Minus: 'Slash' };
    const codes = codesOf(
      type([...CARD, 'Enter'], [8], (it) => ({ ...it, code: places[it.code] ?? it.code })),
    );
    expect(codes.at(-1)).toBe(CARD);
  });
});

describe('a person', () => {
  // A fast typist's pauses, with keys that overlap.
  const fast = [92, 48, 110, 31, 74, 126, 55, 88, 67, 103];
  test.each([
    ['a name', 'Ada Vine'],
    ['a long name', 'Wolfeschlegelsteinhausenbergerdorff'],
    ['a wine', 'Blaufrankisch_Reserve-2019'],
    ['a note', 'likes the Pinot, not the oak; call 5550100'],
    ['an email', 'maximiliane.mustermann-schulz@demo.test'],
    ['a reference number', 'POUR-2026-000123-000045'],
    ['a telephone number', '004915112345678901234567890'],
    ['a word of the length of a card', 'thelongestwordthatanybodyhaseverenteredx'],
    ['one with capitals', 'iPhone15ProMax'],
  ])('who types %s fast is not taken for a scanner', (_name, text) => {
    for (const pauses of [fast, [40], [1]]) {
      const kinds = type([...text, 'Enter'], pauses).map(({ kind }) => kind);
      expect(kinds).not.toContain('end');
    }
  });

  test('who types a code by hand is not a scanner', () => {
    expect(codesOf(type([...CARD, 'Enter'], [180]))).toEqual([]);
  });

  test('who holds a key down is not a scanner', () => {
    expect(codesOf(type([...CARD, 'Enter'], [30], (it) => ({ ...it, repeat: true })))).toEqual([]);
  });

  test('who typed just before a scan adds nothing to it', () => {
    expect(codesOf(type(['a', 'b', ...CARD, 'Enter'], [200, 400, 8]))).toEqual([CARD]);
  });
});
