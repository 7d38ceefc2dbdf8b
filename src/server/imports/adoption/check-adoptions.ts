import { judgeAdoption } from '../../../domain/imports/adoption.ts';
import type { Tx } from '../../db/client.ts';
import { eq, sql } from '../../db/orm.ts';
import { member_import } from '../../db/schema.ts';
import { nextRows } from '../check-batch.ts';
import type { ImportRecord, ImportWorker } from '../import-context.ts';
import { othersOf, sharedFacts, whoseAre } from './adoption-facts.ts';

const BATCH = 100;

/** Checks what adopting the next subscriptions would do, in the caller's transaction. */
export async function checkAdoptions(ctx: ImportWorker, tx: Tx, record: ImportRecord): Promise<void> {
  const rows = (await nextRows(tx, record, BATCH)).flatMap(({ row_no, found }) =>
    found ? [{ row_no, found }] : [],
  );
  const facts = await sharedFacts(ctx, tx, record);
  const ownershipOf = await whoseAre(
    ctx,
    tx,
    rows.map(({ found }) => found),
  );
  const othersOfRow = await othersOf(
    tx,
    record,
    rows.map(({ row_no }) => row_no),
  );
  const verdicts = rows.map(({ row_no, found }) => {
    const { problems, remarks, becomes } = judgeAdoption(found, {
      ...facts,
      ...ownershipOf(found),
      others: othersOfRow(row_no),
    });
    return { row_no, problems, remarks, becomes };
  });
  await tx.execute(sql`
    update member_import_row r set problems = c.problems, remarks = c.remarks, becomes = c.becomes
      from jsonb_to_recordset(${JSON.stringify(verdicts)}::jsonb)
        as c(row_no integer, problems jsonb, remarks jsonb, becomes text)
     where r.import_id = ${record.id}::uuid and r.row_no = c.row_no`);
  const done_rows = Math.min(record.done_rows + BATCH, record.total_rows);
  await tx
    .update(member_import)
    .set({
      done_rows,
      ready_rows: record.ready_rows + verdicts.filter(({ becomes }) => becomes !== null).length,
      ...(done_rows >= record.total_rows && { status: 'checked' as const }),
    })
    .where(eq(member_import.id, record.id));
}
