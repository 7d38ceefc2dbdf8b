import { sql } from 'drizzle-orm';
import { rowsOf } from '../db/results.ts';
import type { Db, Tx } from '../db/transaction.ts';
import { countHabits } from './habits.ts';
import { inSteps } from './steps.ts';

export const SUMMARIZE_EVERY_MS = 600_000;

interface SummaryContext {
  db: Db;
  timeZone: string;
}

/** Any number that nothing else on the server uses: one process summarizes, the others wait. */
const SUMMARY_LOCK = 4_137_002;
/** How many days one transaction summarizes at most, however fast it is. */
const MOST_DAYS = 62;
/** Nothing is added to a day this long after its end, except with a mark (db/functions/report-summaries.sql). */
const CLOSED_AFTER = sql.raw(`interval '2 hours'`);

const SUMMARIES = ['pours', 'unused'] as const;
type Summary = (typeof SUMMARIES)[number];

/**
 * Summarizes the days that are over and are not summarized in this time zone yet, oldest first, and makes
 * those anew that were changed; then the habits of members who stay away. In short transactions. Returns how many days,
 * of both summaries. docs/decisions/0033-report-summaries.md.
 */
export async function summarizePours(ctx: SummaryContext): Promise<number> {
  await inTurn(ctx, forgetStale);
  const since = await firstDay(ctx);
  let made = 0;
  if (since) {
    for (const summary of SUMMARIES) {
      made += await inSteps(MOST_DAYS, (days) =>
        inTurn(ctx, (tx) => summarize(tx, { summary, since, days, timeZone: ctx.timeZone })),
      );
    }
  }
  await countHabits(ctx);
  await ctx.db.execute(sql`select brin_summarize_new_values('pours_by_time')`);
  return made;
}

function inTurn<T>({ db }: SummaryContext, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${SUMMARY_LOCK})`);
    return work(tx);
  });
}

/**
 * Deletes the summaries of days whose pours have changed; they are made again afterward. A change that arrives meanwhile
 * waits for the next run.
 * The day of a pour is counted in the time zone that each summary was made in: the club may have changed its own since.
 */
async function forgetStale(tx: Tx): Promise<void> {
  await tx.execute(
    sql`with stale as (delete from summary_stale returning poured_at)
        delete from summary_period p using stale
         where p.summary = 'pours' and p.starts = (stale.poured_at at time zone p.time_zone)::date
           -- No clock is further from UTC. By these, the index finds it.
           and p.starts between (stale.poured_at at time zone 'UTC')::date - 1
                            and (stale.poured_at at time zone 'UTC')::date + 1`,
  );
  await tx.execute(
    sql`with stale as (delete from unused_stale returning day)
        delete from summary_period p using stale where p.summary = 'unused' and p.starts = stale.day`,
  );
}

/**
 * On which nothing can have been poured, because nobody was a member yet; null while nobody is. By the customers: the
 * ledger has no index in which the first of millions of pours is found.
 */
async function firstDay({ db, timeZone }: SummaryContext): Promise<string | null> {
  const [first] = await rowsOf<{ day: string | null }>(
    db,
    sql`select to_char(min(created_at) at time zone ${timeZone}, 'YYYY-MM-DD') as day from customers`,
  );
  return first?.day ?? null;
}

interface Days {
  summary: Summary;
  /** The first that may ever be summarized. */
  since: string;
  /** How many at most. */
  days: number;
  timeZone: string;
}

/** Summarizes the next days that are over and do not count yet, all in a row. Answers how many. */
async function summarize(tx: Tx, { summary, since, days, timeZone }: Days): Promise<number> {
  const [next] = await rowsOf<{ first: string; last: string; count: number }>(
    tx,
    sql`with open as (
          select n.day::date as day from generate_series(${since}::timestamp,
              date_trunc('day', (clock_timestamp() - ${CLOSED_AFTER}) at time zone ${timeZone}) - interval '1 day',
              interval '1 day') n(day)
           where not exists (select from summary_period p
                              where p.summary = ${summary} and p.time_zone = ${timeZone} and p.starts = n.day::date)
           order by 1 limit ${days}::integer
        )
        -- Only those without a gap after the first.
        select to_char(min(day), 'YYYY-MM-DD') as first, to_char(max(day), 'YYYY-MM-DD') as last, count(*)::integer as count
          from (select day, day - (row_number() over (order by day))::integer as run from open) runs
         group by run order by run limit 1`,
  );
  if (!next) return 0;
  const { first, last, count } = next;
  await tx.execute(
    sql`insert into summary_period (summary, starts, time_zone)
        select ${summary}, n.day::date, ${timeZone} from generate_series(${first}::timestamp, ${last}::timestamp, interval '1 day') n(day)
        on conflict (summary, starts) do update set time_zone = excluded.time_zone`,
  );
  await (summary === 'pours' ? writePours : writeUnused)(tx, first, last, timeZone);
  return count;
}

async function writePours(tx: Tx, first: string, last: string, timeZone: string): Promise<void> {
  await tx.execute(sql`delete from pour_summary where day between ${first} and ${last}`);
  await tx.execute(
    sql`insert into pour_summary (day, hour, location, staff_id, pours, glasses)
        select * from poured_on(${first}::date, ${last}::date, ${timeZone})`,
  );
}

async function writeUnused(tx: Tx, first: string, last: string, timeZone: string): Promise<void> {
  await tx.execute(sql`delete from unused_summary where day between ${first} and ${last}`);
  await tx.execute(
    sql`insert into unused_summary (day, tier, periods, given, unused)
        select * from unused_on(${first}::date, ${last}::date, clock_timestamp(), ${timeZone})`,
  );
}
