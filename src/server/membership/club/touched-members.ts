import type { ClubSettingsView } from '../../../contract/staff/club.ts';
import type { Db, Tx } from '../../db/client.ts';
import { sql } from '../../db/orm.ts';
import { rowsOf } from '../../db/results.ts';

/**
 * Members that a change of billing's rules would affect: those in grace, paused, and those who joined a year ago or longer.
 */
export async function countTouched(db: Db | Tx, now: Date): Promise<ClubSettingsView['now']> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const [row] = await rowsOf<ClubSettingsView['now']>(
    db,
    sql`select count(*) filter (where s.status = 'past_due' and s.grace_until > ${at})::integer as in_grace,
               count(*) filter (where s.status in ('active', 'trialing') and s.paused_from <= ${at}
                                  and (s.paused_until is null or s.paused_until > ${at}))::integer as paused,
               count(*) filter (where s.status in ('active', 'trialing')
                                  and s.created_at <= ${at} - interval '1 year')::integer as a_year
          from billing_subscription s
          join memberships m on m.stripe_subscription_id = s.stripe_subscription_id and m.status = 'active'`,
  );
  return row ?? { in_grace: 0, paused: 0, a_year: 0 };
}
