import fc from 'fast-check';
import Papa from 'papaparse';
import { expect, it } from 'vitest';
import { csvFile, csvLine } from '../../../src/server/platform/csv.ts';

it.each([
  ['a comma', 'Haddad, Noor', '"Haddad, Noor"'],
  ['a quote', 'the "good" one', '"the ""good"" one"'],
  ['a line break', 'one\r\ntwo', '"one\r\ntwo"'],
  ['nothing', null, ''],
  ['a number', -4.5, '-4.5'],
  ['an instant, in UTC', new Date('2026-03-01T23:30:00+02:00'), '2026-03-01T21:30:00.000Z'],
  ['a letter from far away', 'Inés 🍷', 'Inés 🍷'],
])('a cell with %s', (_, cell, text) => {
  expect(csvLine([cell])).toBe(`${text}\r\n`);
});

it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\uFF1D1', ' =1', '\t=1', '\r=1'])('%j is not a formula', (text) => {
  expect(csvLine([text])).toMatch(/^"?'/);
  // A spreadsheet runs it only at the beginning of a cell.
  expect(csvLine([`a${text.trim()}`])).not.toContain("'");
  for (const separator of [';', '\t', '\n', ';"']) {
    expect(csvLine([`a${separator}${text.trim()}`])).toContain(`${separator[0]}'`);
  }
});

const cells = fc.array(
  fc.string({
    unit: fc.constantFrom('a', '=', '+', '-', '@', '\uFF1D', ',', ';', '\t', '\n', '\r', '"', "'", ' '),
  }),
  { minLength: 1, maxLength: 3 },
);

it('no cell is a formula where a spreadsheet splits at commas, semicolons or tabs', () => {
  fc.assert(
    fc.property(cells, (texts) => {
      const line = csvLine(texts);
      const rfc = Papa.parse<string[]>(line, { delimiter: ',' }).data.flat();
      const naive = line.split(/[;\t\r\n]/);
      for (const cell of [...rfc, ...naive]) expect(cell).not.toMatch(/^["\s]*[=+\-@\uFF1D]/);
    }),
    { numRuns: 2000 },
  );
});

it('begins with a byte order mark, and fetches the next rows only when the earlier ones have been read', async () => {
  let asked = 0;
  const { headers, body } = csvFile({
    name: 'audit.csv',
    header: ['What'],
    async read(after: number | null) {
      asked += 1;
      return { rows: [`row ${(after ?? 0) + 1}`], next: asked < 3 ? asked : null };
    },
    toCells: (row) => [row],
  });
  expect(headers['content-disposition']).toBe('attachment; filename="audit.csv"');
  const reader = body.getReader();
  const read = async () => Buffer.from((await reader.read()).value ?? []).toString();
  expect(await read()).toBe('\uFEFFWhat\r\n');
  expect(await read()).toBe('row 1\r\n');
  expect(asked).toBeLessThan(3);
  expect([await read(), await read(), await read()]).toEqual(['row 2\r\n', 'row 3\r\n', '']);
});
