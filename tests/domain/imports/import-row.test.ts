import { describe, expect, test } from 'vitest';
import { guessMapping, IMPORT_FIELDS, mappingProblem } from '../../../src/domain/imports/import-fields.ts';
import { type ImportRules, isOnRecord, readImportRow } from '../../../src/domain/imports/import-row.ts';

const TIERS = [
  { tier_name: 'select', display_name: 'Select' },
  { tier_name: 'premier', display_name: 'Grand Cru' },
];
const RULES: ImportRules = {
  isEmail: (text) => /^[^\s@]+@[^\s@]+$/.test(text),
  isName: (text) => text.length <= 80 && !text.includes('/'),
  tiers: TIERS,
  tier_names: {},
  date_order: 'month_first',
  today: '2026-06-15',
};
const MAPPING = Object.fromEntries(IMPORT_FIELDS.map((field, index) => [field, index]));

type Cells = Partial<Record<(typeof IMPORT_FIELDS)[number], string>>;
const WHOLE: Cells = { email: 'Ana@Example.test', first_name: 'Ana', last_name: 'Ruiz' };
const read = (cells: Cells, rules: Partial<ImportRules> = {}) =>
  readImportRow(
    IMPORT_FIELDS.map((field) => cells[field] ?? ''),
    MAPPING,
    { ...RULES, ...rules },
  );
const PAID = { tier: 'Select', payment_reference: 'T-1' };

describe('a row is not imported', () => {
  test.each<[problem: string, cells: Cells]>([
    ['email_missing', { email: ' ' }],
    ['email_wrong', { email: 'ana' }],
    ['name_missing', { last_name: '' }],
    ['name_wrong', { first_name: 'www/ana' }],
    ['name_wrong', { last_name: 'x'.repeat(81) }],
    ['phone_long', { phone: '1'.repeat(41) }],
    ['birthday_wrong', { birthday: '31.2.' }],
    ['birthday_wrong', { birthday: 'May' }],
    ['tier_unknown', { tier: 'Gold' }],
    ['member_since_wrong', { member_since: '2020-02-30' }],
    ['member_since_future', { member_since: '2026-06-16' }],
    ['reference_without_tier', { payment_reference: 'T-1' }],
    ['reference_long', { ...PAID, payment_reference: 'T'.repeat(101) }],
    ['glasses_wrong', { ...PAID, glasses_left: '1.5' }],
    ['glasses_wrong', { ...PAID, glasses_left: '101' }],
    ['glasses_wrong', { ...PAID, glasses_left: '-1' }],
    ['glasses_without_reference', { glasses_left: '2' }],
    ['tags_many', { tags: Array.from({ length: 21 }, (_, n) => `t${n}`).join(';') }],
    ['tag_long', { tags: 'x'.repeat(31) }],
    ['allergies_long', { allergies: 'x'.repeat(301) }],
    ['notes_long', { notes: 'x'.repeat(2001) }],
    ['notes_long', { notes: Array(51).fill('x').join('\n---\n') }],
  ])('%s: %o', (problem, cells) => {
    expect(read({ ...WHOLE, ...cells }).problems).toEqual([problem]);
  });

  test('and all its problems are listed', () => {
    expect(read({ email: 'ana', tier: 'Gold' }).problems).toEqual([
      'email_wrong',
      'name_missing',
      'tier_unknown',
    ]);
  });
});

test('a complete row is read, with its email in lowercase and each tag once', () => {
  const { member } = read({
    ...WHOLE,
    ...PAID,
    phone: "'+1 555 0100",
    birthday: '4/7/1980',
    member_since: '3/31/2019',
    glasses_left: '0',
    tags: 'VIP, Press; vip',
    allergies: 'Nuts',
    notes: 'Window table\n---\nPays in cash',
  });
  expect(member).toEqual({
    email: 'ana@example.test',
    first_name: 'Ana',
    last_name: 'Ruiz',
    phone: '+1 555 0100',
    birthday: { month: 4, day: 7, year: 1980 },
    tier: 'select',
    member_since: '2019-03-31',
    payment_reference: 'T-1',
    glasses_left: 0,
    tags: ['VIP', 'Press'],
    allergies: 'Nuts',
    notes: ['Window table', 'Pays in cash'],
  });
});

test.each([
  ['Ana Ruiz', 'Ana', 'Ruiz'],
  ['Ruiz, Ana María', 'Ana María', 'Ruiz'],
  ['Ana de la Cruz', 'Ana', 'de la Cruz'],
])('the name %s is %s %s', (full_name, first_name, last_name) => {
  expect(read({ email: 'a@b.test', full_name }).member).toMatchObject({ first_name, last_name });
});

test('a tier is known by either of its names', () => {
  expect(read({ ...WHOLE, tier: 'GRAND CRU' }).member?.tier).toBe('premier');
  expect(read({ ...WHOLE, tier: 'premier' }).member?.tier).toBe('premier');
});

test.each<[Cells, boolean]>([
  [{}, false],
  [{ phone: '1' }, false],
  [{ tier: 'select' }, true],
  [{ tags: 'VIP' }, true],
  [{ birthday: '7.4.' }, true],
])('%o beside name and email need a member record: %s', (cells, expected) => {
  const { member } = read({ ...WHOLE, ...cells });
  expect(member && isOnRecord(member)).toBe(expected);
});

describe('columns', () => {
  test('are found by their usual names, each once', () => {
    const columns = ['E-mail Address', 'Name', 'Full Name', 'DOB', 'Plan', 'Join Date', 'Colour'];
    expect(guessMapping(columns)).toEqual({ email: 0, full_name: 1, birthday: 3, tier: 4, member_since: 5 });
  });

  test.each(['Ref', 'Ref.', 'Reference', 'POS ref', 'Receipt No', 'Payment reference'])(
    '%s is the payment reference',
    (column) => {
      expect(guessMapping([column])).toEqual({ payment_reference: 0 });
    },
  );

  test('default to those chosen last time', () => {
    expect(guessMapping(['Name', 'Mail', 'Since'], { notes: 'Since', tier: 'Gone' })).toEqual({
      notes: 2,
      full_name: 0,
      email: 1,
    });
  });

  test.each([
    [{ first_name: 0, last_name: 1 }, 'Choose the column with the email.'],
    [
      { email: 0, first_name: 1 },
      'Choose the column with the name, or the columns with first and last name.',
    ],
    [{ email: 0, full_name: 0 }, 'Choose each column for one field only.'],
    [{ email: 0, full_name: 9 }, 'The file doesn’t have all of these columns.'],
    [{ email: 0, full_name: 1 }, null],
  ])('%o: %s', (mapping, problem) => {
    expect(mappingProblem(mapping, 2)).toBe(problem);
  });
});
