import { type SQL, sql } from 'drizzle-orm';
import type { AbsentReport } from '../../contract/staff/reports.ts';
import { addDays, localDate, startOfDay } from '../../domain/calendar.ts';
import { ABSENCE_RISKS, ABSENT_DAYS, type Absence, absenceRisk } from '../../domain/reports/absence.ts';
import type { StandingOverTime } from '../../domain/reports/member-figures.ts';
import type { Db, Tx } from '../db/client.ts';
import { rowsOf } from '../db/results.ts';
import type { ReportsContext } from './reports-context.ts';

/** The table on the screen; the file has them all. */
const MAX_SHOWN = 200;
/** Where they never came: the day they joined, or came with an import. Earlier visits were not recorded here. */
const knownSince = (customer: string, timeZone: string): SQL => {
  const column = (name: string) => sql.raw(`${customer}.${name}`);
  return sql`greatest(${column('member_since')}, (${column('created_at')} at time zone ${timeZone})::date)`;
};
/** A visit counts toward a habit for this long. */
const HABIT_DAYS = 365;

interface Row {
  customer_id: string;
  user_id: string;
  name: string;
  tier: string;
  standing: StandingOverTime;
  last_visit: string | null;
  days_away: number;
  visits: number;
  usual_gap: number | null;
}

/**
 * Active members who were not poured anything for ABSENT_DAYS, those most likely to leave first, with the reason in
 * words. Voided pours are no visits. docs/rules.md, "Reports: members not seen".
 */
export function reportAbsent(ctx: ReportsContext): Promise<AbsentReport> {
  const { timeZone } = ctx;
  const today = localDate(ctx.now(), timeZone);
  return ctx.readLagging(async (db) => {
    const judged = await judgeAbsent(db, today, timeZone);
    // The longest away first among those of the same risk.
    judged.sort((a, b) => ABSENCE_RISKS.indexOf(b.risk) - ABSENCE_RISKS.indexOf(a.risk));
    return { total: judged.length, members: judged.slice(0, MAX_SHOWN) };
  });
}

/** All who stay away, the longest first, or the one that is asked for. `today` is the venue's. */
export function judgeAbsent(db: Db | Tx, today: string, timeZone: string, only?: string) {
  // last_activity does not go back when a pour is voided, so those are looked at as well.
  const quiet = sql`coalesce((c.last_activity at time zone ${timeZone})::date, ${knownSince('c', timeZone)}) <= ${today}::date - ${ABSENT_DAYS}::integer
          or c.id in (select p.customer_id from pour_voids v join pours p on p.id = v.pour_id
                       where (p.created_at at time zone ${timeZone})::date > ${today}::date - ${ABSENT_DAYS}::integer)`;
  return judge(db, today, timeZone, only ? sql`c.id = ${only}::uuid` : quiet);
}

/** All of them, for a file: who never came first, then the longest away. `size` of the list of members at a time. */
export async function* absentMembers(
  ctx: ReportsContext,
  size = 500,
): AsyncGenerator<AbsentReport['members']> {
  const { timeZone, readLagging } = ctx;
  const today = localDate(ctx.now(), timeZone);
  const until = startOfDay(addDays(today, 1 - ABSENT_DAYS), timeZone).toISOString();
  let after = sql`true`;
  for (;;) {
    const seen = await readLagging((db) =>
      rowsOf<{ id: string; at: string }>(
        db,
        sql`select v.customer_id as id, v.last_visit::text as at from member_visit v
             where v.last_visit < ${until}::timestamptz and ${after}
             order by v.last_visit, v.customer_id limit ${size}::integer`,
      ),
    );
    const last = seen.at(-1);
    if (!last) return;
    const ids = sql.join(
      seen.map(({ id }) => sql`${id}::uuid`),
      sql`, `,
    );
    const judged = await readLagging((db) => judge(db, today, timeZone, sql`c.id = any (array[${ids}])`));
    const place = new Map(seen.map(({ id }, index) => [id, index]));
    yield judged.sort((a, b) => (place.get(a.customer_id) ?? 0) - (place.get(b.customer_id) ?? 0));
    after = sql`(v.last_visit, v.customer_id) > (${last.at}::timestamptz, ${last.id}::uuid)`;
  }
}

/** Of the active members whom a condition on `c` finds, those who stay away, the longest first. */
async function judge(
  db: Db | Tx,
  today: string,
  timeZone: string,
  which: SQL,
): Promise<(AbsentReport['members'][number] & Absence)[]> {
  const rows = await rowsOf<Row>(
    db,
    sql`with quiet as (
            select c.* from customers c where c.status = 'active' and (${which})
          ), habit as (
            select quiet.id, max(day) as last_visit, count(*) filter (where day > ${today}::date - ${HABIT_DAYS}::integer) as visits,
                   min(day) filter (where day > ${today}::date - ${HABIT_DAYS}::integer) as first_visit
              from quiet left join lateral (
                select distinct (p.created_at at time zone ${timeZone})::date as day from pours p
                 where p.customer_id = quiet.id and not exists (select from pour_voids v where v.pour_id = p.id)) days on true
             group by 1
          )
          select q.id as customer_id, q.user_id, p.name, q.tier, t.standing, to_char(h.last_visit, 'YYYY-MM-DD') as last_visit,
                 ${today}::date - coalesce(h.last_visit, ${knownSince('q', timeZone)}) as days_away, h.visits::integer,
                 case when h.visits >= 3
                      then greatest(1, round((h.last_visit - h.first_visit)::numeric / (h.visits - 1)))::integer end as usual_gap
            from quiet q join habit h on h.id = q.id join profiles p on p.id = q.user_id
            join memberships m on m.customer_id = q.id and m.status = 'active'
            cross join lateral (select standing from membership_term x where x.membership_id = m.id
                                 order by since desc limit 1) t
           where ${today}::date - coalesce(h.last_visit, ${knownSince('q', timeZone)}) >= ${ABSENT_DAYS}::integer
             -- Whoever is paused is away on purpose.
             and t.standing <> 'paused'
           order by days_away desc, q.id`,
  );
  return rows.flatMap(({ visits, usual_gap, ...row }) => {
    const verdict = absenceRisk({ ...row, visits, usual_gap });
    return verdict ? [{ ...row, visits, usual_gap, ...verdict }] : [];
  });
}
