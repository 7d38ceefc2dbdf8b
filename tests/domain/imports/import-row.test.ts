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
  name_order: 'first_last',
  columns: IMPORT_FIELDS.length,
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
    ['cell_damaged', { phone: '1.55501E+10' }],
    ['cell_damaged', { ...PAID, payment_reference: '1,23457E+15' }],
    ['cell_damaged', { notes: '#REF!' }],
    ['cell_damaged', { tags: '#¡VALOR!' }],
    ['cell_damaged', { allergies: '#####' }],
    ['email_wrong', { email: 'a@b.test; c@d.test' }],
    ['name_missing', { first_name: '#N/A' }],
    ['name_missing', { last_name: 'NULL' }],
    ['birthday_wrong', { birthday: '6/16/2026' }],
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
    ['paid_until_wrong', { ...PAID, paid_until: 'soon' }],
    ['paid_until_without_reference', { paid_until: '2099-01-01' }],
    ['paid_until_over', { ...PAID, member_since: '1/31/2020', paid_until: '1/31/2021' }],
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

test.each<Cells>([
  { phone: '1'.repeat(40) },
  { first_name: 'x'.repeat(80) },
  { birthday: '6/15/2026' },
  { member_since: '2026-06-15' },
  { ...PAID, payment_reference: 'T'.repeat(100) },
  { ...PAID, glasses_left: '100' },
  { ...PAID, glasses_left: '99,00' },
  { tags: Array.from({ length: 20 }, (_, n) => `t${n}`).join(';') },
  { tags: 'x'.repeat(30) },
  { allergies: 'x'.repeat(300) },
  { notes: 'x'.repeat(2000) },
  { notes: Array(50).fill('x').join('\n---\n') },
])('a row is imported with the most that is allowed: %o', (cells) => {
  expect(read({ ...WHOLE, ...cells }).problems).toEqual([]);
});

test('a column of first or last names counts more than one of full names', () => {
  const full_name = 'Ana María Ruiz';
  expect(read({ ...WHOLE, full_name }).member).toMatchObject({ first_name: 'Ana', last_name: 'Ruiz' });
  expect(read({ email: 'a@b.test', last_name: 'Ruiz Gil', full_name: 'Ana Ruiz' }).member).toMatchObject({
    first_name: 'Ana',
    last_name: 'Ruiz Gil',
  });
});

test.each<[known: 'first_name' | 'last_name', part: string, full_name: string, other: string]>([
  ['first_name', 'Ada', 'von der Heide', 'von der Heide'],
  ['first_name', 'Eva', 'Müller Stein', 'Müller Stein'],
  ['first_name', 'Mary Ann', 'Mary Ann Smith', 'Smith'],
  ['first_name', 'MARY ANN', 'Smith, Mary Ann', 'Smith'],
  ['first_name', 'Eva', 'Dr. Eva Stein', 'Stein'],
  ['last_name', 'Smith', 'Mary Ann', 'Mary Ann'],
  ['last_name', 'Smith', 'Ada', 'Ada'],
  ['last_name', 'Smith', 'Mary Ann Smith', 'Mary Ann'],
  ['last_name', 'Smith', 'Smith, Mary Ann', 'Mary Ann'],
])('beside the %s %s, the name %s is %s, without a column of its own', (known, part, full_name, other) => {
  const cells = ['a@b.test', part, full_name];
  const { member } = readImportRow(cells, { email: 0, [known]: 1, full_name: 2 }, RULES);
  const names = known === 'first_name' ? [part, other] : [other, part];
  expect([member?.first_name, member?.last_name]).toEqual(names);
});

test('a tier chosen for the file’s name is used, unless a tier of the club has that name', () => {
  const tier_names = { gold: 'premier', select: 'premier', silver: 'gone', bronze: null };
  const tierOf = (tier: string) => read({ ...WHOLE, tier }, { tier_names }).member?.tier;
  expect([tierOf(' GOLD '), tierOf('Select')]).toEqual(['premier', 'select']);
  for (const tier of ['silver', 'bronze', 'constructor'])
    expect(read({ ...WHOLE, tier }, { tier_names }).problems).toEqual(['tier_unknown']);
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
    paid_until: null,
    glasses_left: 0,
    tags: ['VIP', 'Press'],
    allergies: 'Nuts',
    notes: ['Window table', 'Pays in cash'],
  });
});

test('a paid day becomes the start of the membership’s next month, counted from its first day', () => {
  const cells = { ...WHOLE, ...PAID, member_since: '1/31/2020', paid_until: '3/1/2027' };
  expect(read(cells).member?.paid_until).toBe('2027-03-31');
});

test('a row with a filled cell beyond the columns is not imported', () => {
  const cells = IMPORT_FIELDS.map((field) => WHOLE[field] ?? '');
  expect(readImportRow([...cells, ' ', 'sulfites'], MAPPING, RULES).problems).toEqual(['cells_many']);
  expect(readImportRow([...cells, ' ', ''], MAPPING, RULES).problems).toEqual([]);
});

test('what programs write for nothing is nothing', () => {
  const cells = { phone: 'NULL', birthday: '0000-00-00', member_since: '0/0/00', notes: '#N/A', tags: '\\N' };
  expect(read({ ...WHOLE, ...cells }).member).toMatchObject({
    phone: null,
    birthday: null,
    member_since: null,
    notes: [],
    tags: [],
  });
});

test.each([
  ['Ana Ruiz <ana@mail.test>', 'ana@mail.test'],
  ['mailto:gil@mail.test', 'gil@mail.test'],
  ['\u200Bana@\u00ADmail.test\u00A0', 'ana@mail.test'],
  ['ana@mail.test.', 'ana@mail.test'],
  ['ANA@MAIL.TEST;', 'ana@mail.test'],
  ["'ana@mail.test", 'ana@mail.test'],
  ["'ana@mail.test'", 'ana@mail.test'],
  ['\u201Cana@mail.test\u201D;', 'ana@mail.test'],
  ["Ana Ruiz <'ana@mail.test'>", 'ana@mail.test'],
  ["o'brien@mail.test", "o'brien@mail.test"],
])('the email %j is %s', (email, expected) => {
  expect(read({ ...WHOLE, email }).member?.email).toBe(expected);
});

test.each(["'+1 555", '=+1 555', '="+1 555"', "'=+1 555"])('the phone number %s is +1 555', (phone) => {
  expect(read({ ...WHOLE, phone }).member?.phone).toBe('+1 555');
});

test('a number that a program wrote as a decimal loses its .0', () => {
  const { member } = read({ ...WHOLE, ...PAID, phone: '4155550101.0', payment_reference: '10045.0' });
  expect(member).toMatchObject({ phone: '4155550101', payment_reference: '10045' });
});

test('a name has composed letters and no invisible characters', () => {
  const { member } = read({ ...WHOLE, first_name: 'Zoe\u0308\u200B', last_name: 'de\u00A0 la\nCruz' });
  expect(member).toMatchObject({ first_name: 'Zo\u00EB', last_name: 'de la Cruz' });
});

test('signs that a program wrote as for a web page are read as themselves', () => {
  expect(read({ ...WHOLE, notes: '&#0; &#55357; AT&T; &x' }).member?.notes).toEqual([
    '&#0; &#55357; AT&T; &x',
  ]);
  const cells = {
    first_name: 'Tom &amp; Jo',
    last_name: 'O&#039;Brien',
    tags: 'R&amp;D; VIP',
    notes: '&quot;x&quot;',
  };
  expect(read({ ...WHOLE, ...cells }).member).toMatchObject({
    first_name: 'Tom & Jo',
    last_name: "O'Brien",
    tags: ['R&D', 'VIP'],
    notes: ['"x"'],
  });
});

test.each([
  ['Ana Ruiz', 'Ana', 'Ruiz'],
  ['Ruiz, Ana María', 'Ana María', 'Ruiz'],
  ['Ana de la Cruz', 'Ana', 'de la Cruz'],
  ['Walter Miller, Jr.', 'Walter', 'Miller, Jr.'],
  ['Miller, Walter M., Jr.', 'Walter M.', 'Miller, Jr.'],
  ['Miller, Jr., Walter', 'Walter', 'Miller, Jr.'],
  ['Walter M. Miller III', 'Walter M.', 'Miller III'],
  ['Ana Ruiz, MD', 'Ana', 'Ruiz, MD'],
  ['Ana Ruiz, R.N.', 'Ana', 'Ruiz, R.N.'],
  ['Vance, JD', 'JD', 'Vance'],
  ['RUIZ, ANA', 'ANA', 'RUIZ'],
  ['Dr. Eva Stein', 'Dr. Eva', 'Stein'],
  ['Mr. & Mrs. Bob Hart', 'Mr. & Mrs. Bob', 'Hart'],
  ['Bob & Carol Hart', 'Bob & Carol', 'Hart'],
  ['Hart, Bob and Carol', 'Bob and Carol', 'Hart'],
  ['J. R. R. Tolkien', 'J. R. R.', 'Tolkien'],
  ['J. Paul Getty', 'J. Paul', 'Getty'],
  ['José Ortega y Gasset', 'José', 'Ortega y Gasset'],
  ['Amartya Sen', 'Amartya', 'Sen'],
  ['Ana\u00A0Ruiz', 'Ana', 'Ruiz'],
])('the name %s is %s %s', (full_name, first_name, last_name) => {
  expect(read({ email: 'a@b.test', full_name }).member).toMatchObject({ first_name, last_name });
});

test.each([
  ['Nagy Béla', 'Béla', 'Nagy'],
  ['de la Cruz Ana María', 'Ana María', 'de la Cruz'],
  ['Ruiz, Ana', 'Ana', 'Ruiz'],
])('with the last name first, the name %s is %s %s', (full_name, first_name, last_name) => {
  const { member } = read({ email: 'a@b.test', full_name }, { name_order: 'last_first' });
  expect(member).toMatchObject({ first_name, last_name });
});

test.each([
  'Mr. & Mrs. Hart',
  'Hart, Mr. & Mrs.',
  'Sukarno',
  'Ruiz,',
  'Miller, Jr.',
  'Bob Hart & Carol Smith',
  'Ruiz, Ana, VIP',
])('the name %s has no first name that can be told', (full_name) => {
  expect(read({ email: 'a@b.test', full_name }).problems).toEqual(['name_missing']);
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
  [{ member_since: '2019-03-31' }, true],
  [{ allergies: 'Nuts' }, true],
  [{ notes: 'Window table' }, true],
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

  test('a balance is not the pours left', () => {
    expect(guessMapping(['Balance', 'Account Balance', 'Pours'])).toEqual({ glasses_left: 2 });
  });

  test.each(['Ref', 'Ref.', 'Reference', 'POS ref', 'Receipt No', 'Payment reference'])(
    '%s is the payment reference',
    (column) => {
      expect(guessMapping([column])).toEqual({ payment_reference: 0 });
    },
  );

  test.each([
    [
      'CustomerNumber,BillFirstName,BillLastName,BillEmail,BillMainPhone,BillBirthDate,ClubName,ClubSignupDate',
      { first_name: 1, last_name: 2, email: 3, phone: 4, birthday: 5, tier: 6, member_since: 7 },
    ],
    [
      'subscription_id,status,billing_first_name,billing_last_name,billing_email,First name,Billing phone',
      { first_name: 5, last_name: 3, email: 4, phone: 6 },
    ],
    [
      'Guest Name,Guest Email,Mobile Number,Guest Notes,Guest Tags,Customer ID',
      { full_name: 0, email: 1, phone: 2, notes: 3, tags: 4 },
    ],
    ['ID,Username,User Email,Account Name', { email: 2 }],
    ['Your Name (First),Your Name (Last),Your Email', { first_name: 0, last_name: 1, email: 2 }],
    ['Membership level,Membership status,Renewal due', { tier: 0, paid_until: 2 }],
    [
      'Nombre,Apellidos,Correo,Móvil,Fecha de nacimiento',
      { first_name: 0, last_name: 1, email: 2, phone: 3, birthday: 4 },
    ],
    [
      'Cognome,Nome,E-mail,Cellulare,Data di nascita',
      { last_name: 0, first_name: 1, email: 2, phone: 3, birthday: 4 },
    ],
    [
      'Name,Vorname,E-Mail,Handy,Eintritt',
      { first_name: 1, full_name: 0, email: 2, phone: 3, member_since: 4 },
    ],
    [
      'Voornaam,Achternaam,E-mail,Telefoon,Geboortedatum',
      { first_name: 0, last_name: 1, email: 2, phone: 3, birthday: 4 },
    ],
    ['Vorname,Nachname,E-Mail,Mitglied seit', { first_name: 0, last_name: 1, email: 2, member_since: 3 }],
  ])('of %s are found with a word before them too', (header, mapping) => {
    expect(guessMapping(header.split(','))).toEqual(mapping);
  });

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

test('an email with a domain in another script is read as mail servers know it', () => {
  const rules = { isEmail: (text: string) => /^[\x21-\x7E]+$/.test(text) };
  expect(read({ ...WHOLE, email: 'Ana <Ana@Müller.test>' }, rules).member?.email).toBe(
    'ana@xn--mller-kva.test',
  );
  expect(read({ ...WHOLE, email: 'SMTP:ana＠mail.test' }, rules).member?.email).toBe('ana@mail.test');
});

test('a phone loses the invisible marks of a list of contacts, and others in its cell become a note', () => {
  expect(read({ ...WHOLE, phone: '\u202A+1 555 0100\u202C' }).member?.phone).toBe('+1 555 0100');
  const { member } = read({
    ...WHOLE,
    phone: '+1 (555) 010-0001 ::: +1 (555) 010-0002 ::: 555',
    notes: 'Likes red',
  });
  expect(member).toMatchObject({
    phone: '+1 (555) 010-0001',
    notes: ['Likes red', 'Other phones: +1 (555) 010-0002, 555'],
  });
});

test.each([
  ['Emailadresse,Vorname,Nachname,Telefon,Geburtstag'],
  ['E-Mail-Adresse,Vorname,Nachname,Telefon,Geburtsdatum'],
  ['Adresse e-mail,Prénom,Nom,Téléphone,Date de naissance'],
  ['Correo electrónico,Nombre,Apellidos,Teléfono,Fecha de nacimiento'],
  ['user_email,firstname,lastname,phone,dob'],
])('the columns %s of a mailing program are guessed', (header) => {
  const found = { email: 0, first_name: 1, last_name: 2, phone: 3, birthday: 4 };
  expect(guessMapping(header.split(','))).toEqual(found);
});
