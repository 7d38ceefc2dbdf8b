import type { LocalDate } from '../calendar.ts';
import { type Birthday, isBirthday } from '../staff/member-record.ts';
import type { DateOrder } from './import-fields.ts';

// How values are written to a file of members, and read back unchanged.

/**
 * Places where a spreadsheet that splits a file at commas, semicolons or tabs, and may not follow our quotation marks, would
 * begin a cell and run it as a formula. `apostrophe`: one that stands there.
 */
const formulas = (apostrophe: '' | "'") =>
  new RegExp(
    `^${apostrophe}(?=['"\\p{Zs}]*[=+\\-@\\t\\r\\n\uFF1D\uFF0B\uFF0D\uFF20])|(?<=[;\\t\\r\\n])${apostrophe}(?=['"\\p{Zs}]*[=+\\-@\uFF1D\uFF0B\uFF0D\uFF20])`,
    'gu',
  );
const FORMULAS = formulas('');
const STOPPED_FORMULAS = formulas("'");
/** A text that a program wrote as a formula, so that a spreadsheet keeps its zeros: ="0123". */
const TEXT_FORMULA = /^="((?:[^"]|"")*)"$/;

/** Puts an apostrophe before everything that a spreadsheet would run as a formula. */
export const stopFormulas = (text: string): string => text.replace(FORMULAS, "'");

/** A cell's text without outer spaces, and without the apostrophes of `stopFormulas`. */
export function readCell(cell: string): string {
  const text = TEXT_FORMULA.exec(cell.trim())?.[1]?.replaceAll('""', '"');
  return (text ?? cell.replace(STOPPED_FORMULAS, '')).trim();
}

const HTML_SIGNS: Record<string, string> = { amp: '&', quot: '"', apos: "'", lt: '<', gt: '>', nbsp: ' ' };

/** A text whose program wrote signs as for a web page: O&#039;Brien. */
export const readHtmlText = (text: string): string =>
  text.replaceAll(/&(?:#0*([1-9]\d{1,3})|([a-z]{2,4}));/g, (written, code?: string, name = '') =>
    code ? String.fromCharCode(Number(code)) : (HTML_SIGNS[name] ?? written),
  );

const pad = (value: number, width = 2) => String(value).padStart(width, '0');

function dayOf(year: number, month: number, day: number): LocalDate | null {
  if (year < 1900 || year > 2100 || !isBirthday({ month, day, year })) return null;
  return `${pad(year, 4)}-${pad(month)}-${pad(day)}`;
}

/** A time after a day: midnight, as spreadsheets add it, or any other, in the clock of 12 or 24 hours. */
const TIME =
  /(?:[T ,] ?|,? at )\d{1,2}[:.]\d{2}(?:[:.]\d{2}(?:[.,]\d+)?)?(?: ?[ap]\.? ?m\.?| uhr| h)?(?: ?Z| UTC| GMT)?(?: ?[+-]\d{1,2}(?::?\d{2})?)?(?: \([^()]*\))?$/i;
const WEEKDAY = /^(?:\p{L}+\.?,|(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?) /iu;
/** Mar 4 09:30:12 UTC 2020, as Unix and Java write it. */
const TIME_BEFORE_YEAR =
  /(?<=^[a-z]{3} \d{1,2}) \d{2}:\d{2}:\d{2}(?: [a-z]{2,5}(?:[+-]\d{2}:?\d{2})?)?(?= \d{4}$)/i;
/** What programs write for no day. */
const NO_DAY = /^(?:0{1,4}[-/.]0{1,2}[-/.]0{1,4}|1\/0\/(?:19)?00|0?0\.0?1\.1900)$/;
/** A year of two digits after slashes; after dashes it may come first. */
const SLASHES = /^(?<a>\d{1,2})[-/](?<b>\d{1,2})(?:[-/](?<y>\d{4}|(?<!-)\d{2}))?$/;
/** Year, month, day; word: the month's name; a and b: day and month in the order of the file. */
const DAYS = [
  /^(?<y>\d{4})(?:[-/]|\. ?)(?<m>\d{1,2})(?:[-/]|\. ?)(?<d>\d{1,2})\.?(?:[T ].*)?$/,
  /^(?<y>\d{4})(?<m>\d{2})(?<d>\d{2})(?:T.*)?$/,
  /^--(?<m>\d{2})-?(?<d>\d{2})$/,
  /^(?<d>\d{1,2})\. ?(?<m>\d{1,2})(?:\.(?: ?(?<y>\d{4}|\d{2}))?)?$/,
  SLASHES,
  /^(?<word>\p{L}{3,10})\.? (?<d>\d{1,2})(?:st|nd|rd|th)?(?:,? (?<y>\d{4}|\d{2}))?$/iu,
  /^(?<d>\d{1,2})(?:st|nd|rd|th|er)?\.?(?:[-/ ]| de | of )?(?<word>\p{L}{3,10})\.?(?:(?:,?[-/ ]| de |\.)(?<y>\d{4}|\d{2}))?$/iu,
];
/** A spreadsheet's number of a day, which it shows for a cell without a format. */
const DAY_NUMBER = /^\d{5}(?:[.,]\d+)?$/;
/** The day before a spreadsheet's first one, whose February 1900 has 29 days. */
const DAY_ZERO_MS = Date.UTC(1899, 11, 30);
const DAY_MS = 86_400_000;
/** Years that programs write for a birthday without one. */
const NO_YEAR = ['0000', '0001', '1604'];

/** Some browsers put invisible marks of direction around each part of a day. */
const dayText = (text: string) =>
  text
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/\s+/g, ' ')
    .replace(WEEKDAY, '')
    .replace(TIME_BEFORE_YEAR, '')
    .replace(TIME, '');

/** Whether a text stands for no day, such as 0000-00-00. */
export const isNoDay = (text: string): boolean => NO_DAY.test(dayText(text));

const plainWord = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

/** The months in the languages whose column names are known too. */
const MONTHS = ['en', 'de', 'de-AT', 'fr', 'es', 'it'].flatMap((language) => {
  const { format } = new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' });
  return Array.from({ length: 12 }, (_, index) => ({
    month: index + 1,
    name: plainWord(format(Date.UTC(2021, index, 1))),
  }));
});

/** The month whose name begins so; 0 if none or several do. */
function monthNamed(word: string): number {
  const start = plainWord(word);
  const months = new Set(MONTHS.filter(({ name }) => name.startsWith(start)).map(({ month }) => month));
  const [month = 0] = months;
  return months.size === 1 ? month : 0;
}

/** A year of two digits is the latest one that is not after `latest`. */
const fullYear = (year: string, latest: number): number =>
  year.length === 2 ? latest - ((latest - Number(year)) % 100) : Number(year);

function readParts(
  text: string,
  order: DateOrder,
): { year: string | undefined; month: number; day: number } | null {
  const day = dayText(text);
  if (DAY_NUMBER.test(day)) {
    const date = new Date(DAY_ZERO_MS + Number.parseInt(day, 10) * DAY_MS);
    return {
      year: String(date.getUTCFullYear()),
      month: date.getUTCMonth() + 1,
      day: date.getUTCDate(),
    };
  }
  const parts = DAYS.map((it) => it.exec(day)?.groups).find((it) => it !== undefined);
  if (!parts) return null;
  const { y: year, m, d, a, b, word } = parts;
  if (word !== undefined) return { year, month: monthNamed(word), day: Number(d) };
  const [month, date] = order === 'month_first' ? [m ?? a, d ?? b] : [m ?? b, d ?? a];
  return { year, month: Number(month), day: Number(date) };
}

/**
 * A day with its year, as programs write it: 2020-12-31, 31.12.2020, 31 Dec 2020, 20201231, 44196 (a spreadsheet's number), or
 * with slashes or dashes in the file's order. A time after it is ignored. A year of two digits is at most `latest`. Null
 * otherwise.
 */
export function readDay(text: string, order: DateOrder, latest: number): LocalDate | null {
  const parts = readParts(text, order);
  return parts?.year ? dayOf(fullYear(parts.year, latest), parts.month, parts.day) : null;
}

/**
 * A day, or one without its year: 31.12., --12-31, or with a slash or dash in the file's order; otherwise null. A year of two
 * digits is at most `latest`.
 */
export function readBirthday(text: string, order: DateOrder, latest: number): Birthday | null {
  const parts = readParts(text, order);
  if (!parts) return null;
  const { month, day } = parts;
  const year = parts.year === undefined || NO_YEAR.includes(parts.year) ? null : fullYear(parts.year, latest);
  const isReal = year === null ? isBirthday({ month, day, year }) : dayOf(year, month, day) !== null;
  return isReal ? { month, day, year } : null;
}

/** The order that a file's days show by a number above 12; null if none does, or they differ. */
export function dateOrderOf(texts: Iterable<string>): DateOrder | null {
  const orders = new Set<DateOrder>();
  for (const text of texts) {
    const { a, b } = SLASHES.exec(dayText(readCell(text)))?.groups ?? {};
    if (Number(a) > 12) orders.add('day_first');
    if (Number(b) > 12) orders.add('month_first');
  }
  const [order] = orders;
  return orders.size === 1 && order ? order : null;
}

/** Writes a birthday so that readBirthday understands it in either order. */
export function writeBirthday({ month, day, year }: Birthday): string {
  return year === null ? `${day}.${month}.` : `${pad(year, 4)}-${pad(month)}-${pad(day)}`;
}

const NEEDS_QUOTES = /[";,\n]|:::/;

/** Items of one cell, such as tags: 'Regular; "Rock, Paper"'. */
export function writeList(items: readonly string[]): string {
  return items.map((it) => (NEEDS_QUOTES.test(it) ? `"${it.replaceAll('"', '""')}"` : it)).join('; ');
}

/** Reads the items that writeList wrote, and items separated by commas, line breaks or ':::'. Empty items are left out. */
export function readList(cell: string): string[] {
  const items: string[] = [];
  const item = /\s*(?:"((?:[^"]|"")*)"|((?:[^;,\n:]|:(?!::))*))\s*(?:[;,\n]|:::|$)/gy;
  while (item.lastIndex < cell.length) {
    const match = item.exec(cell);
    if (!match) break;
    items.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
  }
  return items.map((it) => it.trim()).filter((it) => it !== '');
}

const BETWEEN_NOTES = '---';

/** Writes several notes into one cell, separated by a line of three dashes. */
export function writeNotes(notes: readonly string[]): string {
  return notes.map((it) => it.replaceAll(/^(---+)$/gm, '$1-')).join(`\n${BETWEEN_NOTES}\n`);
}

/** Reads the notes that writeNotes wrote; any other text is one note. */
export function readNotes(cell: string): string[] {
  const notes: string[][] = [[]];
  for (const line of cell.replaceAll(/\r\n?/g, '\n').split('\n')) {
    if (line === BETWEEN_NOTES) notes.push([]);
    else notes.at(-1)?.push(/^----+$/.test(line) ? line.slice(1) : line);
  }
  return notes.map((lines) => lines.join('\n').trim()).filter((it) => it !== '');
}
