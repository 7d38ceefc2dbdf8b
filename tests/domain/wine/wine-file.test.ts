import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stopFormulas } from '../../../src/domain/imports/import-values.ts';
import { TRAIT_WORDS, WINE_COLORS } from '../../../src/domain/wine/wine.ts';
import {
  readWineRows,
  WINE_COLUMNS,
  type WineOfFile,
  wineFileProblem,
  writeWineRows,
} from '../../../src/domain/wine/wine-file.ts';

// docs/rules/wines.md, "Wines".

const COLUMNS = Object.values(WINE_COLUMNS);
const GOOD = [
  'Barolo',
  'Prova',
  'Langhe',
  'Italy',
  'Nebbiolo',
  '2018',
  'red',
  '1',
  '5',
  '5',
  '4',
  '',
  '6',
  '24.50',
];
const rowWith = (changes: Partial<Record<(typeof COLUMNS)[number], string>>) =>
  COLUMNS.map((column, at) => changes[column] ?? GOOD[at] ?? '');
const read = (...rows: string[][]) => readWineRows(COLUMNS, rows, [], 'usd');
const problemsOf = (changes: Parameters<typeof rowWith>[0]) => read(rowWith(changes))[0]?.problems;

test('a row has all details of a wine, in numbers or in words', () => {
  expect(read(GOOD)[0]?.wine).toMatchObject({
    name: 'Barolo',
    vintage: 2018,
    color: 'red',
    tannin: 5,
    cost_cents: 2450,
  });
  expect(
    read(
      rowWith({
        Color: 'Rosé',
        Sweetness: 'Off-dry',
        Vintage: '',
        'Glasses per bottle': '',
        'Cost per bottle': '',
      }),
    )[0]?.wine,
  ).toMatchObject({ color: 'rose', sweetness: 2, vintage: null, glasses_per_bottle: 6, cost_cents: null });
});

test('all problems of a row are listed in words', () => {
  expect(problemsOf({ Name: ' ', Color: 'blue' })).toEqual([
    'The name is missing.',
    'Color must be one of: Red, White, Rosé, Orange, Sparkling, Fortified.',
  ]);
  expect(problemsOf({ Vintage: '18' })).toEqual(['Vintage must be a whole number from 1900 to 2100.']);
  expect(problemsOf({ Tannin: '6' })?.[0]).toContain('Tannin must be 1 to 5, or one of: None,');
  expect(problemsOf({ 'Glasses per bottle': '0' })?.[0]).toContain('from 1 to 40');
  expect(problemsOf({ 'Cost per bottle': '24.5.0' })?.[0]).toContain('such as 24 or 24.50');
  expect(read(rowWith({ 'Cost per bottle': '24,50' }))[0]?.wine).toMatchObject({ cost_cents: 2450 });
  expect(problemsOf({ Notes: 'x'.repeat(601) })).toEqual(['Notes can have at most 600 characters.']);
});

test('a wine already listed, or in an earlier row, is not added again', () => {
  const same = rowWith({ Name: ' BAROLO ' });
  expect(read(GOOD, same).map(({ problems }) => problems.length)).toEqual([0, 1]);
  const listed = [{ name: 'barolo', producer: 'prova', vintage: 2018 }];
  expect(readWineRows(COLUMNS, [GOOD], listed, 'usd')[0]?.problems[0]).toContain('already on the list');
});

test('a row with more cells than columns is a problem', () => {
  expect(read([...GOOD, 'a note after a comma'])[0]?.problems[0]).toContain('more cells than column names');
});

test('columns can be in any order, unknown ones are ignored, and a missing required one is named', () => {
  const columns = ['acidity', 'Shelf', 'TANNIN', 'body', 'sweetness', 'Color', 'name'];
  expect(wineFileProblem(columns)).toBeNull();
  const [row] = readWineRows(columns, [['4', 'B2', '5', '5', '1', 'Red', 'Barolo']], [], 'usd');
  expect(row?.wine).toMatchObject({ name: 'Barolo', acidity: 4, producer: '' });
  expect(wineFileProblem(['Name', 'Color'])).toContain('“Sweetness”, “Body”, “Tannin”, “Acidity”');
});

test('the file of a list, whose formulas are stopped, is read as the same list', () => {
  const word = fc.oneof(
    fc.string({ maxLength: 80 }).map((it) => it.trim()),
    fc.constantFrom('=1+1', '-Brut', '+43', '@Home', "'=1", "''Quoted", '="1"'),
  );
  const step = fc.integer({ min: 1, max: TRAIT_WORDS.body.length });
  const wines = fc.uniqueArray(
    fc.record<WineOfFile>({
      name: word.filter((it) => it !== ''),
      producer: word,
      region: word,
      country: word,
      grape: word,
      vintage: fc.option(fc.integer({ min: 1900, max: 2100 })),
      color: fc.constantFrom(...WINE_COLORS),
      sweetness: step,
      body: step,
      tannin: step,
      acidity: step,
      notes: word,
      glasses_per_bottle: fc.integer({ min: 1, max: 40 }),
      cost_cents: fc.option(fc.integer({ min: 0, max: 10_000_000 })),
    }),
    {
      maxLength: 5,
      selector: ({ name }) => name.normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase(),
    },
  );
  fc.assert(
    fc.property(wines, (list) => {
      const [columns = [], ...rows] = writeWineRows(list, 'usd').map((row) =>
        row.map((cell) => stopFormulas(String(cell))),
      );
      expect(readWineRows(columns, rows, [], 'usd').map(({ wine }) => wine)).toEqual(list);
    }),
    { numRuns: 100 },
  );
});
