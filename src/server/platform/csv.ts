import type { CsvDownload } from '../../contract/staff/csv-download.ts';
import { stopFormulas } from '../../domain/imports/import-values.ts';

export type CsvCell = string | number | Date | null;

/** Semicolons and tabs too: some programs split at every usual separator at once. */
const NEEDS_QUOTES = /[",;\t\r\n]/;

/** One line by RFC 4180, with its line break. Instants are ISO 8601 in UTC; `readCell` of domain/imports reads texts back. */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(cell: CsvCell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  if (cell instanceof Date) return cell.toISOString();
  const text = stopFormulas(cell);
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export interface CsvFile<Row, Place> {
  name: string;
  header: readonly string[];
  /** The rows after a place (null: from the first); `next` is null after the last. */
  read(after: Place | null): Promise<{ rows: readonly Row[]; next: Place | null }>;
  toCells(row: Row): readonly CsvCell[];
}

/** A CSV file as a response, streamed page by page. A byte order mark comes first, which Excel needs to read UTF-8. */
export function csvFile<Row, Place>({ name, header, read, toCells }: CsvFile<Row, Place>): CsvDownload {
  const encoder = new TextEncoder();
  let after: Place | null = null;
  return {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${name}"`,
    },
    body: new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(encoder.encode(`\uFEFF${csvLine(header)}`)),
      async pull(controller) {
        const page = await read(after);
        after = page.next;
        controller.enqueue(encoder.encode(page.rows.map((row) => csvLine(toCells(row))).join('')));
        if (after === null) controller.close();
      },
    }),
  };
}
