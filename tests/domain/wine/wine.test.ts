import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type BottlePour, glassesLeft, wineKey, wineTitle } from '../../../src/domain/wine/wine.ts';

const pours = fc.array(fc.record({ quantity: fc.integer({ min: 1, max: 9 }), voided: fc.boolean() }));
const sum = (list: readonly BottlePour[]) => list.reduce((total, { quantity }) => total + quantity, 0);

it('a bottle has left what it holds, less what was poured, plus what was voided, in any order', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), pours, fc.infiniteStream(fc.nat()), (holds, list, keys) => {
      const left = glassesLeft(holds, list);
      expect(left).toBe(holds - sum(list) + sum(list.filter(({ voided }) => voided)));
      const shuffled = list
        .map((pour) => ({ pour, key: keys.next().value ?? 0 }))
        .sort((a, b) => a.key - b.key)
        .map(({ pour }) => pour);
      expect(glassesLeft(holds, shuffled)).toBe(left);
    }),
  );
});

it('two wines are the same when name, producer and vintage are, however they are written', () => {
  const barolo = { name: 'Barolo Bussia', producer: 'Aldo', vintage: 2018 };
  expect(wineKey({ name: ' barolo  BUSSIA ', producer: 'aldo', vintage: 2018 })).toBe(wineKey(barolo));
  expect(wineKey({ ...barolo, vintage: 2019 })).not.toBe(wineKey(barolo));
  expect(wineKey({ ...barolo, vintage: null })).not.toBe(wineKey(barolo));
  expect(wineKey({ name: 'Barolo', producer: 'Bussia Aldo', vintage: 2018 })).not.toBe(wineKey(barolo));
});

it('a wine is called by its name and vintage', () => {
  expect(wineTitle({ name: 'Barolo', vintage: 2018 })).toBe('Barolo 2018');
  expect(wineTitle({ name: 'Brut', vintage: null })).toBe('Brut');
});
