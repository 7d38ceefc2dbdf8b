/** The fields of a file of members. docs/rules/imports.md, "Moving in and out". */
export const IMPORT_FIELDS = [
  'email',
  'first_name',
  'last_name',
  'full_name',
  'phone',
  'birthday',
  'tier',
  'member_since',
  'payment_reference',
  'paid_until',
  'glasses_left',
  'tags',
  'allergies',
  'notes',
] as const;
export type ImportField = (typeof IMPORT_FIELDS)[number];

/** The column of each field, counted from 0; fields not in the file are absent. */
export type ImportMapping = Partial<Record<ImportField, number>>;

/** The tier chosen for each of the file's own names of tiers, by `tierKey`; null where none is chosen yet. */
export type TierNames = Record<string, string | null>;
/** The file's own names of tiers for which a tier can be chosen. */
export const MAX_TIER_NAMES = 20;
export const MAX_TIER_NAME = 100;

export const tierKey = (text: string): string => text.trim().toLowerCase();

/** Whether 3/4/2020 is in March or in April. Dates with periods always have the day first. */
export const DATE_ORDERS = ['month_first', 'day_first'] as const;
export type DateOrder = (typeof DATE_ORDERS)[number];

export const MAX_IMPORT_ROWS = 50_000;
/** A list of contacts from Outlook has 92. */
export const MAX_IMPORT_COLUMNS = 200;
export const MAX_IMPORT_CELL = 20_000;

/** Field names on the page, and column names in our own files. */
export const FIELD_LABELS: Record<ImportField, string> = {
  email: 'Email',
  first_name: 'First name',
  last_name: 'Last name',
  full_name: 'Full name',
  phone: 'Phone',
  birthday: 'Birthday',
  tier: 'Tier',
  member_since: 'Member since',
  payment_reference: 'Payment reference',
  paid_until: 'Paid until',
  glasses_left: 'Pours left',
  tags: 'Tags',
  allergies: 'Allergies',
  notes: 'Notes',
};

/** Names in other systems and in their other languages, in the form of headerKey. */
const OTHER_NAMES: Record<ImportField, readonly string[]> = {
  email: [
    ...['emailaddress', 'mail', 'useremail', 'email1value'],
    ...['emailadresse', 'adresseemail', 'courriel', 'correoelectrónico', 'correo', 'indirizzoemail'],
  ],
  first_name: [
    ...['firstname', 'givenname', 'forename', 'first', 'namefirst'],
    ...['vorname', 'prénom', 'nombre', 'nome', 'voornaam'],
  ],
  last_name: [
    ...['lastname', 'surname', 'familyname', 'last', 'namelast'],
    ...['nachname', 'nom', 'nomdefamille', 'apellido', 'apellidos', 'cognome', 'achternaam', 'sobrenome'],
  ],
  full_name: ['name', 'fullname', 'customer', 'member'],
  phone: [
    ...['phonenumber', 'mobile', 'mobilephone', 'mobilenumber', 'cell', 'cellphone', 'telephone', 'tel'],
    ...['phone1value', 'telefon', 'telefonnummer', 'handy', 'handynummer', 'mobil', 'téléphone', 'portable'],
    ...['teléfono', 'móvil', 'celular', 'telefono', 'cellulare', 'telefoon', 'mobiel', 'telefone'],
  ],
  birthday: [
    'birthdate',
    'dateofbirth',
    'dob',
    'geburtstag',
    'geburtsdatum',
    'datedenaissance',
    'fechadenacimiento',
    'datadinascita',
    'geboortedatum',
    'datadenascimento',
  ],
  tier: [
    ...['plan', 'level', 'membership', 'membershiptier', 'membershiplevel', 'club', 'membershiptype'],
    ...['clubname', 'clubtitle', 'membershipplan', 'tarif', 'mitgliedschaft'],
  ],
  member_since: [
    ...['since', 'joined', 'joindate', 'joinedon', 'signupdate', 'startdate', 'datejoined', 'registered'],
    ...['clubsignupdate', 'membershipstartdate', 'membersince', 'patronagesincedate', 'mitgliedseit'],
    ...['eintritt', 'eintrittsdatum'],
  ],
  payment_reference: [
    ...['reference', 'referencenumber', 'posreference', 'toastreference', 'toastreferencenumber'],
    ...[
      'ref',
      'refno',
      'refnumber',
      'paymentref',
      'posref',
      'toastref',
      'receipt',
      'receiptno',
      'receiptnumber',
    ],
  ],
  paid_until: [
    'paidthrough',
    'paidthru',
    'paidto',
    'renewaldate',
    'renewson',
    'expires',
    'expirationdate',
    'expirydate',
    'renewaldue',
    'bezahltbis',
  ],
  // A balance is usually money.
  glasses_left: ['pours', 'glassesleft', 'glasses', 'poursremaining', 'glassesremaining'],
  tags: ['tag', 'labels', 'groups', 'segments'],
  allergies: ['allergy', 'intolerances', 'dietary', 'dietaryrestrictions'],
  notes: [
    'note',
    'comments',
    'comment',
    'remarks',
    'staffnotes',
    'memo',
    'clubnotes',
    'bemerkung',
    'bemerkungen',
    'notizen',
  ],
};

/** What programs put before a column name to say whose it is. */
const OWNERS = /^(?:(?:customer|billing|bill|contact|guest|member|client|your|main|primary))+/;

/** A column name in lowercase letters and digits alone, so that 'E-mail Address' equals 'email_address'. */
const headerKey = (header: string): string => header.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

const FIELD_OF_KEY = new Map(
  IMPORT_FIELDS.flatMap((field) =>
    [headerKey(FIELD_LABELS[field]), ...OTHER_NAMES[field]].map((key) => [key, field] as const),
  ),
);

/** A mapping by column names, stored for the next file. */
export type NamedMapping = Partial<Record<ImportField, string>>;

/**
 * Guesses the column of each field by its name: as chosen last time for columns of the same name, otherwise by what such
 * columns are usually called. If two columns fit, the first is used, and each column only once.
 */
export function guessMapping(columns: readonly string[], last: NamedMapping = {}): ImportMapping {
  const mapping: ImportMapping = {};
  const usedColumns = new Set<number>();
  const take = (field: ImportField, index: number) => {
    if (index < 0 || field in mapping || usedColumns.has(index)) return;
    mapping[field] = index;
    usedColumns.add(index);
  };
  for (const field of IMPORT_FIELDS) {
    const name = last[field];
    if (name !== undefined) take(field, columns.indexOf(name));
  }
  const names: ((key: string) => string)[] = [(key) => key, (key) => key.replace(OWNERS, '')];
  for (const nameIn of names) {
    for (const [index, column] of columns.entries()) {
      const field = FIELD_OF_KEY.get(nameIn(headerKey(column)));
      if (field) take(field, index);
    }
  }
  return mapping;
}

export function namedMapping(columns: readonly string[], mapping: ImportMapping): NamedMapping {
  return Object.fromEntries(
    Object.entries(mapping).flatMap(([field, index]) => {
      const name = columns[index];
      return name ? [[field, name]] : [];
    }),
  );
}

/** The reason a mapping cannot be used yet, in words; null if it can. */
export function mappingProblem(mapping: ImportMapping, columnCount: number): string | null {
  const indices = Object.values(mapping);
  if (indices.some((it) => it < 0 || it >= columnCount)) return 'The file doesn’t have all of these columns.';
  if (new Set(indices).size < indices.length) return 'Choose each column for one field only.';
  if (mapping.email === undefined) return 'Choose the column with the email.';
  const { full_name, first_name, last_name } = mapping;
  const hasName = full_name !== undefined || (first_name !== undefined && last_name !== undefined);
  return hasName ? null : 'Choose the column with the name, or the columns with first and last name.';
}
