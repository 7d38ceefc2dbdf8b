import { sql } from 'drizzle-orm';
import { addMonths } from '../../domain/calendar.ts';
import { rowsOf } from '../db/results.ts';
import type { Db, Tx } from '../db/transaction.ts';

export const SUMMARIZE_EVERY_MS = 600_000;

interface SummaryContext {
  db: Db;
  timeZone: string;
}

/** Any number that nothing else on the server uses: one process summarizes, the others wait. */
const SUMMARY_LOCK = 4_137_002;
/** How many days one transaction summarizes, so that it stays well within a statement's time. */
const DAYS_AT_ONCE = 31;
/** Nothing is added to a day this long after its end, except with a mark (db/functions/report-summaries.sql). */
const CLOSED_AFTER = sql.raw(`interval '2 hours'`);

/**
 * Summarizes the days and months that are over and are not summarized in this time zone yet, oldest first, and makes
 * those anew whose pours changed. Returns how many days and months. docs/decisions/0033-report-summaries.md.
 */
export async function summarizePours(ctx: SummaryContext): Promise<number> {
  let made = 0;
  await inTurn(ctx, forgetStale);
  for (const step of [summarizeDays, summarizeMonth]) {
    for (let now = 1; now > 0; made += now) now = await inTurn(ctx, step);
  }
  await ctx.db.execute(sql`select brin_summarize_new_values('pours_by_time')`);
  return made;
}

function inTurn<T>(
  { db, timeZone }: SummaryContext,
  work: (tx: Tx, timeZone: string) => Promise<T>,
): Promise<T> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${SUMMARY_LOCK})`);
    return work(tx, timeZone);
  });
}

/** What was marked is summarized anew. A mark that comes meanwhile stays, and so does its day, for the next time. */
async function forgetStale(tx: Tx, timeZone: string): Promise<void> {
  await tx.execute(
    sql`with stale as (delete from summary_stale returning poured_at at time zone ${timeZone} as at)
        delete from summary_period p using stale
         where (p.summary = 'pours' and p.starts = stale.at::date)
            or (p.summary = 'unused' and p.starts in (date_trunc('month', stale.at)::date,
                                                      (date_trunc('month', stale.at) + interval '1 month')::date))`,
  );
}

/** The first day or month that is over and does not count yet, from that of the first pour on; null for none. */
async function firstOpen(tx: Tx, summary: 'pours' | 'unused', timeZone: string): Promise<string | null> {
  const unit = sql.raw(summary === 'pours' ? `'day'` : `'month'`);
  const one = sql.raw(summary === 'pours' ? `interval '1 day'` : `interval '1 month'`);
  const [open] = await rowsOf<{ starts: string }>(
    tx,
    sql`select to_char(n.starts, 'YYYY-MM-DD') as starts
          from generate_series(
                 date_trunc(${unit}, (select min(created_at) from pours) at time zone ${timeZone}),
                 (clock_timestamp() - ${CLOSED_AFTER}) at time zone ${timeZone} - ${one}, ${one}) n(starts)
         where not exists (select from summary_period p
                            where p.summary = ${summary} and p.time_zone = ${timeZone} and p.starts = n.starts::date)
         order by 1 limit 1`,
  );
  return open?.starts ?? null;
}

async function summarizeDays(tx: Tx, timeZone: string): Promise<number> {
  const first = await firstOpen(tx, 'pours', timeZone);
  if (!first) return 0;
  const counted = await rowsOf<{ day: string }>(
    tx,
    sql`insert into summary_period (summary, starts, time_zone)
        select 'pours', n.day::date, ${timeZone} from generate_series(${first}::timestamp,
            least(${first}::timestamp + make_interval(days => ${DAYS_AT_ONCE - 1}),
                  date_trunc('day', (clock_timestamp() - ${CLOSED_AFTER}) at time zone ${timeZone}) - interval '1 day',
                  (select min(starts) - 1 from summary_period
                    where summary = 'pours' and time_zone = ${timeZone} and starts > ${first}::date)),
            interval '1 day') n(day)
        on conflict (summary, starts) do update set time_zone = excluded.time_zone
        returning to_char(starts, 'YYYY-MM-DD') as day`,
  );
  const last =
    counted
      .map(({ day }) => day)
      .sort()
      .at(-1) ?? first;
  await tx.execute(sql`delete from pour_summary where day between ${first} and ${last}`);
  await tx.execute(
    sql`insert into pour_summary (day, hour, location, staff_id, pours, glasses)
        select * from poured_on(${first}::date, ${last}::date, ${timeZone})`,
  );
  return counted.length;
}

async function summarizeMonth(tx: Tx, timeZone: string): Promise<number> {
  const month = await firstOpen(tx, 'unused', timeZone);
  if (!month) return 0;
  await tx.execute(
    sql`insert into summary_period (summary, starts, time_zone) values ('unused', ${month}, ${timeZone})
        on conflict (summary, starts) do update set time_zone = excluded.time_zone`,
  );
  await tx.execute(sql`delete from unused_summary where month = ${month}`);
  await tx.execute(
    sql`insert into unused_summary (month, tier, periods, given, unused)
        select * from unused_in(${month}::date, (${addMonths(month, 1)}::timestamp at time zone ${timeZone}), ${timeZone})`,
  );
  return 1;
}
