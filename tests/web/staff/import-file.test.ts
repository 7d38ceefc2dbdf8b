import { describe, expect, it, test } from 'vitest';
import { readMemberFile, requestsOf, UnreadableFile } from '../../../src/web/staff/imports/read-file.ts';

const bytes = (text: string, ...mark: number[]) =>
  new Uint8Array([...mark, ...new TextEncoder().encode(text)]);
const TEXT = 'Name;Ort\nZoë;"Wien; Mitte"\n\n';
const READ = { columns: ['Name', 'Ort'], rows: [['Zoë', 'Wien; Mitte']] };

const utf16 = Uint8Array.from([
  0xff,
  0xfe,
  ...[...TEXT].flatMap((it) => [it.charCodeAt(0) & 255, it.charCodeAt(0) >> 8]),
]);
const windows = Uint8Array.from([...TEXT].map((it) => it.charCodeAt(0)));

test.each([
  ['UTF-8', bytes(TEXT)],
  ['UTF-8 with a byte order mark', bytes(TEXT, 0xef, 0xbb, 0xbf)],
  ['UTF-16, as Excel saves Unicode text', utf16],
  ['Windows-1252', windows],
  ['tabs', bytes(TEXT.replaceAll(';', '\t').replace('Wien\t', 'Wien;'))],
  ['commas', bytes('Name,Ort\r\nZoë,"Wien; Mitte"\r\n')],
])('a file in %s is read', (_, file) => {
  expect(readMemberFile(file)).toEqual(READ);
});

test.each([
  ['without a member', 'Name,Email'],
  ['whose quotation mark is not closed', 'Name,Email\n"Ana,a@b.test\nBo,b@b.test'],
  ['with 61 columns', `${'x,'.repeat(60)}x\n1`],
  ['with a cell of 20,001 characters', `a,b\n${'x'.repeat(20_001)},1`],
])('a file %s is refused with a message', (_, text) => {
  expect(() => readMemberFile(bytes(text))).toThrow(UnreadableFile);
});

test('a short row is padded, a long one is cut', () => {
  expect(readMemberFile(bytes('a,b\n1\n1,2,3')).rows).toEqual([
    ['1', ''],
    ['1', '2'],
  ]);
});

describe('the pieces in which rows are sent', () => {
  it('hold all rows in order, and each fits into a request', () => {
    const rows = Array.from({ length: 1203 }, (_, n) => [`${n}`, 'é'.repeat(n % 300)]);
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
