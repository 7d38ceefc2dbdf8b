import { randomFillSync } from 'node:crypto';
import { validate, version } from 'uuid';
import { expect, it } from 'vitest';
import { createRandom, createRandomPool } from '../../../src/server/config/random-pool.ts';

it('gives no bytes twice', () => {
  let filled = 0;
  const take = createRandomPool((bytes) => bytes.fill(++filled));
  const lengths = [4_000, 96, 1, 4_096, 4_096];
  const taken = lengths.map((length) => [...new Set(take(length))]);
  expect(taken).toEqual([[1], [1], [2], [3], [4]]);
});

it('makes ids that ascend, within a millisecond and after the clock was set back', () => {
  const clock = [1_000, 1_000, 1_000, 1_001, 900, 900, 1_002];
  const { newId } = createRandom(randomFillSync, () => clock.shift() ?? 1_002);
  const ids = Array.from({ length: 2_000 }, newId);
  expect(ids.every((id) => validate(id) && version(id) === 7)).toBe(true);
  expect(ids).toEqual([...new Set(ids)].sort());
});

it('makes a secret of 32 bytes, each another one', () => {
  const { newSecret } = createRandom(randomFillSync, Date.now);
  const secrets = Array.from({ length: 500 }, newSecret);
  expect(secrets.every((it) => Buffer.from(it, 'base64url').length === 32)).toBe(true);
  expect(new Set(secrets).size).toBe(500);
});
