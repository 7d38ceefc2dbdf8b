import type { KeptReason } from '../../domain/imports/import-words.ts';
import type { Tx } from '../db/client.ts';
import { eq, inArray, sql } from '../db/orm.ts';
import { rowsOf } from '../db/results.ts';
import {
  customers,
  dues,
  given_glasses,
  glass_change,
  glass_debit,
  glass_grant,
  member_about,
  member_import,
  member_note,
  memberships,
  profile_search,
  profiles,
  verifications,
} from '../db/schema.ts';
import { removeAllTags } from '../membership/record/tags.ts';
import { rewriteDays } from '../reports/closed-days.ts';
import { allOrEach } from './all-or-each.ts';
import type { ImportRecord, ImportWorker } from './import-context.ts';

interface Imported {
  row_no: number;
  user_id: string;
  customer_id: string | null;
  given_id: string | null;
  /** Null if the account is unused since the import. */
  because: KeptReason | null;
}

/** Undoes the next `batch` rows, in the caller's transaction: unused accounts are deleted, others stay unchanged. */
export async function undoBatch(
  { now }: ImportWorker,
  tx: Tx,
  record: ImportRecord,
  batch: number,
): Promise<void> {
  const until = Math.min(record.done_rows + batch, record.total_rows);
  const rows = await importedRows(tx, record, until);
  const removable = rows.filter(({ because }) => because === null);
  const removedRows = await allOrEach(tx, removable, remove);
  const outcomes = rows.map((row) => {
    const isRemoved = removedRows.includes(row);
    return { row_no: row.row_no, gone: isRemoved, because: isRemoved ? null : (row.because ?? 'changed') };
  });
  await tx.execute(sql`
    update member_import_row r
       set outcome = case when e.gone then 'undone' else 'kept' end, kept_because = e.because,
           given_id = case when e.gone then null else r.given_id end
      from jsonb_to_recordset(${JSON.stringify(outcomes)}::jsonb) as e(row_no integer, gone boolean, because text)
     where r.import_id = ${record.id}::uuid and r.row_no = e.row_no`);
  await tx
    .update(member_import)
    .set({
      done_rows: until,
      imported_rows: record.imported_rows - removedRows.length,
      kept_rows: record.kept_rows + rows.length - removedRows.length,
      ...(until >= record.total_rows && { status: 'undone' as const, finished_at: now() }),
    })
    .where(eq(member_import.id, record.id));
}

/** How many members undoing an import would remove now. */
export async function countUnused(tx: Tx, record: ImportRecord): Promise<number> {
  const rows = await importedRows(tx, { ...record, done_rows: 0 }, record.total_rows);
  return rows.filter(({ because }) => because === null).length;
}

/** The next remaining rows, and their uses. Locks the profiles against new uses. */
async function importedRows(tx: Tx, { id, done_rows }: ImportRecord, until: number): Promise<Imported[]> {
  const history = sql`(select r.row_no, r.user_id, r.given_id, r.imported_at, p.updated_at, p.email_verified
    from member_import_row r join profiles p on p.id = r.user_id
   where r.import_id = ${id}::uuid and r.row_no > ${done_rows} and r.row_no <= ${until}
     and r.outcome in ('imported', 'kept')
   order by r.row_no for update of p)`;
  const has = (table: string, condition: string) =>
    sql.raw(`exists (select 1 from ${table} x where ${condition})`);
  const ofUser = (table: string) => has(table, 'x.user_id = h.user_id');
  const ofCustomer = (table: string) => has(table, 'x.customer_id = c.id');
  return rowsOf<Imported>(
    tx,
    sql`with h as materialized ${history}
        select h.row_no, h.user_id, c.id as customer_id, h.given_id, case
          when ${has('user_roles', `x.user_id = h.user_id and x.role = 'staff'`)} then 'staff'
          when h.email_verified or ${ofUser('accounts')} or ${ofUser('sessions')} or ${ofUser('passkeys')}
            or ${ofUser('consent')} then 'signed_in'
          when ${ofCustomer('pours')} or ${ofCustomer('benefit_use')} or ${ofCustomer('paper_card')} or ${ofUser('wallet_pass')} then 'poured'
          when ${ofUser('billing_customer')} or ${ofUser('checkout_attempt')} or ${ofUser('billing_subscription')}
            then 'pays_by_card'
          when ${ofUser('membership_applications')} then 'applied'
          when h.updated_at > h.imported_at or ${has('audit_entry', 'x.subject_id = h.user_id')}
            or ${has('given_glasses', 'x.customer_id = c.id and x.id is distinct from h.given_id')}
            or ${has('dues', `x.customer_id = c.id and x.kind = 'payment'`)}
            or ${has('memberships', `x.customer_id = c.id and x.status <> 'active'`)} then 'changed'
        end as because
          from h left join customers c on c.user_id = h.user_id order by h.row_no`,
  );
}

async function removeGlasses(tx: Tx, members: string[]): Promise<void> {
  const grants = tx
    .select({ id: glass_grant.id })
    .from(glass_grant)
    .where(inArray(glass_grant.customer_id, members));
  for (const table of [glass_debit, glass_change])
    await tx.delete(table).where(inArray(table.grant_id, grants));
  const glasses = await tx
    .delete(glass_grant)
    .where(inArray(glass_grant.customer_id, members))
    .returning({ ends: glass_grant.valid_until });
  await rewriteDays(
    tx,
    glasses.map(({ ends }) => ends),
  );
}

async function remove(tx: Tx, rows: Imported[]): Promise<void> {
  const users = rows.map(({ user_id }) => user_id);
  const members = rows.flatMap(({ customer_id }) => customer_id ?? []);
  const glassIds = rows.flatMap(({ given_id }) => given_id ?? []);
  if (members.length > 0) await removeGlasses(tx, members);
  if (glassIds.length > 0) await tx.delete(given_glasses).where(inArray(given_glasses.id, glassIds));
  if (members.length > 0) {
    await removeAllTags(tx, members);
    await tx.delete(member_note).where(inArray(member_note.customer_id, members));
    await tx.delete(member_about).where(inArray(member_about.customer_id, members));
    // Otherwise each row would be written again without its member, and then deleted with the profile: two text indexes,
    // twice.
    await tx.delete(profile_search).where(inArray(profile_search.user_id, users));
    await tx.delete(dues).where(inArray(dues.customer_id, members));
    await tx.delete(memberships).where(inArray(memberships.customer_id, members));
    await tx.delete(customers).where(inArray(customers.id, members));
  }
  // Links for setting a first password.
  await tx.delete(verifications).where(inArray(verifications.value, users));
  await tx.delete(profiles).where(inArray(profiles.id, users));
}
