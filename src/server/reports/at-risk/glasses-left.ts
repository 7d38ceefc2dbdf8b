import { sql } from 'drizzle-orm';
import { UNUSED_DAYS } from '../../../domain/reports/members-at-risk.ts';
import type { Db, Tx } from '../../db/client.ts';
import { rowsOf } from '../../db/results.ts';

/**
 * The customers with access and a membership of their own whose billing period ends within UNUSED_DAYS and who have at least half
 * of its glasses left, as hasUnusedGlasses() in src/domain/reports/members-at-risk.ts says: all of them, or the one that is asked for.
 */
export async function findGlassesLeft(
  db: Db | Tx,
  { now, timeZone, only }: { now: Date; timeZone: string; only?: string | undefined },
): Promise<Set<string>> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const one = only ? sql`and g.customer_id = ${only}::uuid` : sql``;
  const rows = await rowsOf<{ id: string }>(
    db,
    sql`select c.id
          from grants_as_of(${at}) s
          join memberships m on m.id = s.membership_id and m.status = 'active'
          join customers c on c.id = m.customer_id and c.status = 'active'
          left join billing_subscription b on b.stripe_subscription_id = m.stripe_subscription_id
         where s.id in (select g.id from glass_grant g
                         where g.valid_until > ${at} and g.valid_from <= ${at} ${one}
                           and g.valid_until <= ${at} + make_interval(hours => ${UNUSED_DAYS * 24}::integer))
           and s.valid_until > ${at}
           and case when m.stripe_subscription_id is null
                    then m.ends_on is null or (${at} at time zone ${timeZone})::date < m.ends_on
                    else b.access_until > ${at} end
         group by c.id having sum(s.left_over) > 0 and 2 * sum(s.left_over) >= sum(s.glasses)`,
  );
  return new Set(rows.map(({ id }) => id));
}
