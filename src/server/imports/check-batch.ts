import { email as emailSchema } from '../../contract/forms/credentials.ts';
import { personName } from '../../contract/forms/person.ts';
import { localDate } from '../../domain/calendar.ts';
import { MAX_TIER_NAME, MAX_TIER_NAMES, tierKey } from '../../domain/imports/import-fields.ts';
import {
  type ImportRules,
  type ReadRow,
  type RowProblem,
  readImportRow,
} from '../../domain/imports/import-row.ts';
import { MAX_TAGS, tagKey } from '../../domain/staff/member-record.ts';
import type { Db, Tx } from '../db/client.ts';
import { and, asc, eq, gt, inArray, lte, sql } from '../db/orm.ts';
import { rowsOf } from '../db/results.ts';
import { member_import, member_import_row, profiles, tag, tier_definitions } from '../db/schema.ts';
import type { ImportRecord, ImportWorker } from './import-context.ts';

const BATCH = 100;

/** The next rows of an import, in order. */
export const nextRows = (tx: Tx, { id, done_rows }: ImportRecord, batch: number) =>
  tx
    .select()
    .from(member_import_row)
    .where(
      and(
        eq(member_import_row.import_id, id),
        gt(member_import_row.row_no, done_rows),
        lte(member_import_row.row_no, done_rows + batch),
      ),
    )
    .orderBy(asc(member_import_row.row_no));

export async function takenEmails(tx: Tx, emails: string[]): Promise<Set<string>> {
  if (emails.length === 0) return new Set();
  const rows = await tx
    .select({ email: profiles.email })
    .from(profiles)
    .where(inArray(profiles.email, emails));
  return new Set(rows.map(({ email }) => email));
}

export type TierRow = typeof tier_definitions.$inferSelect;

/** The current rules for a row: those of the sign-up for emails and names, with the venue's tiers. */
export async function importRules(
  { now, venue }: Pick<ImportWorker, 'now' | 'venue'>,
  tx: Db | Tx,
  { columns, date_order, name_order, tier_names }: ImportRecord,
): Promise<ImportRules & { tiers: TierRow[] }> {
  return {
    isEmail: (text) => emailSchema.safeParse(text).data === text,
    isName: (text) => personName.safeParse(text).success,
    tiers: await tx.select().from(tier_definitions),
    tier_names,
    date_order,
    name_order,
    columns: columns.length,
    today: localDate(now(), venue.time_zone),
  };
}

/** Checks the next rows of an import, in the caller's transaction. */
export async function checkBatch(ctx: ImportWorker, tx: Tx, record: ImportRecord): Promise<void> {
  const rows = await nextRows(tx, record, BATCH);
  const rules = await importRules(ctx, tx, record);
  const readings = rows.map(({ cells }) => readImportRow(cells, record.mapping, rules));
  const emails = [...new Set(readings.flatMap((it) => emailOf(it) ?? []))];
  const usedEmails = await takenEmails(tx, emails);
  const fileEmails = await earlierEmails(tx, record, emails);
  const venueTags = new Set((await tx.select({ key: tag.key }).from(tag)).map(({ key }) => key));
  const newTags = new Set(record.new_tags);
  const tier_names = { ...record.tier_names };

  let readyCount = 0;
  let venue = 0;
  const verdicts = rows.map(({ row_no }, index) => {
    const reading = readings[index] as ReadRow;
    const email = emailOf(reading);
    const problems: RowProblem[] = [...reading.problems];
    if (email && fileEmails.has(email)) problems.push('email_twice');
    else if (email && usedEmails.has(email)) problems.push('has_account');
    if (email) fileEmails.add(email);
    const keys = reading.member?.tags.map(tagKey).filter((key) => !venueTags.has(key)) ?? [];
    const newKeyCount = keys.filter((key) => !newTags.has(key)).length;
    if (newKeyCount > 0 && venueTags.size + newTags.size + newKeyCount > MAX_TAGS)
      problems.push('venue_tags_full');
    if (problems.includes('tier_unknown') && Object.keys(tier_names).length < MAX_TIER_NAMES) {
      const key = tierKey(rows[index]?.cells[record.mapping.tier ?? -1] ?? '');
      if (key.length <= MAX_TIER_NAME && !Object.hasOwn(tier_names, key)) tier_names[key] = null;
    }
    if (problems.length === 0) {
      for (const key of keys) newTags.add(key);
      readyCount += 1;
      if (reading.member?.payment_reference) venue += 1;
    }
    return { row_no, email, problems };
  });
  await tx.execute(sql`
    update member_import_row r set email = c.email, problems = c.problems
      from jsonb_to_recordset(${JSON.stringify(verdicts)}::jsonb) as c(row_no integer, email text, problems jsonb)
     where r.import_id = ${record.id}::uuid and r.row_no = c.row_no`);
  const done_rows = Math.min(record.done_rows + BATCH, record.total_rows);
  await tx
    .update(member_import)
    .set({
      done_rows,
      ready_rows: record.ready_rows + readyCount,
      venue_rows: record.venue_rows + venue,
      new_tags: [...newTags],
      tier_names,
      ...(done_rows >= record.total_rows && { status: 'checked' as const }),
    })
    .where(eq(member_import.id, record.id));
}

const emailOf = (reading: ReadRow): string | null =>
  reading.member?.email ?? (reading.member ? null : reading.email);

/**
 * The emails that an earlier row of the same file has. Each is looked up by the index of emails: without the fence of
 * `offset 0` the planner, which has no statistics of rows just uploaded, reads every earlier row for each batch.
 */
async function earlierEmails(
  tx: Tx,
  { id, done_rows }: ImportRecord,
  emails: string[],
): Promise<Set<string>> {
  const rows = await rowsOf<{ email: string }>(
    tx,
    sql`select wanted.email from jsonb_array_elements_text(${JSON.stringify(emails)}::jsonb) as wanted(email)
         where exists (
           select from (select import_id, row_no from member_import_row r where r.email = wanted.email offset 0) r
            where r.import_id = ${id}::uuid and r.row_no <= ${done_rows}::integer)`,
  );
  return new Set(rows.map(({ email }) => email));
}
