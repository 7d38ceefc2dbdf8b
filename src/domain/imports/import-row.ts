import type { LocalDate } from '../calendar.ts';
import { emailAddress } from '../email-address.ts';
import { monthBoundary, monthStart } from '../membership/dues.ts';
import {
  type Birthday,
  MAX_ALLERGIES_LENGTH,
  MAX_NOTE_LENGTH,
  MAX_TAG_LENGTH,
  MAX_TAGS_OF_MEMBER,
  tagKey,
} from '../staff/member-record.ts';
import { visibleText } from '../visible-text.ts';
import { hasPart, type NameOrder, splitFullName, withoutPart } from './full-name.ts';
import {
  type DateOrder,
  IMPORT_FIELDS,
  type ImportField,
  type ImportMapping,
  type TierNames,
  tierKey,
} from './import-fields.ts';
import {
  isNoDay,
  readBirthday,
  readCell,
  readDay,
  readHtmlText,
  readList,
  readNotes,
} from './import-values.ts';

const MAX_PAYMENT_REFERENCE = 100;
const MAX_NOTES = 50;
const MAX_PHONE = 40;
/** Years of two digits: a member's least age, and for how many years membership may be paid. */
const YOUNGEST = 16;
const LONGEST_PAID = 20;

/** Why a row is not imported. Most belong to one column; docs/rules/imports.md, "Moving in and out". */
export const ROW_PROBLEMS = [
  'cells_many',
  'cell_damaged',
  'email_missing',
  'email_wrong',
  'email_twice',
  'has_account',
  'name_missing',
  'name_wrong',
  'phone_long',
  'birthday_wrong',
  'tier_unknown',
  'member_since_wrong',
  'member_since_future',
  'reference_long',
  'reference_without_tier',
  'paid_until_wrong',
  'paid_until_without_reference',
  'paid_until_over',
  'glasses_wrong',
  'glasses_without_reference',
  'tags_many',
  'tag_long',
  'venue_tags_full',
  'allergies_long',
  'notes_long',
  'changed_meanwhile',
] as const;
export type RowProblem = (typeof ROW_PROBLEMS)[number];

export interface ImportedMember {
  /** In lowercase. */
  email: string;
  first_name: string;
  last_name: string;
  phone: string | null;
  birthday: Birthday | null;
  /** The tier's name, not its display name. */
  tier: string | null;
  member_since: LocalDate | null;
  /** Together with a tier, this makes the row a membership billed at the venue. */
  payment_reference: string | null;
  /** The first unpaid day, at the start of one of the membership's months; null if dues are not counted. */
  paid_until: LocalDate | null;
  /** In the current billing period; null if the file does not say. */
  glasses_left: number | null;
  tags: string[];
  allergies: string | null;
  notes: string[];
}

export interface ImportRules {
  /** The sign-up's check of emails and names. */
  isEmail(text: string): boolean;
  isName(text: string): boolean;
  tiers: readonly { tier_name: string; display_name: string }[];
  /** Tiers chosen for the file's own names, by `tierKey`; null where none is chosen yet. */
  tier_names: TierNames;
  date_order: DateOrder;
  name_order: NameOrder;
  /** The number of the file's columns. */
  columns: number;
  /** A day at the venue. */
  today: LocalDate;
}

export type ReadRow =
  | { member: ImportedMember; problems: [] }
  | { member: null; problems: RowProblem[]; email: string | null };

/** What databases and spreadsheets write for nothing. */
const NOTHING = /^(?:NULL|\\N|#N\/[A-Z]|#NV)$/;
/** What a spreadsheet shows in place of a value: an error, a column too narrow, or a long number of which it kept a part. */
const ERROR = /^#[\u00A1\u00BF]?[\p{Lu}\d/_]+[!?]$|^#{2,}$/u;
const SHORT_NUMBER = /^[+-]?\d+(?:[.,]\d+)?E\+\d+$/i;
const NUMBERS: readonly ImportField[] = ['phone', 'payment_reference'];

/** Reads the cells of one row. Problems known only to the database, such as a taken email, are not reported here. */
export function readImportRow(cells: readonly string[], mapping: ImportMapping, rules: ImportRules): ReadRow {
  const read = (field: ImportField) => {
    const column = mapping[field];
    const text = column === undefined ? '' : readHtmlText(readCell(cells[column] ?? ''));
    return NOTHING.test(text) ? '' : text;
  };
  // A column of numbers with gaps is one of decimals to some programs: 4155550101.0.
  const readNumber = (field: ImportField) => read(field).replace(/^(\+?\d+)\.0$/, '$1');
  const readDate = (field: ImportField) => (isNoDay(read(field)) ? '' : read(field));
  const problems: RowProblem[] = [];
  const unless = (holds: boolean, problem: RowProblem) => {
    if (!holds) problems.push(problem);
  };
  const orNull = (text: string) => text || null;

  const email = readEmail(read('email'));
  // The cells may stand under the wrong columns, so they say nothing else.
  if (cells.slice(rules.columns).some((it) => it.trim() !== '')) {
    return { member: null, problems: ['cells_many'], email: orNull(email) };
  }
  const isDamaged = (field: ImportField) =>
    ERROR.test(read(field)) || (NUMBERS.includes(field) && SHORT_NUMBER.test(read(field)));
  unless(!IMPORT_FIELDS.some(isDamaged), 'cell_damaged');

  unless(email !== '', 'email_missing');
  unless(email === '' || rules.isEmail(email), 'email_wrong');

  const { first_name, last_name } = nameOf(
    readName(read('first_name')),
    readName(read('last_name')),
    readName(read('full_name')),
    rules.name_order,
    mapping.first_name !== undefined && mapping.last_name !== undefined,
  );
  unless(first_name !== '' && last_name !== '', 'name_missing');
  unless(
    [first_name, last_name].every((it) => it === '' || rules.isName(it)),
    'name_wrong',
  );
  // An apostrophe or a formula kept its plus or its zeros.
  const [phone = '', ...otherPhones] = visibleText(readNumber('phone').replace(/^['=]+(?=[+\d(])/, ''))
    .split(':::')
    .map((it) => it.trim());
  unless(phone.length <= MAX_PHONE, 'phone_long');

  const born = readDate('birthday');
  const year = Number(rules.today.slice(0, 4));
  const birthday = born ? readBirthday(born, rules.date_order, year - YOUNGEST) : null;
  unless(!born || (birthday !== null && !isAfter(birthday, rules.today)), 'birthday_wrong');

  const tierText = read('tier');
  const tier = tierText ? tierNamed(tierText, rules) : null;
  unless(!tierText || tier !== null, 'tier_unknown');

  const since = readDate('member_since');
  const member_since = since ? readDay(since, rules.date_order, year) : null;
  unless(!since || member_since !== null, 'member_since_wrong');
  unless(member_since === null || member_since <= rules.today, 'member_since_future');

  const reference = readNumber('payment_reference');
  unless(reference.length <= MAX_PAYMENT_REFERENCE, 'reference_long');
  unless(!reference || tierText !== '', 'reference_without_tier');

  const paid = readDate('paid_until');
  const paidDay = paid ? readDay(paid, rules.date_order, year + LONGEST_PAID) : null;
  const began = member_since ?? rules.today;
  const paid_until = paidDay && monthBoundary(began, paidDay < began ? began : paidDay);
  unless(!paid || paidDay !== null, 'paid_until_wrong');
  unless(!paid || reference !== '', 'paid_until_without_reference');
  unless(paid_until === null || paid_until >= monthStart(began, rules.today), 'paid_until_over');

  const glasses = read('glasses_left').replace(/[.,]0+$/, '');
  unless(/^(?:\d{1,2}|100)?$/.test(glasses), 'glasses_wrong');
  unless(!glasses || reference !== '', 'glasses_without_reference');

  const tags = distinctTags(readList(read('tags')));
  unless(tags.length <= MAX_TAGS_OF_MEMBER, 'tags_many');
  unless(
    tags.every((it) => it.length <= MAX_TAG_LENGTH),
    'tag_long',
  );
  const allergies = read('allergies');
  unless(allergies.length <= MAX_ALLERGIES_LENGTH, 'allergies_long');
  const others = otherPhones.length > 0 ? [`Other phones: ${otherPhones.join(', ')}`] : [];
  const notes = [...readNotes(read('notes')), ...others];
  unless(notes.length <= MAX_NOTES && notes.every((it) => it.length <= MAX_NOTE_LENGTH), 'notes_long');

  if (problems.length > 0) return { member: null, problems, email: orNull(email) };
  return {
    problems: [],
    member: {
      email,
      first_name,
      last_name,
      phone: orNull(phone),
      birthday,
      tier,
      member_since,
      payment_reference: orNull(reference),
      paid_until,
      glasses_left: glasses === '' ? null : Number(glasses),
      tags,
      allergies: orNull(allergies),
      notes,
    },
  };
}

const isAfter = ({ year, month, day }: Birthday, today: LocalDate) =>
  year !== null && [year, month, day].map((it) => String(it).padStart(2, '0')).join('-') > today;

/**
 * An email as it stands in a list of contacts: 'Ana Ruiz <ana@mail.test>', 'mailto:ana@mail.test', 'ana@mail.test;', or in the
 * quotation marks of Outlook.
 */
function readEmail(text: string): string {
  const visible = visibleText(text);
  const address = (/<([^<>]+)>$/.exec(visible)?.[1] ?? visible).replace(/^['"\u2018\u201C]+/, '');
  return emailAddress(
    address.replace(/^(?:mailto|smtp):/i, '').replace(/['"\u2019\u201D.,;]{1,9}$/, ''),
  ).toLowerCase();
}

/** A name with composed letters and single spaces, without invisible characters. Joiners belong to some spellings. */
const readName = (text: string) =>
  text
    .normalize('NFC')
    .replaceAll(/(?![\u200C\u200D])\p{Cf}/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** `hasBoth`: whether the file has columns of first and of last names, so that 'Name' is that of full ones. */
function nameOf(first: string, last: string, full: string, order: NameOrder, hasBoth: boolean) {
  if ((first && last) || !full) return { first_name: first, last_name: last };
  const split = splitFullName(full, order);
  const known = first || last;
  if (!known) return split;
  const other = withoutPart(full, known) ?? (hasBoth || hasPart(full, known) ? undefined : full);
  return { first_name: first || (other ?? split.first_name), last_name: last || (other ?? split.last_name) };
}

function tierNamed(text: string, { tiers, tier_names }: ImportRules): string | null {
  const key = tierKey(text);
  const found =
    tiers.find(({ tier_name }) => tier_name.toLowerCase() === key) ??
    tiers.find(({ display_name }) => display_name.toLowerCase() === key);
  const chosen = Object.hasOwn(tier_names, key) ? tier_names[key] : null;
  return (found ?? tiers.find(({ tier_name }) => tier_name === chosen))?.tier_name ?? null;
}

/** Removes repeated tags; different spellings of a tag become the first one. */
function distinctTags(tags: string[]): string[] {
  const byKey = new Map<string, string>();
  for (const tag of tags) {
    const label = tag.replace(/\s+/g, ' ');
    if (!byKey.has(tagKey(label))) byKey.set(tagKey(label), label);
  }
  return [...byKey.values()];
}

/** Whether a row creates a member, or a former member to whom a card subscription can be added later. */
export const isOnRecord = (it: ImportedMember): boolean =>
  Boolean(
    it.tier || it.member_since || it.birthday || it.allergies || it.tags.length > 0 || it.notes.length > 0,
  );
