import { randomBytes } from 'node:crypto';
import { expect, it, test } from 'vitest';
import {
  hasHash,
  hashOf,
  nextRefreshToken,
  readRefreshToken,
  writeRefreshToken,
} from '../../../src/server/auth/app-sessions/refresh-token.ts';
import { keyFor } from '../../../src/server/config/purpose-key.ts';

const key = keyFor('a secret of an installation, long enough', 'refresh-token/v1');
const session_id = '0197b1f0-0000-7000-8000-0000000000d1';
const first = { session_id, generation: 0, secret: randomBytes(32).toString('base64url') };
const text = writeRefreshToken(key, first);

it('a token is read as it was written', () => {
  expect(readRefreshToken(key, text)).toEqual(first);
});

it('the next token is the same each time, and follows from the hash alone', () => {
  const next = nextRefreshToken(key, first, hashOf(first));
  expect(next).toEqual(nextRefreshToken(key, first, hashOf(first)));
  expect(next).toMatchObject({ session_id, generation: 1 });
  expect(next.secret).toMatch(/^[\w-]{43}$/);
  expect(next.secret).not.toBe(first.secret);
  expect(readRefreshToken(key, writeRefreshToken(key, next))).toEqual(next);
});

it('different tokens have different hashes', () => {
  expect(hasHash(first, hashOf(first))).toBe(true);
  expect(hasHash({ ...first, secret: 'x'.repeat(43) }, hashOf(first))).toBe(false);
});

const [id = '', generation = '', secret = '', seal = ''] = text.split('.');
const other = keyFor('the secret of another installation, or one before it was changed', 'refresh-token/v1');

test.each([
  ['of another installation', writeRefreshToken(other, first)],
  ['of another session', [session_id.replace('d1', 'd2'), generation, secret, seal].join('.')],
  ['of another generation', [id, '1', secret, seal].join('.')],
  ['with another secret', [id, generation, 'x'.repeat(43), seal].join('.')],
  ['without its seal', [id, generation, secret].join('.')],
  ['with an empty seal', [id, generation, secret, ''].join('.')],
  ['with a number written in another way', [id, '00', secret, seal].join('.')],
  ['with something behind it', `${text}x`],
  ['of nobody', ''],
  ['far too long', `${text}${'a'.repeat(100_000)}`],
])('a token %s is refused', (_, forged) => {
  expect(readRefreshToken(key, forged)).toBeNull();
});
