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
  const until = startOfDay(addDays(today, 1 - ABSENT_DAYS), timeZone).toISOString();
  return judge(
    db,
    today,
    timeZone,
    only ? sql`c.id = ${only}::uuid` : sql`v.last_visit < ${until}::timestamptz`,
  );
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

/** Of the active members whom a condition on `c`, or their visit `v`, finds, those who stay away, the longest first. */
async function judge(
  db: Db | Tx,
  today: string,
  timeZone: string,
  which: SQL,
): Promise<(AbsentReport['members'][number] & Absence)[]> {
  const since = startOfDay(addDays(today, 1 - HABIT_DAYS), timeZone).toISOString();
  const rows = await rowsOf<Row>(
    db,
    // From member_visit and a year of pours: a ledger of ten years is not read for it.
    sql`with quiet as (
            select c.id, c.user_id, c.tier, (nullif(v.last_visit, '-infinity') at time zone ${timeZone})::date as last_visit,
                   -- Earlier visits of someone who came with an import were not recorded here.
                   greatest(c.member_since, (c.created_at at time zone ${timeZone})::date) as known_since
              from customers c join member_visit v on v.customer_id = c.id
             where c.status = 'active' and (${which})
          ), away as (
            select quiet.*, ${today}::date - coalesce(last_visit, known_since) as days_away from quiet
          ), habit as (
            select away.id, count(distinct day) as visits, min(day) as first_visit
              from away left join lateral (
                select (p.created_at at time zone ${timeZone})::date as day from pours p
                 where p.customer_id = away.id and p.created_at >= ${since}::timestamptz
                   and not exists (select from pour_voids v where v.pour_id = p.id)) days on true
             group by 1
          )
          select q.id as customer_id, q.user_id, p.name, q.tier, t.standing, to_char(q.last_visit, 'YYYY-MM-DD') as last_visit,
                 q.days_away, h.visits::integer,
                 case when h.visits >= 3
                      then greatest(1, round((q.last_visit - h.first_visit)::numeric / (h.visits - 1)))::integer end as usual_gap
            from away q join habit h on h.id = q.id join profiles p on p.id = q.user_id
            join memberships m on m.customer_id = q.id and m.status = 'active'
            cross join lateral (select standing from membership_term x where x.membership_id = m.id
                                 order by since desc limit 1) t
           where q.days_away >= ${ABSENT_DAYS}::integer
             -- Whoever is paused is away on purpose.
             and t.standing <> 'paused'
           order by days_away desc, q.id`,
  );
  return rows.flatMap(({ visits, usual_gap, ...row }) => {
    const verdict = absenceRisk({ ...row, visits, usual_gap });
    return verdict ? [{ ...row, visits, usual_gap, ...verdict }] : [];
  });
}
