import type { DuesEntry } from '../../../contract/staff/dues.ts';
import type { Db, Tx } from '../../db/client.ts';
import { alias, desc, eq } from '../../db/orm.ts';
import { dues, dues_void, profiles } from '../../db/schema.ts';
import { fullName } from '../../platform/sql-text.ts';

/** Every payment and pause of a member at the venue, of any membership, newest first, with the voided ones. */
export async function listDues(db: Db | Tx, customer_id: string): Promise<DuesEntry[]> {
  const recorder = alias(profiles, 'recorder');
  const voider = alias(profiles, 'voider');
  const rows = await db
    .select({
      entry: dues,
      recorded_by: recorder,
      by: fullName(recorder),
      voided: dues_void,
      voided_by: fullName(voider),
    })
    .from(dues)
    .leftJoin(recorder, eq(recorder.id, dues.recorded_by_staff_id))
    .leftJoin(dues_void, eq(dues_void.dues_id, dues.id))
    .leftJoin(voider, eq(voider.id, dues_void.voided_by_staff_id))
    .where(eq(dues.customer_id, customer_id))
    .orderBy(desc(dues.created_at), desc(dues.id));
  return rows.map(({ entry, recorded_by, by, voided, voided_by }) => ({
    id: entry.id,
    kind: entry.kind,
    reference: entry.reference,
    amount_cents: entry.amount_cents,
    months: entry.months,
    method: entry.method,
    paid_on: entry.paid_on,
    paid_from: entry.paid_from,
    paid_until: entry.paid_until,
    tier: entry.tier,
    recorded_by: recorded_by && by,
    recorded_at: entry.created_at.toISOString(),
    voided: voided && { by: voided_by, at: voided.created_at.toISOString(), reason: voided.reason },
  }));
}
