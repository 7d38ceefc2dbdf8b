import { Refusal } from '../../contract/refusals.ts';
import type { CsvDownload } from '../../contract/staff/csv-download.ts';
import type { ImportRow } from '../../contract/staff/imports.ts';
import { readImportRow } from '../../domain/imports/import-row.ts';
import { KEPT_TEXT, PROBLEM_TEXT, REMARK_TEXT, type RowOutcome } from '../../domain/imports/import-words.ts';
import { exportList } from '../audit/export-list.ts';
import type { AuditContext } from '../audit/record-audit.ts';
import { and, asc, eq, gt, type SQL, sql } from '../db/orm.ts';
import { member_import, member_import_row } from '../db/schema.ts';
import type { CsvCell } from '../platform/csv.ts';
import { decodeCursor, encodeCursor } from '../platform/cursor.ts';
import { importRules } from './check-batch.ts';
import type { ImportContext, ImportRecord } from './import-context.ts';

const PAGE = 50;
const REPORT_PAGE = 500;

type Row = typeof member_import_row.$inferSelect;

const WHICH = {
  all: undefined,
  ready: sql`${member_import_row.problems} = '[]'::jsonb`,
  problems: sql`${member_import_row.problems} <> '[]'::jsonb`,
  kept: eq(member_import_row.outcome, 'kept'),
} satisfies Record<string, SQL | undefined>;

type Reader = Pick<ImportContext, 'db'>;
type RowReader = Pick<ImportContext, 'db' | 'now' | 'venue'>;

/** The row's place in the file, whose first line holds the column names unless the file says otherwise. */
const lineOf = ({ line, row_no }: Row) => line ?? row_no + 1;

async function importOf({ db }: Reader, id: string): Promise<ImportRecord> {
  const [row] = await db.select().from(member_import).where(eq(member_import.id, id));
  if (!row) throw new Refusal('NOT_FOUND', { what: 'import' });
  return row;
}

const readRows = ({ db }: Reader, id: string, after: number, limit: number, filter?: SQL): Promise<Row[]> =>
  db
    .select()
    .from(member_import_row)
    .where(and(eq(member_import_row.import_id, id), gt(member_import_row.row_no, after), filter))
    .orderBy(asc(member_import_row.row_no))
    .limit(limit);

/** Rows of an import, in the order of the file, one page at a time. Throws Refusal NOT_FOUND. */
export async function listImportRows(
  ctx: RowReader,
  { id, which, cursor }: { id: string; which: keyof typeof WHICH; cursor?: string | undefined },
): Promise<{ rows: ImportRow[]; next_cursor: string | null }> {
  const record = await importOf(ctx, id);
  const rules = await importRules(ctx, ctx.db, record);
  const [after = '0'] = decodeCursor(cursor, (it) => /^\d{1,6}$/.test(it)) ?? [];
  const page = await readRows(ctx, id, Number(after), PAGE + 1, WHICH[which]);
  const rows = page.slice(0, PAGE).map((row) => ({
    row_no: row.row_no,
    line: lineOf(row),
    cells: row.cells,
    member:
      record.source === 'file' && row.problems?.length === 0
        ? readImportRow(row.cells, record.mapping, rules).member
        : null,
    problems: row.problems ?? [],
    remarks: row.remarks ?? [],
    becomes: row.becomes,
    outcome: row.outcome,
    kept_because: row.kept_because,
    user_id: row.user_id,
  }));
  const last = page.length > PAGE ? rows.at(-1) : undefined;
  return { rows, next_cursor: last ? encodeCursor(String(last.row_no)) : null };
}

const OUTCOME_TEXT: Record<RowOutcome, string> = {
  imported: 'imported',
  refused: 'not imported',
  undone: 'taken back',
  kept: 'kept',
};

/**
 * Each row's outcome and line in the file, beside its cells: a file that can be corrected and imported again. Throws Refusal
 * NOT_FOUND.
 */
export async function exportImportReport(
  ctx: Reader & AuditContext,
  { id }: { id: string },
): Promise<CsvDownload> {
  const { columns, status, source } = await importOf(ctx, id);
  const isOver = status === 'imported' || status === 'undone' || status === 'undoing';
  const toCells = (row: Row): CsvCell[] => {
    const { row_no, outcome, problems, remarks, kept_because, cells } = row;
    return [
      source === 'file' ? lineOf(row) : row_no,
      outcome ? OUTCOME_TEXT[outcome] : isOver || problems?.length ? 'not imported' : 'ready',
      kept_because
        ? KEPT_TEXT[kept_because]
        : [
            ...(problems ?? []).map((it) => PROBLEM_TEXT[it]),
            ...(remarks ?? []).map((it) => REMARK_TEXT[it]),
          ].join(' '),
      ...columns.map((_, index) => cells[index] ?? ''),
      ...cells.slice(columns.length),
    ];
  };
  const act = { act: 'list_exported', subject_id: null, facts: { list: 'import report' } } as const;
  return exportList(ctx, act, {
    name: 'import-report.csv',
    header: [source === 'file' ? 'Line' : 'Row', 'Result', 'Why', ...columns],
    async read(after: number | null) {
      const rows = await readRows(ctx, id, after ?? 0, REPORT_PAGE);
      return { rows, next: rows[REPORT_PAGE - 1]?.row_no ?? null };
    },
    toCells,
  });
}
