import type { Tonight } from '../../contract/staff/reports.ts';
import { localDate } from '../../domain/calendar.ts';
import { tonight } from '../../domain/reports/tonight.ts';
import { sql } from '../db/orm.ts';
import { rowsOf } from '../db/results.ts';
import { OVERDUE_MEMBERSHIPS, overdueAtVenue } from './overdue-memberships.ts';
import type { ReportsContext } from './reports-context.ts';

type Counts = Omit<Tonight, 'since' | 'poured'>;

/** The night so far, from the ledger itself. docs/rules/reports.md, "Tonight". */
export async function getTonight({ db, now, venue }: ReportsContext): Promise<Tonight> {
  const { since, day } = tonight(now(), venue.time_zone);
  const from = since.toISOString();
  const hours = await rowsOf<Tonight['poured'][number]>(
    db,
    sql`select extract(hour from p.created_at at time zone ${venue.time_zone})::integer as hour,
               coalesce(replace(p.place_name, ' ', '_'), p.location) as location,
               sum(p.quantity)::integer as glasses
          from pours p
         where p.created_at >= ${from}::timestamptz and not exists (select from pour_voids v where v.pour_id = p.id)
         group by 1, 2 order by min(p.created_at), 2`,
  );
  const [counts] = await rowsOf<Counts>(
    db,
    sql`select (select count(distinct p.customer_id)::integer from pours p
                 where p.created_at >= ${from}::timestamptz
                   and not exists (select from pour_voids v where v.pour_id = p.id)) as members_came,
               (select count(*)::integer from customers c where c.status = 'active' and c.member_since >= ${day}
                   and c.created_at >= ${from}::timestamptz
                   and not exists (select from memberships m where m.customer_id = c.id and m.counted_from is not null)) as joined,
               (select count(*)::integer from membership_applications where status = 'pending') as applications,
               (select count(*)::integer from ${OVERDUE_MEMBERSHIPS})
                 + (select count(*)::integer from ${overdueAtVenue(localDate(now(), venue.time_zone))}) as overdue`,
  );
  if (!counts) throw new Error('A select of counts returned no row');
  return { since: from, poured: hours, ...counts };
}
