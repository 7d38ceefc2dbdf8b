import { describe, expect, it, test } from 'vitest';
import {
  readCsvFile,
  readMemberFile,
  requestsOf,
  UnreadableFile,
} from '../../../src/web/staff/imports/read-file.ts';

const bytes = (text: string, ...mark: number[]) =>
  new Uint8Array([...mark, ...new TextEncoder().encode(text)]);
const TEXT = 'Name;Ort\nZoë;"Wien; Mitte"\n\n';
const READ = { columns: ['Name', 'Ort'], rows: [['Zoë', 'Wien; Mitte']], lines: [2] };

const utf16 = Uint8Array.from([
  0xff,
  0xfe,
  ...[...TEXT].flatMap((it) => [it.charCodeAt(0) & 255, it.charCodeAt(0) >> 8]),
]);
const bigEndian = utf16.map((_, index) => utf16[index ^ 1] ?? 0);
const windows = Uint8Array.from([...TEXT].map((it) => it.charCodeAt(0)));

test.each([
  ['UTF-8', bytes(TEXT)],
  ['UTF-8 with a byte order mark', bytes(TEXT, 0xef, 0xbb, 0xbf)],
  ['UTF-16, as Excel saves Unicode text', utf16],
  ['UTF-16, big-endian', bigEndian],
  ['UTF-16 without a byte order mark', utf16.subarray(2)],
  ['Windows-1252', windows],
  ['Mac OS Roman', windows.map((byte) => (byte === 0xeb ? 0x91 : byte))],
  ['tabs', bytes(TEXT.replaceAll(';', '\t').replace('Wien\t', 'Wien;'))],
  ['commas', bytes('Name,Ort\r\nZoë,"Wien; Mitte"\r\n')],
  ['vertical bars', bytes(TEXT.replaceAll(';', '|').replace('Wien|', 'Wien;'))],
  ['CR alone', bytes(TEXT.replaceAll('\n', '\r'))],
  ['line breaks of several kinds', bytes('Name;Ort\r\r\nZoë;"Wien; Mitte"\n\r')],
  ['spaces before the quotation marks', bytes('Name, "Ort"\nZoë, "Wien; Mitte"\n')],
  ['separators at the end of each line', bytes('Name;Ort;;\nZoë;"Wien; Mitte";;\n;;;\n')],
  ['a column without a name or a cell', bytes('Name;;Ort\nZoë;;"Wien; Mitte"\n')],
  ['a first line for Excel', bytes('sep=;\r\nName;Ort\r\nZoë;"Wien; Mitte"')],
  ['rows that Excel kept in one cell each', bytes('"Name,Ort"\n"Zoë,""Wien; Mitte"""\n')],
  ['such rows beside whole ones', bytes('Name,Ort\n"Zoë,""Wien; Mitte"""\n')],
  ['such rows with empty cells behind them', bytes('"Name;Ort",,\r\n"Zoë;""Wien; Mitte""",,\r\n')],
  ['a quoted first line for Excel', bytes('"sep=,"\nName,Ort\nZoë,"Wien; Mitte"')],
])('a file in %s is read', (_, file) => {
  expect(readMemberFile(file)).toMatchObject(READ);
});

test.each([
  ['without a member', 'Name,Email'],
  ['whose quotation mark is not closed', 'Name,Email\n"Ana,a@b.test\nBo,b@b.test'],
  ['with 201 columns', `${'x,'.repeat(200)}x\n1`],
  ['that is a zipped workbook', 'PK\x03\x04xl/workbook.xml\na,b'],
  ['that is a table of a web page', '\n<html xmlns:x="urn:schemas-microsoft-com:office:excel"><table>'],
  ['that is a web page with a byte order mark', '\uFEFF<html>\n<td>Ana\n<td>Bo'],
  ['that is XML with a byte order mark', '\uFEFF<?xml version="1.0"?>\n<Row>Ana\n<Row>Bo'],
  ['that is a document', '%PDF-1.7\na,b\n1,2'],
  ['with a cell of 20,001 characters', `a,b\n${'1,2\n'.repeat(1000)}${'x'.repeat(20_001)},1`],
])('a file %s is refused with a message', (_, text) => {
  expect(() => readMemberFile(bytes(text))).toThrow(UnreadableFile);
});

test('a file at its limits is read, and one row or character more is refused', () => {
  const rows = (count: number) => bytes(`a,b\n${'1,2\n'.repeat(count)}`);
  expect(readCsvFile(rows(3), 'wine', 3).rows).toHaveLength(3);
  expect(() => readCsvFile(rows(4), 'wine', 3)).toThrow('A file has at most 3 rows. Please split it.');
  expect(readMemberFile(bytes(`a,b\n${'x'.repeat(20_000)},1`)).rows).toHaveLength(1);
  expect(readMemberFile(bytes(`${'x,'.repeat(199)}x\n1`)).columns).toHaveLength(200);
});

test('the column names are looked for in the first ten rows', () => {
  const titled = (titles: number) =>
    readMemberFile(bytes(`${'Our Members\n'.repeat(titles)}Email,Name\na@b.test,Ana\n`)).columns;
  expect(titled(9)).toEqual(['Email', 'Name']);
  expect(titled(10)).toEqual(['Our Members']);
});

test('a list of one column keeps its commas', () => {
  const { columns, rows } = readCsvFile(bytes('Wine\n"Lafite, Rouge"\nPort\n'), 'wine', 9);
  expect({ columns, rows }).toEqual({ columns: ['Wine'], rows: [['Lafite, Rouge'], ['Port']] });
});

test('signs that the database cannot hold are left out', () => {
  expect(readMemberFile(bytes('Name,Email\nA\0na,a@b.test'), { encoding: 'utf-8' }).rows).toEqual([
    ['Ana', 'a@b.test'],
  ]);
});

test('an older workbook is refused, whatever its name', () => {
  const file = Uint8Array.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, ...bytes('a,b\n1,2')]);
  expect(() => readMemberFile(file)).toThrow(/save or download it there as CSV/);
});

test('a short row is padded, and filled cells beyond the columns are kept as one more', () => {
  expect(readMemberFile(bytes('a,b\n1\n1,2,\n1,2,3,,4')).rows).toEqual([
    ['1', ''],
    ['1', '2'],
    ['1', '2', '3,4'],
  ]);
});

test('the line of a row is that of a spreadsheet, blank lines and titles counted', () => {
  const file = bytes('Our Members\n\nEmail,Name\na@b.test,"A\nB"\n\n,\nb@b.test,C\n');
  expect(readMemberFile(file)).toMatchObject({
    columns: ['Email', 'Name'],
    rows: [
      ['a@b.test', 'A\nB'],
      ['b@b.test', 'C'],
    ],
    lines: [4, 7],
    title_lines: 2,
  });
});

test('a column without a name is read if only the last row has a cell in it', () => {
  const file = bytes(`Email,,Name\n${'a@b.test,,Ana\n'.repeat(1000)}b@b.test,Bo,\n`);
  const { columns, rows } = readMemberFile(file);
  expect([columns, rows.at(-1)]).toEqual([
    ['Email', '', 'Name'],
    ['b@b.test', 'Bo', ''],
  ]);
});

test('84 columns are read', () => {
  const columns = Array.from({ length: 84 }, (_, n) => `c${n}`).join(',');
  expect(readMemberFile(bytes(`${columns}\n1`)).columns).toHaveLength(84);
});

describe('the encoding and the separator', () => {
  it.each([
    ['a title', 'Our Members\n'],
    ['a title with another separator', 'Members, 2026\n\n'],
    ['three lines', 'Wine Club\nExported by Ana\n12/1/2026\n'],
  ])('of two columns are guessed below %s', (_what, title) => {
    const file = bytes(`${title}Email;Name\na@x.test;Ana\nb@x.test;Ben\n`);
    expect(readMemberFile(file)).toMatchObject({
      columns: ['Email', 'Name'],
      rows: [
        ['a@x.test', 'Ana'],
        ['b@x.test', 'Ben'],
      ],
      format: { separator: ';' },
    });
  });

  it('are not guessed from one row of which only the first cell is filled', () => {
    const file = bytes('Email;Name;Note\na@x.test;Ana;was, she says, away\nb@x.test;;\n');
    expect(readMemberFile(file)).toMatchObject({
      columns: ['Email', 'Name', 'Note'],
      rows: [
        ['a@x.test', 'Ana', 'was, she says, away'],
        ['b@x.test', '', ''],
      ],
      format: { separator: ';' },
    });
  });

  const latin = (...codes: number[]) => Uint8Array.from([...bytes('Email,Name\na@b.test,'), ...codes]);

  test.each([
    ['windows-1252', [0x4d, 0xfc, 0x6c, 0x6c, 0x65, 0x72], 'Müller'],
    ['windows-1252', [0x44, 0x92, 0x41, 0x6e, 0x67], 'D’Ang'],
    ['macintosh', [0x52, 0x65, 0x6e, 0x8e], 'René'],
    ['windows-1250', [0xa3, 0x75, 0x6b, 0x61, 0x73, 0x7a], 'Łukasz'],
    ['utf-8', [0x5a, 0x6f, 0xc3, 0xab, 0x20, 0x4d, 0xc3, 0xbc, 0x6c, 0x20, 0xc3], 'Zoë Mül \uFFFD'],
  ])('%s is told by its letters: %o', (encoding, codes, name) => {
    expect(readMemberFile(latin(...codes))).toMatchObject({
      format: { encoding, separator: ',' },
      rows: [['a@b.test', name]],
    });
  });

  const long = 'a@b.test,Ana\n'.repeat(46_000);

  test('is told by letters at the end of a long file too', () => {
    const file = Uint8Array.from([...bytes(`Email,Name\n${long}`), ...latin(0x4d, 0xfc, 0x6c)]);
    const { format, rows } = readMemberFile(file);
    expect([format.encoding, rows.at(-1)]).toEqual(['windows-1252', ['a@b.test', 'Mül']]);
  });

  // The letters have two bytes: at every place in the file, a cut leaves half of one in one of the two files.
  test.each(['', 'x'])('of a long file of letters beyond A to Z is UTF-8, shifted by %o', (shift) => {
    const row = `a@b.test,${'ë'.repeat(15_000)}\n`;
    const { format, rows } = readMemberFile(bytes(`Email,Name\n,${shift}\n${row.repeat(40)}`));
    expect([format.encoding, rows.at(-1)?.[1]?.slice(-3)]).toEqual(['utf-8', 'ëëë']);
  });

  test('can be chosen', () => {
    const file = latin(0x41, 0x3b, 0xc0);
    expect(readMemberFile(file, { encoding: 'windows-1251', separator: ';' })).toMatchObject({
      columns: ['Email,Name'],
      rows: [['a@b.test,A', 'А']],
    });
  });

  test('chosen by staff counts more than the one that the first line names', () => {
    const file = bytes('sep=;\nName,Ort;Land\nZoë,Wien;AT\n');
    expect(readMemberFile(file, { separator: ',' })).toMatchObject({ columns: ['Name', 'Ort;Land'] });
  });
});

describe('the pieces in which rows are sent', () => {
  it('hold all rows in order, and each fits into a request', () => {
    const rows = Array.from({ length: 1203 }, (_, n) => [`${n}`, 'é'.repeat(n % 600)]);
    const pieces = [...requestsOf(rows)];
    expect(pieces.flatMap((it) => it.rows)).toEqual(rows);
    let next = 1;
    for (const { first_row, rows: some } of pieces) {
      expect(first_row).toBe(next);
      next += some.length;
      expect(some.length).toBeLessThanOrEqual(100);
      expect(new TextEncoder().encode(JSON.stringify(some)).length).toBeLessThan(60_000);
    }
  });

  it('cannot be made of a row larger than a request', () => {
    expect(() => [...requestsOf([['x'.repeat(20_000), 'x'.repeat(20_000), 'x'.repeat(20_000)]])]).toThrow(
      UnreadableFile,
    );
  });
});
