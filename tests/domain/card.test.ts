import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  CARD_TOKEN_LENGTH,
  cardBody,
  cleanCode,
  decodeCard,
  decodePaperCard,
  encodeCard,
  encodePaperCard,
} from '../../src/domain/card.ts';
import { readCardToken, signCardToken } from '../../src/server/card/card-token.ts';
import { keyFor } from '../../src/server/config/purpose-key.ts';
import { qrMatrix } from '../../src/web/ui/qr-matrix.ts';

const id = '0192f0aa-1b2c-7d3e-8f40-5a6b7c8d9e0f';
const key = keyFor('the venue’s own secret', 'membership-card/v1');
const now = new Date('2026-06-15T12:00:00Z');
const expires_at = now.getTime() / 1000 + 600;

describe('the code in a text', () => {
  const code = 'AZrC3k_Q9x-ABCDEFGHIJ0123456789abcdefghi';
  const wide = [...code].map((it) => String.fromCodePoint((it.codePointAt(0) ?? 0) + 0xfee0)).join('');

  test.each([
    ['white space', ` \t${code}\r\n`],
    ['a line break', `${code.slice(0, 9)}\r\n${code.slice(9)}`],
    ['a space that does not break', `\u00A0${code.slice(0, 9)}\u00A0${code.slice(9)}\u202F`],
    ['zero width', `\u200B${code.slice(0, 9)}\u200D${code.slice(9)}\u2060`],
    ['a byte order mark', `\uFEFF${code}`],
    ['a soft hyphen', `${code.slice(0, 9)}\u00AD${code.slice(9)}`],
    ['marks of direction', `\u202A${code}\u202C\u200E`],
    ['a control character', `${code}\u0000`],
    ['straight quotes', `"${code}"`],
    ['single quotes', `'${code}'`],
    ['curly quotes', `“${code}”`],
    ['low quotes', `„${code}‟`],
    ['angle quotes', `« ${code} »`],
    ['corner brackets', `「${code}」`],
    ['backticks', `\`${code}\``],
    ['acute accents', `´${code}´`],
    ['angle brackets', `<${code}>`],
    ['the end of a sentence', `(${code}).`],
    ['wide letters and digits', wide],
    ['another hyphen', code.replace('-', '‑')],
    ['a minus', code.replace('-', '−')],
    ['a URL', `https://club.example/card#${code}`],
    ['a URL in capital letters', `HTTPS://CLUB.EXAMPLE/CARD#${code}`],
    ['a URL that a phone began with a capital', `Https://club.example/card/${code}`],
    ['a URL in quotes', `"https://club.example/card?code=${code}"`],
  ])('is free of %s', (_of, text) => {
    expect(cleanCode(text)).toBe(code);
  });

  test('keeps two hyphens that a phone made a dash', () => {
    expect(cleanCode('AZrC—3k')).toBe('AZrC--3k');
  });

  test('is every code itself', () => {
    fc.assert(fc.property(fc.stringMatching(/^[A-Za-z0-9_-]+$/), (text) => cleanCode(text) === text));
  });

  test.each(['', '  ', '\u200B', 'what a day', 'AZrC*3k'])('mends no other text: %j', (text) => {
    expect(cleanCode(text)).toBe(text.replaceAll(/[\s\u200B]/g, ''));
  });

  test('is found at once in the longest text', () => {
    const start = performance.now();
    for (const text of ['https:/'.repeat(2340), '.'.repeat(16_384), '\u200B'.repeat(16_384)]) cleanCode(text);
    expect(performance.now() - start).toBeLessThan(1_000);
  });
});

describe('a card code', () => {
  it('is 40 letters, digits, hyphens and underscores', () => {
    const token = signCardToken(key, { customer_id: id, expires_at });
    expect(token).toMatch(/^[A-Za-z0-9_-]{40}$/);
    expect(token).toHaveLength(CARD_TOKEN_LENGTH);
  });

  it('decodes to what was encoded, for every member and time', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.integer({ min: 0, max: 2 ** 32 - 1 }), (customer_id, at) => {
        const token = encodeCard(cardBody({ customer_id, expires_at: at }), new Uint8Array(10));
        expect(decodeCard(token)?.claims).toEqual({ customer_id, expires_at: at });
      }),
    );
  });

  it('is valid until it expires', () => {
    const token = signCardToken(key, { customer_id: id, expires_at });
    const read = (at: number) => readCardToken(key, token, new Date(at));
    expect(read(expires_at * 1000 - 1)).toEqual({ customer_id: id, expires_at, expired: false });
    expect(read(expires_at * 1000)).toEqual({ customer_id: id, expires_at, expired: true });
  });

  it('is not valid when any one character is changed', () => {
    const token = signCardToken(key, { customer_id: id, expires_at });
    for (let i = 0; i < token.length; i++) {
      const other = token[i] === 'A' ? 'B' : 'A';
      expect(
        readCardToken(key, token.slice(0, i) + other + token.slice(i + 1), now),
        `character ${i}`,
      ).toBeNull();
    }
  });

  it('is not valid at another venue', () => {
    const foreign = signCardToken(keyFor('another venue with its own secret', 'membership-card/v1'), {
      customer_id: id,
      expires_at,
    });
    expect(readCardToken(key, foreign, now)).toBeNull();
  });

  test.each([
    ['nothing', ''],
    ['white space', '   '],
    ['a word', 'cheers'],
    ['one character short', 'A'.repeat(39)],
    ['one character too long', 'A'.repeat(41)],
    ['foreign characters', '🍷'.repeat(20)],
    ['ten kilobytes', 'x'.repeat(10_240)],
  ])('is not %s', (_, text) => {
    expect(readCardToken(key, text, now)).toBeNull();
  });

  it('needs a customer id', () => {
    expect(() => cardBody({ customer_id: 'not an id', expires_at })).toThrow(RangeError);
  });
});

describe('a code for paper', () => {
  it('decodes to what was encoded, and its QR code is as coarse as the one on the screen', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.uint8Array({ minLength: 16, maxLength: 16 }), (cardId, proof) => {
        const token = encodePaperCard(cardId, proof);
        expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
        expect(decodePaperCard(token)).toEqual({ id: cardId, proof });
        expect(decodeCard(token)).toBeNull();
      }),
    );
    const modules = (text: string) => qrMatrix(text).length;
    expect(modules('A'.repeat(43))).toBe(modules('A'.repeat(CARD_TOKEN_LENGTH)));
  });

  it('is a unique text: no other decodes to the same bytes', () => {
    const token = encodePaperCard(id, new Uint8Array(16));
    expect(token.endsWith('A')).toBe(true);
    for (const last of 'BCD') expect(decodePaperCard(token.slice(0, -1) + last)).toBeNull();
  });
});
