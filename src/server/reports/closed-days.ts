import { sql } from '../db/orm.ts';
import { rowsOf } from '../db/results.ts';
import type { Db, Tx } from '../db/transaction.ts';
import { countUsualVisits } from './at-risk/usual-gaps.ts';

export const CLOSE_DAYS_EVERY_MS = 600_000;

interface DaysContext {
  db: Db;
  venue: { time_zone: string };
}

/** Only touch_report_day (db/functions/report-summaries.sql) changes a day this long after its end. */
const CLOSED_AFTER = sql.raw(`interval '2 hours'`);

/**
 * Closes the days that are over and are not closed in this time zone yet, each in a transaction of its own, the newest
 * first, because reports are mostly of those; then counts how often members who stay away used to come. Returns how many
 * days. docs/decisions/reports.md.
 */
export async function closeDays(ctx: DaysContext): Promise<number> {
  const days = await openDays(ctx);
  for (const { day } of days) {
    await ctx.db.execute(sql`select close_report_day(${day}::date, ${ctx.venue.time_zone})`);
  }
  await countUsualVisits(ctx);
  await ctx.db.execute(sql`select brin_summarize_new_values('pours_by_time')`);
  return days.length;
}

/**
 * The days to close, since the first customer came, newest first. Uses customers, because the ledger has no index that finds
 * the first of millions of pours.
 */
function openDays({ db, venue }: DaysContext): Promise<{ day: string }[]> {
  return rowsOf<{ day: string }>(
    db,
    sql`select to_char(n.day, 'YYYY-MM-DD') as day
          from generate_series(
                 (select date_trunc('day', min(created_at) at time zone ${venue.time_zone}) from customers),
                 date_trunc('day', (clock_timestamp() - ${CLOSED_AFTER}) at time zone ${venue.time_zone}) - interval '1 day',
                 interval '1 day') n(day)
         where not exists (select from closed_day c where c.day = n.day::date and c.time_zone = ${venue.time_zone})
         order by n.day desc`,
  );
}

/** Rewrites the closed days that contain the instants, for a transaction that deleted grants ending then. */
export async function rewriteDays(tx: Pick<Tx, 'execute'>, ends: Date[]): Promise<void> {
  if (ends.length === 0) return;
  const instants = sql.join(
    [...new Set(ends.map((end) => end.toISOString()))].map((end) => sql`${end}::timestamptz`),
    sql`, `,
  );
  await tx.execute(sql`select touch_report_day(${instants})`);
}
