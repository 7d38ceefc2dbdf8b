import { type SQL, sql } from 'drizzle-orm';
import type { AbsentReport } from '../../../contract/staff/reports.ts';
import { addDays, localDate, startOfDay } from '../../../domain/calendar.ts';
import {
  NOT_SEEN_DAYS,
  NOT_SEEN_RISKS,
  type NotSeen,
  notSeenRisk,
} from '../../../domain/reports/not-seen.ts';

import type { Db, Tx } from '../../db/client.ts';
import { rowsOf } from '../../db/results.ts';
import type { ReportsContext } from '../reports-context.ts';
import { usualVisitsOf } from './usual-gaps.ts';

/** Rows on the screen; the file has all. */
const MAX_SHOWN = 200;

/** A member who stays away, without the details that are only read for shown ones. */
type Away = NotSeen & { customer_id: string; last_visit: string | null };
type Judged = Away & NonNullable<ReturnType<typeof notSeenRisk>>;

/**
 * Active members who were not poured anything for NOT_SEEN_DAYS, those most likely to leave first, with the reason in
 * words. Voided pours are no visits. docs/rules/reports.md, "Reports: members not seen".
 */
export function reportNotSeen(ctx: ReportsContext): Promise<AbsentReport> {
  const { timeZone } = ctx;
  const today = localDate(ctx.now(), timeZone);
  return ctx.readLagging(async (db) => {
    const judged = await judgeNotSeen(db, today, timeZone);
    // Same risk: longest away first.
    judged.sort(
      (a, b) =>
        NOT_SEEN_RISKS.indexOf(b.risk) - NOT_SEEN_RISKS.indexOf(a.risk) ||
        b.days_away - a.days_away ||
        (a.customer_id < b.customer_id ? -1 : 1),
    );
    return { total: judged.length, members: await withNames(db, judged.slice(0, MAX_SHOWN)) };
  });
}

/** All members who stay away, or the given one. `today` is the venue's day. */
export function judgeNotSeen(db: Db | Tx, today: string, timeZone: string, only?: string) {
  const until = startOfDay(addDays(today, 1 - NOT_SEEN_DAYS), timeZone).toISOString();
  return judge(
    db,
    today,
    timeZone,
    only ? sql`c.id = ${only}::uuid` : sql`v.last_visit < ${until}::timestamptz`,
  );
}

interface LastVisit {
  id: string;
  at: string;
}

/** Pages of all of them, for a file: never seen first, then longest away. `size`: members read per page. */
export function notSeenPages(ctx: ReportsContext, size = 500) {
  const { timeZone, readLagging } = ctx;
  const today = localDate(ctx.now(), timeZone);
  const until = startOfDay(addDays(today, 1 - NOT_SEEN_DAYS), timeZone).toISOString();
  return async (after: LastVisit | null) => {
    const older = after
      ? sql`(v.last_visit, v.customer_id) > (${after.at}::timestamptz, ${after.id}::uuid)`
      : sql`true`;
    const seen = await readLagging((db) =>
      rowsOf<LastVisit>(
        db,
        sql`select v.customer_id as id, v.last_visit::text as at from member_visit v
             where v.last_visit < ${until}::timestamptz and ${older}
             order by v.last_visit, v.customer_id limit ${size}::integer`,
      ),
    );
    if (seen.length === 0) return { rows: [], next: null };
    const ids = sql.join(
      seen.map(({ id }) => sql`${id}::uuid`),
      sql`, `,
    );
    const rows = await readLagging(async (db) =>
      withNames(db, await judge(db, today, timeZone, sql`c.id = any (array[${ids}])`)),
    );
    const place = new Map(seen.map(({ id }, index) => [id, index]));
    rows.sort((a, b) => (place.get(a.customer_id) ?? 0) - (place.get(b.customer_id) ?? 0));
    return { rows, next: seen[size - 1] ?? null };
  };
}

/** Active members matching the condition on `c`, or their visit `v`, who stay away. */
async function judge(db: Db | Tx, today: string, timeZone: string, which: SQL): Promise<Judged[]> {
  const zone = sql`${timeZone}::text`;
  const rows = await rowsOf<Away>(
    db,
    // Pours are only read for members whose usual visits are not counted.
    sql`with quiet as (
            select c.id, (nullif(v.last_visit, '-infinity') at time zone ${timeZone})::date as last_visit,
                   -- Earlier visits of someone who came with an import were not recorded here.
                   greatest(c.member_since, (c.created_at at time zone ${timeZone})::date) as known_since,
                   usual.visits, usual.first_visit
              from customers c join member_visit v on v.customer_id = c.id
              cross join lateral (
                select v.visits, v.first_visit where v.visits_zone = ${zone}
                 union all select * from ${usualVisitsOf(timeZone)} counted where v.visits_zone is distinct from ${zone}) usual
             where c.status = 'active' and (${which})
          ), away as (
            select quiet.*, ${today}::date - coalesce(last_visit, known_since) as days_away from quiet
          )
          select q.id as customer_id, t.standing, to_char(q.last_visit, 'YYYY-MM-DD') as last_visit,
                 q.days_away, q.visits,
                 case when q.visits >= 3
                      then greatest(1, round((q.last_visit - q.first_visit)::numeric / (q.visits - 1)))::integer end as usual_gap
            from away q join memberships m on m.customer_id = q.id and m.status = 'active'
            cross join lateral (select standing from membership_term x where x.membership_id = m.id
                                 order by since desc limit 1) t
           where q.days_away >= ${NOT_SEEN_DAYS}::integer
             -- A paused member is away on purpose.
             and t.standing <> 'paused'`,
  );
  return rows.flatMap((row) => {
    const verdict = notSeenRisk(row);
    return verdict ? [{ ...row, ...verdict }] : [];
  });
}

/** The same members in the same order, with their names. */
async function withNames(db: Db, judged: Judged[]): Promise<AbsentReport['members']> {
  const ids = JSON.stringify(judged.map(({ customer_id }) => customer_id));
  const named = await rowsOf<{ id: string; user_id: string; name: string; tier: string }>(
    db,
    sql`select c.id, c.user_id, p.name, c.tier
          from jsonb_array_elements_text(${ids}::jsonb) wanted join customers c on c.id = wanted.value::uuid
          join profiles p on p.id = c.user_id`,
  );
  const nameOf = new Map(named.map(({ id, ...who }) => [id, who]));
  return judged.flatMap((it) => {
    const who = nameOf.get(it.customer_id);
    return who ? [{ ...it, ...who }] : [];
  });
}
