import type { VisitMonth } from '../../contract/pours.ts';
import { addMonths, localDate } from '../../domain/calendar.ts';
import { and, eq, gt, isNull, max, sql } from '../db/orm.ts';
import { rowsOf } from '../db/results.ts';
import { customers, member_visit, pour_voids, pours } from '../db/schema.ts';
import type { PourContext } from './pour-context.ts';

const MONTHS = 12;
const QUIET_MS = 60_000;

/** Whether there was no pour for a minute. Reads the latest visit, which is indexed: the ledger itself may be long. */
export async function isBarQuiet({ db, now }: Pick<PourContext, 'db' | 'now'>): Promise<boolean> {
  const since = new Date(now().getTime() - QUIET_MS);
  const [pour] = await db
    .select({ one: sql`1` })
    .from(member_visit)
    .where(gt(member_visit.last_visit, since))
    .limit(1);
  return !pour;
}

/** When a member's last pour that was not voided was recorded; null if there is none. */
export async function getLastVisit(
  { db }: Pick<PourContext, 'db'>,
  customerId: string,
): Promise<Date | null> {
  const [last] = await db
    .select({ at: max(pours.created_at) })
    .from(pours)
    .leftJoin(pour_voids, eq(pour_voids.pour_id, pours.id))
    .where(and(eq(pours.customer_id, customerId), isNull(pour_voids.pour_id)));
  return last?.at ?? null;
}

/**
 * The actor's last twelve months at the venue, oldest first, from the start of their membership. A visit is a day of the
 * venue's calendar with a pour that was not voided.
 */
export async function listVisitMonths({ db, actor, now, venue }: PourContext): Promise<VisitMonth[]> {
  const thisMonth = `${localDate(now(), venue.time_zone).slice(0, 7)}-01`;
  const months = Array.from({ length: MONTHS }, (_, index) => addMonths(thisMonth, index + 1 - MONTHS));
  const rows = await rowsOf<VisitMonth>(
    db,
    sql`select to_char(local, 'YYYY-MM') as month, count(distinct local::date)::integer as visits,
               sum(quantity)::integer as glasses
          from (select p.quantity, p.created_at at time zone ${venue.time_zone} as local
                  from pours p join customers c on c.id = p.customer_id
                 where c.user_id = ${actor.user_id}
                   and p.created_at >= (${months[0]}::date)::timestamp at time zone ${venue.time_zone}
                   and not exists (select 1 from pour_voids v where v.pour_id = p.id)) poured
         group by 1`,
  );
  const [customer] = await db
    .select({ member_since: customers.member_since })
    .from(customers)
    .where(eq(customers.user_id, actor.user_id));
  // A returning member has months from before member_since.
  const first = [customer?.member_since.slice(0, 7), ...rows.map((row) => row.month)].sort()[0] ?? '';
  const visitsOf = new Map(rows.map((row) => [row.month, row]));
  return months
    .map((day) => day.slice(0, 7))
    .filter((month) => month >= first)
    .map((month) => visitsOf.get(month) ?? { month, visits: 0, glasses: 0 });
}
