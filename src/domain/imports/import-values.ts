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

const pad = (value: number, width = 2) => String(value).padStart(width, '0');

function dayOf(year: number, month: number, day: number): LocalDate | null {
  if (year < 1900 || year > 2100 || !isBirthday({ month, day, year })) return null;
  return `${pad(year, 4)}-${pad(month)}-${pad(day)}`;
}

/** YYYY-MM-DD (a time after it is ignored), D.M.YYYY, or with slashes or dashes in the file's order; otherwise null. */
export function readDay(text: string, order: DateOrder): LocalDate | null {
  const iso = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[T ].*)?$/.exec(text);
  if (iso) return dayOf(Number(iso[1]), Number(iso[2]), Number(iso[3]));
  const points = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})$/.exec(text);
  if (points) return dayOf(Number(points[3]), Number(points[2]), Number(points[1]));
  const slashes = /^(\d{1,2})[/-](\d{1,2})[/-](\d{4})$/.exec(text);
  if (!slashes) return null;
  const [month, day] = order === 'month_first' ? [slashes[1], slashes[2]] : [slashes[2], slashes[1]];
  return dayOf(Number(slashes[3]), Number(month), Number(day));
}

/** A day, or one without its year, as D.M. or with a slash in the file's order; otherwise null. */
export function readBirthday(text: string, order: DateOrder): Birthday | null {
  const whole = readDay(text, order);
  if (whole) {
    const [year = 0, month = 0, day = 0] = whole.split('-').map(Number);
    return { month, day, year };
  }
  const points = /^(\d{1,2})\.\s?(\d{1,2})\.?$/.exec(text);
  const slash = /^(\d{1,2})\/(\d{1,2})$/.exec(text);
  const found = points ?? slash;
  if (!found) return null;
  const [first, second] = [Number(found[1]), Number(found[2])];
  const monthFirst = !points && order === 'month_first';
  const birthday = { month: monthFirst ? first : second, day: monthFirst ? second : first, year: null };
  return isBirthday(birthday) ? birthday : null;
}

/** Writes a birthday so that readBirthday understands it in either order. */
export function writeBirthday({ month, day, year }: Birthday): string {
  return year === null ? `${day}.${month}.` : `${pad(year, 4)}-${pad(month)}-${pad(day)}`;
}

const NEEDS_QUOTES = /[";,\n]/;

/** Items of one cell, such as tags: 'Regular; "Rock, Paper"'. */
export function writeList(items: readonly string[]): string {
  return items.map((it) => (NEEDS_QUOTES.test(it) ? `"${it.replaceAll('"', '""')}"` : it)).join('; ');
}

/** Reads the items that writeList wrote, and items separated by commas or line breaks. Empty items are left out. */
export function readList(cell: string): string[] {
  const items: string[] = [];
  const item = /\s*(?:"((?:[^"]|"")*)"|([^;,\n]*))\s*(?:[;,\n]|$)/gy;
  while (item.lastIndex < cell.length) {
    const found = item.exec(cell);
    if (!found) break;
    items.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? '');
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
