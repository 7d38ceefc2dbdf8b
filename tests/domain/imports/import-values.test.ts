import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  dateOrderOf,
  isNoDay,
  readBirthday,
  readCell,
  readDay,
  readList,
  readNotes,
  writeBirthday,
  writeList,
  writeNotes,
} from '../../../src/domain/imports/import-values.ts';
import { isBirthday } from '../../../src/domain/staff/member-record.ts';
import { csvLine } from '../../../src/server/platform/csv.ts';
import { readMemberFile } from '../../../src/web/staff/imports/read-file.ts';

test.each([
  ['2020-03-04', '2020-03-04'],
  ['2020-03-04T10:00:00Z', '2020-03-04'],
  ['2020/3/4', '2020-03-04'],
  ['4.3.2020', '2020-03-04'],
  ['04.03.2020 00:00', '2020-03-04'],
  ['3/4/2020 0:00', '2020-03-04'],
  ['03/04/2020 12:00:00 AM', '2020-03-04'],
  ['3/4/2020, 9:26:53\u202Fp.m.', '2020-03-04'],
  ['2020-03-04 09:30:12+02:00', '2020-03-04'],
  ['20200304', '2020-03-04'],
  ['Mar 4, 2020', '2020-03-04'],
  ['Wed, 4 March 2020', '2020-03-04'],
  ['4-Mar-2020', '2020-03-04'],
  ['Wed Mar 04 2020', '2020-03-04'],
  ['Wed Mar 04 2020 00:00:00 GMT-0800 (Pacific Standard Time)', '2020-03-04'],
  ['Wed Mar  4 09:30:12 UTC 2020', '2020-03-04'],
  ['Wed Mar 04 09:30:12 GMT+01:00 2020', '2020-03-04'],
  ['March 4, 2020 at 5:03\u202FPM', '2020-03-04'],
  ['March 4, 2020, 5:03 PM GMT+1', '2020-03-04'],
  ['Sunday', null],
  ['2020. 03. 04.', '2020-03-04'],
  ['\u200E3\u200E/\u200E4\u200E/\u200E2020', '2020-03-04'],
  ['4-Mar-20', '2020-03-04'],
  ['04.03.20', '2020-03-04'],
  ['4-Mar-27', '1927-03-04'],
  ['43894', '2020-03-04'],
  ['43894.75', '2020-03-04'],
  ['20200304T000000Z', '2020-03-04'],
  ['4. März 2020', '2020-03-04'],
  ['4. Jänner 2020', '2020-01-04'],
  ['4 mars 2020', '2020-03-04'],
  ['4 févr. 2020', '2020-02-04'],
  ['4 jui 2020', null],
  ['4 de marzo de 2020', '2020-03-04'],
  ['4 mar 2020', '2020-03-04'],
  ['4th of March, 2020', '2020-03-04'],
  ['20-03-04', null],
  ['438940', null],
  ['3/4', null],
  ['3/4/2020', '2020-03-04'],
  ['13/4/2020', null],
  ['3/4/20', '2020-03-04'],
  ['2019-02-29', null],
  ['1900-01-01', '1900-01-01'],
  ['1899-12-31', null],
  ['2101-01-01', null],
  ['soon', null],
])('the day %s is %s', (text, day) => {
  expect(readDay(text, 'month_first', 2026)).toBe(day);
});

test('dates with slashes follow the file’s order of day and month', () => {
  expect(readDay('13/4/2020', 'day_first', 2026)).toBe('2020-04-13');
  expect(readBirthday('13/4', 'day_first', 2010)).toEqual({ month: 4, day: 13, year: null });
  expect(readBirthday('4/13', 'month_first', 2010)).toEqual({ month: 4, day: 13, year: null });
});

test.each([
  ['09-21', { month: 9, day: 21, year: null }],
  ['9/21', { month: 9, day: 21, year: null }],
  ['0000-09-21', { month: 9, day: 21, year: null }],
  ['1604-09-21', { month: 9, day: 21, year: null }],
  ['--09-21', { month: 9, day: 21, year: null }],
  ['--0921', { month: 9, day: 21, year: null }],
  ['21 September', { month: 9, day: 21, year: null }],
  ['9/21/1998 0:00', { month: 9, day: 21, year: 1998 }],
  ['0001-09-21', { month: 9, day: 21, year: null }],
  ['1899-09-21', null],
  ['09-31', null],
  ['9/21/98', { month: 9, day: 21, year: 1998 }],
  ['9/21/11', { month: 9, day: 21, year: 1911 }],
])('the birthday %s is %o', (text, birthday) => {
  expect(readBirthday(text, 'month_first', 2010)).toEqual(birthday);
});

test.each(['0000-00-00', '0000-00-00 00:00:00', '0/0/00', '1/0/1900', '1/0/00', '00.01.1900', '00.00.0000'])(
  '%s is no day',
  (text) => {
    expect(isNoDay(text)).toBe(true);
    expect(isNoDay(`${text}1`)).toBe(false);
  },
);

test.each([
  [['3/4/2020', '13/4/2020 0:00', ''], 'day_first'],
  [['3-4-2020', '04-13'], 'month_first'],
  [['3/4/20', '13/4/20'], 'day_first'],
  [['\u200E13\u200E/\u200E4\u200E/\u200E2020'], 'day_first'],
  [['3/4/2020', '2020-12-13', '13.4.2020'], null],
  [['13/4/2020', '4/13/2020'], null],
  [['="13/4/2020"'], 'day_first'],
])('the days %o show the order %s', (texts, order) => {
  expect(dateOrderOf(texts)).toBe(order);
});

test('a list may have the separators of an address book', () => {
  expect(readList('Wine Club ::: Press, a:b')).toEqual(['Wine Club', 'Press', 'a:b']);
});

describe('values survive writing and reading', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 40 }).map((it) => it.trim());
  const items = (of: fc.Arbitrary<string>) =>
    fc.array(
      of.filter((it) => it !== ''),
      { maxLength: 6 },
    );

  it('a birthday, with its year or without', () => {
    const birthday = fc
      .record({
        month: fc.integer({ min: 1, max: 12 }),
        day: fc.integer({ min: 1, max: 31 }),
        year: fc.option(fc.integer({ min: 1900, max: 2100 })),
      })
      .filter(isBirthday);
    fc.assert(
      fc.property(birthday, fc.constantFrom('month_first', 'day_first'), (it, order) => {
        expect(readBirthday(writeBirthday(it), order, 2010)).toEqual(it);
      }),
    );
  });

  it('a list, whatever its items', () => {
    const label = fc.oneof(text, fc.constantFrom('a; b', 'a ::: b', 'a, b', '"', '"a"', "it's", 'a\nb'));
    fc.assert(fc.property(items(label), (it) => void expect(readList(writeList(it))).toEqual(it)));
  });

  it('notes, whatever their lines', () => {
    const line = fc.oneof(text, fc.constantFrom('---', '----', '--', ''));
    const note = fc.array(line, { maxLength: 4 }).map((lines) => lines.join('\n').trim());
    const plain = note.filter((it) => !it.includes('\r'));
    fc.assert(fc.property(items(plain), (it) => void expect(readNotes(writeNotes(it))).toEqual(it)));
  });

  it('a cell, through a CSV file whose formulas are escaped', () => {
    const cell = fc.oneof(
      text,
      fc.constantFrom('=1+1', "'=1", "''-1", '+43 1', '@x', "'quoted'", 'a"b', 'a\nb', 'a; =1', '="1"'),
      fc
        .string({ unit: fc.constantFrom('a', '=', '-', '\uFF1D', ',', ';', '\t', '\n', '"', "'", ' ') })
        .map((it) => it.trim()),
    );
    fc.assert(
      fc.property(
        fc.array(
          cell.filter((it) => !it.includes('\0')),
          { minLength: 2, maxLength: 4 },
        ),
        (cells) => {
          const file = csvLine(cells.map((_, n) => `Column ${n}`)) + csvLine(['x', ...cells.slice(1)]);
          const [row] = readMemberFile(new TextEncoder().encode(file)).rows;
          expect(row?.map(readCell)).toEqual(['x', ...cells.slice(1)]);
        },
      ),
    );
  });
});
