import { cpus, loadavg, release, totalmem, type } from 'node:os';

/** A table as a benchmark printed it, a record for each row; numbers are numbers. */
interface Table {
  title: string;
  rows: Record<string, string | number>[];
}

interface Printed {
  tables: Table[];
  /** The text outside the tables, such as the number of rounds. */
  notes: string[];
}

/** A cell as a number where it is one: '1,045', '0.42', '12 %'. */
function parsedCell(cell: string): string | number {
  const digits = /^(-?[\d,]+(?:\.\d+)?)(?: [%x])?$/.exec(cell)?.[1];
  return digits === undefined ? cell : Number(digits.replaceAll(',', ''));
}

const cellsOf = (line: string) =>
  line
    .slice(1, line.lastIndexOf('|'))
    .split('|')
    .map((cell) => cell.trim());

/** The tables and notes of a markdown text; a table's title is the note right above it. */
export function tablesOf(markdown: string): Printed {
  const printed: Printed = { tables: [], notes: [] };
  let columns: string[] | null = null;
  for (const line of markdown.split('\n').map((it) => it.trim())) {
    if (!line.startsWith('|')) {
      columns = null;
      if (line !== '') printed.notes.push(line);
    } else if (columns === null) {
      columns = cellsOf(line);
      printed.tables.push({ title: printed.notes.at(-1) ?? '', rows: [] });
    } else if (!/^[|:\- ]+$/.test(line)) {
      const cells = cellsOf(line).map(parsedCell);
      printed.tables
        .at(-1)
        ?.rows.push(Object.fromEntries(columns.map((column, nth) => [column || 'what', cells[nth] ?? ''])));
    }
  }
  return printed;
}

/** The computer it was measured on. */
export function machine() {
  const [processor] = cpus();
  return {
    processor: processor?.model ?? 'unknown',
    cores: cpus().length,
    memory_gib: Math.round(totalmem() / 2 ** 30),
    system: `${type()} ${release()}`,
    /** The load of the last minute: if it is far above zero at the start, the computer was shared. */
    load: Number(loadavg()[0]?.toFixed(2)),
  };
}
