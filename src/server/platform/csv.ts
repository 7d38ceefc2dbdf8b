import type { CsvDownload } from '../../contract/staff/csv-download.ts';

export type CsvCell = string | number | Date | null;

/**
 * A spreadsheet would run a text that begins like this as a formula; one more apostrophe stops it. A text that has such an
 * apostrophe of its own gets one too, so that `readCell` of domain/move/import-values.ts reads every text as it was.
 */
const FORMULA = /^'*[=+\-@\t\r]/;
const NEEDS_QUOTES = /[",\r\n]/;

/** One line by RFC 4180, with its line break. Instants are ISO 8601 in UTC; a text is never taken for a formula. */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(cell: CsvCell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  if (cell instanceof Date) return cell.toISOString();
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * A file for spreadsheets that is made while it is sent, batch by batch, as fast as it is read: its size does not matter.
 * It begins with a byte order mark, without which Excel would not read it as UTF-8.
 */
export function csvFile(
  name: string,
  header: readonly string[],
  batches: AsyncIterable<readonly (readonly CsvCell[])[]>,
): CsvDownload {
  const encoder = new TextEncoder();
  const batch = batches[Symbol.asyncIterator]();
  return {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${name}"`,
    },
    body: new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(encoder.encode(`\uFEFF${csvLine(header)}`)),
      async pull(controller) {
        const { done, value } = await batch.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value.map(csvLine).join('')));
      },
      async cancel() {
        await batch.return?.();
      },
    }),
  };
}
