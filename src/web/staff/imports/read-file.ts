import Papa from 'papaparse';
import {
  MAX_IMPORT_CELL,
  MAX_IMPORT_COLUMNS,
  MAX_IMPORT_ROWS,
} from '../../../domain/imports/import-fields.ts';

/** A file that is not a readable list; the message says what to do. */
export class UnreadableFile extends Error {}

/** Byte order marks, which give a file's encoding. */
const MARKS: [bytes: number[], encoding: string][] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
];

/** UTF-8 with or without its mark, UTF-16 with its mark, otherwise the encoding of Windows programs. */
function decode(bytes: Uint8Array): string {
  const marked = MARKS.find(([mark]) => mark.every((byte, index) => bytes[index] === byte));
  if (marked) return new TextDecoder(marked[1]).decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

export const readMemberFile = (bytes: Uint8Array) => readCsvFile(bytes, 'member', MAX_IMPORT_ROWS);

/** Reads columns separated by comma, semicolon or tab, on this device. `noun`: what each line is. Throws UnreadableFile. */
export function readCsvFile(bytes: Uint8Array, noun: string, maxRows: number) {
  // Postgres cannot store the NUL character, and no name contains one.
  const text = decode(bytes).replaceAll('\0', '');
  const { data, errors } = Papa.parse<string[]>(text, {
    skipEmptyLines: 'greedy',
    delimitersToGuess: [',', ';', '\t'],
  });
  const quotes = errors.find(({ type }) => type === 'Quotes');
  if (quotes) {
    throw new UnreadableFile(
      `A quotation mark is not closed near line ${(quotes.row ?? 0) + 1}. Save the file again as CSV.`,
    );
  }
  const [columns = [], ...rows] = data;
  if (rows.length === 0) {
    throw new UnreadableFile(
      `This file has no ${noun}s. Its first line should hold the column names, and every other line one ${noun}.`,
    );
  }
  if (columns.length > MAX_IMPORT_COLUMNS) {
    throw new UnreadableFile(`At most ${MAX_IMPORT_COLUMNS} columns can be read. Is this a CSV file?`);
  }
  if (rows.length > maxRows) {
    throw new UnreadableFile(`A file has at most ${maxRows.toLocaleString('en-US')} rows. Please split it.`);
  }
  const long = rows.findIndex((row) => row.some((cell) => cell.length > MAX_IMPORT_CELL));
  if (long >= 0) throw new UnreadableFile(`Row ${long + 1} has a cell with more than 20,000 characters.`);
  return {
    columns: columns.map((it) => it.trim().slice(0, 200)),
    rows: rows.map((row) => columns.map((_, index) => row[index] ?? '')),
  };
}

/** The size of rows in one request, with room for the rest of its body. */
const REQUEST_BYTES = 48_000;
const REQUEST_ROWS = 100;

/** Splits the rows into requests. Throws UnreadableFile for a row too large for any. */
export function* requestsOf(rows: string[][]): Generator<{ first_row: number; rows: string[][] }> {
  const encoder = new TextEncoder();
  let piece: string[][] = [];
  let bytes = 0;
  for (const [index, row] of rows.entries()) {
    const size = encoder.encode(JSON.stringify(row)).length + 1;
    if (size > REQUEST_BYTES) throw new UnreadableFile(`Row ${index + 1} is too long to be imported.`);
    if (bytes + size > REQUEST_BYTES || piece.length === REQUEST_ROWS) {
      yield { first_row: index - piece.length + 1, rows: piece };
      piece = [];
      bytes = 0;
    }
    piece.push(row);
    bytes += size;
  }
  if (piece.length > 0) yield { first_row: rows.length - piece.length + 1, rows: piece };
}
