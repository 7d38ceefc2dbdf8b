import type { Db, Tx } from '../db/client.ts';
import { sql } from '../db/orm.ts';
import { rowsOf } from '../db/results.ts';
import { inSteps } from '../db/steps.ts';
import type { Venue } from '../mail/email.ts';
import type { PourContext } from './pour-context.ts';

export const WRITE_DUE_GRANTS_EVERY_MS = 300_000;
/** Maximum of members per transaction. */
const MOST_MEMBERS = 500;

type DueContext = Pick<PourContext, 'now'> & { venue: Pick<Venue, 'time_zone'> };

/**
 * Writes a member's due grants: at the venue each month's, by card the share before the renewal is paid, the rollover, and
 * the settling of an earlier unpaid period. The caller holds the lock of the member's pool.
 */
export async function writeDueGrants({ now, venue }: DueContext, tx: Tx, customer_id: string): Promise<void> {
  const at = now().toISOString();
  await tx.execute(sql`select write_due_grants(${customer_id}, ${at}::timestamptz, ${venue.time_zone})`);
}

/**
 * Writes all members' due grants, which lists and reports need. A member locked by another call waits for the next round.
 * Returns the number of members.
 */
export const writeAllDueGrants = ({ db, now, venue }: DueContext & { db: Db }): Promise<number> =>
  inSteps(MOST_MEMBERS, async (members) => {
    const at = sql`${now().toISOString()}::timestamptz`;
    const rows = await rowsOf(
      db,
      sql`with due as materialized (
            select c.id from memberships m join customers c on c.id = m.customer_id
             where m.status = 'active'
               and not exists (select from glass_grant g where g.membership_id = m.id
                                  and g.kind in ('period', 'advance') and g.valid_until > ${at})
               and exists (select from due_grants(c.id, ${at}, ${venue.time_zone}))
             limit ${members}::integer for no key update of c skip locked
          )
          select write_due_grants(due.id, ${at}, ${venue.time_zone}) from due`,
    );
    return rows.length;
  });
