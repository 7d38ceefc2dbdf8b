import type { InputOf } from '../../contract/base.ts';
import { Refusal } from '../../contract/refusals.ts';
import type { imports, MemberImport } from '../../contract/staff/imports.ts';
import {
  guessMapping,
  MAX_IMPORT_ROWS,
  mappingProblem,
  namedMapping,
} from '../../domain/imports/import-fields.ts';
import { type ImportStatus, ROWS_KEPT_DAYS } from '../../domain/imports/import-words.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Db, Tx } from '../db/client.ts';
import { and, desc, eq, inArray, sql } from '../db/orm.ts';
import { refusing } from '../db/results.ts';
import { member_import, member_import_row } from '../db/schema.ts';
import type { ImportContext, ImportRecord } from './import-context.ts';
import { countUnused } from './undo-batch.ts';

// Rules: docs/rules/imports.md, "Moving in and out".

const LISTED = 20;
/** Shown in place of a file name for subscriptions. */
export const ADOPTION_NAME = 'Subscriptions at Stripe';
const DAY_MS = 86_400_000;
/** Uploaded files that are never imported are deleted after this, because they contain names and emails. */
const UNSTARTED_DAYS = 7;

const toImport = ({ new_tags: _, started_by_staff_id: __, ...row }: ImportRecord): MemberImport => {
  const { rows_deleted_at, created_at, finished_at, source, ...shown } = row;
  return {
    ...shown,
    source,
    file_name: row.file_name ?? (source === 'stripe' ? ADOPTION_NAME : 'members.csv'),
    created_at: created_at.toISOString(),
    finished_at: finished_at?.toISOString() ?? null,
    has_rows: rows_deleted_at === null,
  };
};

export async function listImports({ db }: Pick<ImportContext, 'db'>): Promise<MemberImport[]> {
  const rows = await db
    .select()
    .from(member_import)
    .orderBy(desc(member_import.created_at), desc(member_import.id))
    .limit(LISTED);
  return rows.map(toImport);
}

/** Throws Refusal IMPORT_OPEN while another one is open: the database allows one. */
export const onlyOneOpen = <T>(work: () => Promise<T>): Promise<T> =>
  refusing({ member_import_one_open: new Refusal('IMPORT_OPEN') }, work);

/**
 * Starts an import, with the columns chosen for the last file, or guessed. Throws Refusal IMPORT_OPEN, or
 * IMPORT_NEEDS_HEADER if a column's name is an email: then the first row is a member.
 */
export async function createImport(
  { db, now, newId }: ImportContext,
  { file_name, columns }: InputOf<typeof imports.create>,
): Promise<MemberImport> {
  if (columns.some((it) => it.includes('@'))) throw new Refusal('IMPORT_NEEDS_HEADER');
  const [last] = await db
    .select()
    .from(member_import)
    .where(eq(member_import.source, 'file'))
    .orderBy(desc(member_import.created_at))
    .limit(1);
  return openImport(db, {
    id: newId(),
    file_name,
    status: 'uploading',
    columns,
    mapping: guessMapping(columns, last && namedMapping(last.columns, last.mapping)),
    date_order: last?.date_order ?? 'month_first',
    name_order: last?.name_order ?? 'first_last',
    created_at: now(),
  });
}

/** Stores a new import. Throws Refusal IMPORT_OPEN. */
export async function openImport(
  db: Db,
  row: Omit<typeof member_import.$inferInsert, 'new_tags'>,
): Promise<MemberImport> {
  const [insertedRow] = await onlyOneOpen(() =>
    db
      .insert(member_import)
      .values({ ...row, new_tags: [] })
      .returning(),
  );
  if (!insertedRow) throw new Error('The insert returned no row');
  return toImport(insertedRow);
}

/**
 * Locks an import. Throws Refusal NOT_FOUND, also for an import of another source, or IMPORT_CHANGED unless it has one of
 * the statuses.
 */
export async function holdImport(
  tx: Tx,
  id: string,
  statuses: readonly ImportStatus[],
  source: ImportRecord['source'] | 'any' = 'file',
): Promise<ImportRecord> {
  const [row] = await tx.select().from(member_import).where(eq(member_import.id, id)).for('update');
  if (!row || (source !== 'any' && row.source !== source)) throw new Refusal('NOT_FOUND', { what: 'import' });
  if (!statuses.includes(row.status)) throw new Refusal('IMPORT_CHANGED');
  return row;
}

export async function changeImport(tx: Tx, id: string, values: Partial<ImportRecord>): Promise<MemberImport> {
  const [row] = await tx.update(member_import).set(values).where(eq(member_import.id, id)).returning();
  if (!row) throw new Error('The update returned no row');
  return toImport(row);
}

/** Appends rows. Throws Refusal NOT_FOUND, IMPORT_CHANGED, IMPORT_TOO_LARGE. */
export async function addImportRows(
  { db }: ImportContext,
  { id, first_row, rows, lines }: InputOf<typeof imports.addRows>,
): Promise<{ total_rows: number }> {
  return db.transaction(async (tx) => {
    const { total_rows: before } = await holdImport(tx, id, ['uploading']);
    // Rows after a gap would get a different number than in the file.
    if (first_row > before + 1) throw new Refusal('IMPORT_CHANGED');
    const total_rows = Math.max(before, first_row + rows.length - 1);
    if (total_rows > MAX_IMPORT_ROWS) throw new Refusal('IMPORT_TOO_LARGE');
    await tx
      .insert(member_import_row)
      .values(
        rows.map((cells, index) => ({
          import_id: id,
          row_no: first_row + index,
          line: lines?.[index] ?? null,
          cells,
        })),
      )
      .onConflictDoNothing();
    await changeImport(tx, id, { total_rows });
    return { total_rows };
  });
}

/** Checks every row with these columns. Throws Refusal NOT_FOUND, IMPORT_CHANGED, IMPORT_MAPPING. */
export async function checkImport(
  { db }: ImportContext,
  { id, mapping, date_order, name_order, tier_names }: InputOf<typeof imports.check>,
): Promise<MemberImport> {
  return db.transaction(async (tx) => {
    const { columns, total_rows } = await holdImport(tx, id, ['uploading', 'checking', 'checked']);
    const problem = total_rows === 0 ? 'The file has no rows.' : mappingProblem(mapping, columns.length);
    if (problem) throw new Refusal('IMPORT_MAPPING', { why: problem });
    await tx
      .update(member_import_row)
      .set({ email: null, problems: null })
      .where(and(eq(member_import_row.import_id, id), sql`${member_import_row.problems} is not null`));
    const counts = { done_rows: 0, ready_rows: 0, venue_rows: 0, new_tags: [] };
    const settings = { mapping, date_order, name_order, tier_names };
    return changeImport(tx, id, { ...counts, status: 'checking', ...settings });
  });
}

/** Imports the rows without a problem, in the background. Throws Refusal NOT_FOUND, IMPORT_CHANGED. */
export async function startImport(ctx: ImportContext, { id }: { id: string }): Promise<MemberImport> {
  return ctx.db.transaction(async (tx) => {
    const { ready_rows } = await holdImport(tx, id, ['checked']);
    if (ready_rows === 0) throw new Refusal('IMPORT_CHANGED');
    const facts = { import_id: id, rows: ready_rows };
    await recordAudit(tx, ctx, { act: 'members_imported', subject_id: null, facts });
    return changeImport(tx, id, {
      status: 'importing',
      done_rows: 0,
      started_by_staff_id: ctx.actor.user_id,
    });
  });
}

/** Deletes an import that was not started. Throws Refusal NOT_FOUND, IMPORT_CHANGED. */
export async function discardImport(
  { db }: ImportContext,
  { id }: { id: string },
): Promise<{ removed: true }> {
  return db.transaction(async (tx) => {
    await holdImport(tx, id, ['reading', 'uploading', 'checking', 'checked'], 'any');
    await tx.delete(member_import).where(eq(member_import.id, id));
    return { removed: true };
  });
}

/**
 * Removes the imported members that nothing uses yet, in the background. Throws Refusal NOT_FOUND, IMPORT_OPEN, or
 * IMPORT_CHANGED, also once the import's rows are deleted.
 */
export async function undoImport(ctx: ImportContext, { id }: { id: string }): Promise<MemberImport> {
  return onlyOneOpen(() =>
    ctx.db.transaction(async (tx) => {
      const record = await holdImport(tx, id, ['imported', 'undone']);
      if (record.rows_deleted_at) throw new Refusal('IMPORT_CHANGED');
      const facts = { import_id: id, rows: await countUnused(tx, record) };
      await recordAudit(tx, ctx, { act: 'import_undone', subject_id: null, facts });
      return changeImport(tx, id, { status: 'undoing', done_rows: 0, kept_rows: 0, emails_wanted: false });
    }),
  );
}

/**
 * Emails the imported members, in the background. Throws Refusal NOT_FOUND, or IMPORT_CHANGED, also once the rows are
 * deleted and without a mail server.
 */
export async function sendImportEmails(ctx: ImportContext, { id }: { id: string }): Promise<MemberImport> {
  return ctx.db.transaction(async (tx) => {
    const { rows_deleted_at, imported_rows, emailed_rows } = await holdImport(tx, id, ['imported'], 'any');
    if (rows_deleted_at || !ctx.outbox.sends) throw new Refusal('IMPORT_CHANGED');
    const facts = { import_id: id, emails: imported_rows - emailed_rows };
    await recordAudit(tx, ctx, { act: 'import_emailed', subject_id: null, facts });
    return changeImport(tx, id, { emails_wanted: true });
  });
}

/** Deletes rows a month after their import, and files not imported within a week. */
export async function deleteOldImports({ db, now }: { db: Db; now(): Date }): Promise<void> {
  const at = now();
  const ago = (days: number) => new Date(at.getTime() - days * DAY_MS).toISOString();
  await db
    .delete(member_import)
    .where(
      and(
        inArray(member_import.status, ['reading', 'uploading', 'checking', 'checked']),
        sql`${member_import.created_at} < ${ago(UNSTARTED_DAYS)}::timestamptz`,
      ),
    );
  await db.transaction(async (tx) => {
    const imports = await tx
      .update(member_import)
      .set({ rows_deleted_at: at, emails_wanted: false, tier_names: {}, file_name: null })
      .where(
        and(
          inArray(member_import.status, ['imported', 'undone']),
          sql`${member_import.rows_deleted_at} is null`,
          sql`${member_import.finished_at} < ${ago(ROWS_KEPT_DAYS)}::timestamptz`,
        ),
      )
      .returning({ id: member_import.id });
    if (imports.length === 0) return;
    await tx.delete(member_import_row).where(
      inArray(
        member_import_row.import_id,
        imports.map(({ id }) => id),
      ),
    );
  });
}
