import Papa from 'papaparse';
import {
  guessMapping,
  MAX_IMPORT_CELL,
  MAX_IMPORT_COLUMNS,
  MAX_IMPORT_ROWS,
} from '../../../domain/imports/import-fields.ts';
import { type FileFormat, guessEncoding, isDocument, SEPARATORS, type Separator } from './file-format.ts';

/** A file that is not a readable list; the message says what to do. */
export class UnreadableFile extends Error {}

/** A first line such as sep=; by which Excel knows the separator. */
const SEPARATOR_LINE = /^"?sep=([,;\t|])"?[,;\t|]*(?:\r\n|\r|\n)/i;
/** Quoted cells, spaces before them, and line breaks of every kind. */
const QUOTED_OR_BREAK =
  /(?<=(?:^|[,;\t|\r\n])[ \u00A0]*)"[^"]*(?:""[^"]*)*"|(?<=^|[,;\t|\r\n])[ \u00A0]+(?=")|\r*\n|\r/g;

/** Only line breaks of one kind between rows, and quotation marks at the beginning of their cells. */
const tidy = (text: string) =>
  text.replace(QUOTED_OR_BREAK, (it) => (it.startsWith('"') ? it : /[\r\n]/.test(it) ? '\n' : ''));

const isFilled = (cell: string | undefined) => cell !== undefined && cell.trim() !== '';

/** The rows above the column names that a spreadsheet's title may take. */
const TITLE_ROWS = 10;

/** Reads members; the column names are the first row, or the first of the first rows with one for the email. */
export const readMemberFile = (bytes: Uint8Array, format: Partial<FileFormat> = {}) =>
  readCsvFile(bytes, 'member', MAX_IMPORT_ROWS, {
    ...format,
    isHeader: (cells) => guessMapping(cells).email !== undefined,
  });

interface ReadOptions extends Partial<FileFormat> {
  /** Whether a row holds the column names. The first row does if none of the first ten is one. */
  isHeader?(cells: string[]): boolean;
}

/**
 * Reads a list on this device: its columns, and its rows with the line of each as a spreadsheet counts them. Cells beyond the
 * columns are one more cell of their row. `noun`: what each line is. Throws UnreadableFile.
 */
export function readCsvFile(bytes: Uint8Array, noun: string, maxRows: number, options: ReadOptions = {}) {
  if (isDocument(bytes)) {
    throw new UnreadableFile(
      'This is a workbook or a document, not a CSV file. Open it in Excel, Numbers or Google Sheets, save or download it there as CSV (in Excel “CSV UTF-8”), and choose that file.',
    );
  }
  const encoding = options.encoding ?? guessEncoding(bytes);
  // Postgres cannot store the NUL character, and no name contains one.
  const decoded = new TextDecoder(encoding).decode(bytes).replaceAll('\0', '');
  const mark = SEPARATOR_LINE.exec(decoded);
  const text = tidy(decoded.slice(mark?.[0].length ?? 0));
  const outerSeparator = options.separator ?? (mark?.[1] as Separator | undefined) ?? guessSeparator(text);
  const { data, errors } = parse(text, outerSeparator);
  const quotes = errors.find(({ type }) => type === 'Quotes');
  if (quotes) {
    throw new UnreadableFile(
      `A quotation mark is not closed near line ${(quotes.row ?? 0) + 1}. Save the file again as CSV.`,
    );
  }
  const rows = data
    .map((cells, index) => ({ cells, line: index + 1 }))
    .filter(({ cells }) => cells.some(isFilled));
  const texts = rows.slice(0, GUESSED_ROWS).map(({ cells }) => onlyCell(cells));
  const separator =
    options.separator ?? (texts.every(isFilled) ? guessSeparator(texts.join('\n')) : outerSeparator);
  const split = (row: (typeof rows)[number], width: number) => ({
    ...row,
    cells: splitRow(row.cells, separator, width),
  });
  const isHeader = (row: (typeof rows)[number]) => options.isHeader?.(split(row, 2).cells);
  const [first, ...others] = rows.slice(Math.max(rows.slice(0, TITLE_ROWS).findIndex(isHeader), 0));
  const header = first && split(first, 2);
  const width = (header?.cells.findLastIndex(isFilled) ?? 0) + 1;
  const body = width > 1 ? others.map((row) => split(row, width)) : others;
  if (!header || body.length === 0) {
    throw new UnreadableFile(
      `This file has no ${noun}s. Its first line should hold the column names, and every other line one ${noun}.`,
    );
  }
  const places = [...Array(width).keys()].filter(
    (place) => isFilled(header.cells[place]) || body.some(({ cells }) => isFilled(cells[place])),
  );
  if (places.length > MAX_IMPORT_COLUMNS) {
    throw new UnreadableFile(`At most ${MAX_IMPORT_COLUMNS} columns can be read. Is this a CSV file?`);
  }
  if (body.length > maxRows) {
    throw new UnreadableFile(`A file has at most ${maxRows.toLocaleString('en-US')} rows. Please split it.`);
  }
  const long = body.find(({ cells }) => cells.some((cell) => cell.length > MAX_IMPORT_CELL));
  if (long) throw new UnreadableFile(`Line ${long.line} has a cell with more than 20,000 characters.`);
  return {
    columns: places.map((place) => (header.cells[place] ?? '').trim().slice(0, 200)),
    rows: body.map(({ cells }) => {
      const beyond = cells.slice(width).filter(isFilled).join(separator).slice(0, MAX_IMPORT_CELL);
      return [...places.map((place) => cells[place] ?? ''), ...(beyond ? [beyond] : [])];
    }),
    lines: body.map(({ line }) => line),
    /** Lines above the column names, which are not read. */
    title_lines: header.line - 1,
    format: { encoding, separator },
  };
}

const parse = (text: string, delimiter: Separator) =>
  Papa.parse<string[]>(text, { delimiter, newline: '\n' });

/** The only filled cell of a row, if it is the first. */
const onlyCell = ([first, ...others]: string[]) => (others.some(isFilled) ? undefined : first);

/** The cells of a row that a spreadsheet with another separator kept in one, if they are at least `width`. */
function splitRow(cells: string[], separator: Separator, width: number): string[] {
  const text = onlyCell(cells);
  if (text === undefined) return cells;
  const { data, errors } = parse(text, separator);
  const [row = []] = data;
  return row.length >= width && data.length === 1 && errors.length === 0 ? row : cells;
}

/** The rows that a guess of the separator looks at. */
const GUESSED_ROWS = 20;

/** The separator of most rows; a comma if none is. Lines of a title above them hide that of two columns. */
function guessSeparator(text: string): Separator {
  let rest = text;
  for (let skipped = 0; skipped < TITLE_ROWS && rest !== ''; skipped += 1) {
    const { meta, errors } = Papa.parse(rest, {
      preview: GUESSED_ROWS,
      skipEmptyLines: 'greedy',
      newline: '\n',
      delimitersToGuess: Object.keys(SEPARATORS),
    });
    if (!errors.some(({ type }) => type === 'Delimiter')) return meta.delimiter as Separator;
    rest = rest.slice(rest.indexOf('\n') + 1 || rest.length);
  }
  return ',';
}

/** The size of rows in one request, with room for the rest of its body. */
const REQUEST_BYTES = 48_000;
const REQUEST_ROWS = 100;

interface RowsRequest {
  first_row: number;
  rows: string[][];
  lines: number[];
}

/** Splits the rows, with their lines, into requests. Throws UnreadableFile for a row too large for any. */
export function* requestsOf(
  rows: string[][],
  lines = rows.map((_, index) => index + 2),
): Generator<RowsRequest> {
  const request = (end: number, some: string[][]) => {
    const first = end - some.length;
    return { first_row: first + 1, rows: some, lines: lines.slice(first, end) };
  };
  const encoder = new TextEncoder();
  let piece: string[][] = [];
  let bytes = 0;
  for (const [index, row] of rows.entries()) {
    const size = encoder.encode(JSON.stringify(row)).length + 1;
    if (size > REQUEST_BYTES) throw new UnreadableFile(`Line ${lines[index]} is too long to be imported.`);
    if (bytes + size > REQUEST_BYTES || piece.length === REQUEST_ROWS) {
      yield request(index, piece);
      piece = [];
      bytes = 0;
    }
    piece.push(row);
    bytes += size;
  }
  if (piece.length > 0) yield request(rows.length, piece);
}
