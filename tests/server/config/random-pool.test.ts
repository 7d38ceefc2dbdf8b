import { validate, version } from 'uuid';
import { expect, it } from 'vitest';
import { createNewId, createRandomPool } from '../../../src/server/config/random-pool.ts';

it('gives no bytes twice', () => {
  let filled = 0;
  const take = createRandomPool((bytes) => bytes.fill(++filled));
  const lengths = [4_000, 96, 1, 4_096, 4_096];
  const taken = lengths.map((length) => [...new Set(take(length))]);
  expect(taken).toEqual([[1], [1], [2], [3], [4]]);
  expect(createRandomPool()(32)).not.toEqual(createRandomPool()(32));
});

it('makes ids that ascend, within a millisecond and after the clock was set back', () => {
  const clock = [1_000, 1_000, 1_000, 1_001, 900, 900, 1_002];
  const newId = createNewId(createRandomPool(), () => clock.shift() ?? 1_002);
  const ids = Array.from({ length: 2_000 }, newId);
  expect(ids.every((id) => validate(id) && version(id) === 7)).toBe(true);
  expect(ids).toEqual([...new Set(ids)].sort());
});
