import type { RevenueReport } from '../../contract/staff/reports.ts';
import { addDays, addMonths, localDate } from '../../domain/calendar.ts';
import type { LeavingReason } from '../../domain/reports/leaving-reason.ts';
import { churnRate } from '../../domain/reports/member-figures.ts';
import { monthsOf, type ReportRange } from '../../domain/reports/report-range.ts';
import { sql } from '../db/orm.ts';
import { rowsOf } from '../db/results.ts';
import type { Db } from '../db/transaction.ts';
import type { ReportsContext } from './reports-context.ts';

type Month = Omit<RevenueReport['months'][number], 'churn'>;

/**
 * Members, joins, losses, churn and monthly recurring revenue of each month in a range, by comparing month ends, and why
 * members left. The current month ends today. docs/rules/reports.md, "Reports".
 */
export function reportRevenue(ctx: ReportsContext, range: ReportRange): Promise<RevenueReport> {
  const { venue, currency } = ctx;
  const today = localDate(ctx.now(), venue.time_zone);
  const months = monthsOf(range).filter((month) => month <= today);
  return ctx.readLagging(async (db) => {
    const rows = await movementsOf(db, months, today, venue.time_zone);
    return {
      currency,
      months: rows.map((row) => ({ ...row, churn: churnRate({ opening: row.opening, lost: row.lost }) })),
      reasons: await reasonsFor(db, months, today),
      on_the_house: await onTheHouse(db, months, today),
    };
  });
}

/** The last day before a month, and its own last day, or today if that is earlier. */
const bounds = (months: string[], today: string) =>
  months.map((month) => {
    const last = addDays(addMonths(month, 1), -1);
    return { month, before: addDays(month, -1), last: last < today ? last : today };
  });

function movementsOf(db: Db, months: string[], today: string, timeZone: string): Promise<Month[]> {
  return rowsOf<Month>(
    db,
    sql`with months as (
          select * from jsonb_to_recordset(${JSON.stringify(bounds(months, today))}::jsonb)
            as x(month date, before date, last date)
        ), span as materialized (
          select customer_id, monthly_price_cents as cents, first_day, end_day from membership_spans(${timeZone})
           where end_day is null or end_day > first_day
        ), was_there as (
          -- Members on the day before the first month. The later figures follow from the memberships that changed, a few
          -- each month.
          select count(*) as members, coalesce(sum(cents), 0) as cents
            from (select customer_id, max(cents) as cents from span, (select min(before) as day from months) d
                   where first_day <= d.day and (end_day is null or end_day > d.day) group by 1) x
        ), changed as (
          select date_trunc('month', first_day)::date as month, customer_id from span
           union
          select date_trunc('month', end_day)::date, customer_id from span where end_day is not null
        ), compared as (
          -- For each member with a change in the month: the price on the day before it, and on its last day. No two spans of
          -- a member share a day.
          select months.month, s.customer_id,
                 max(s.cents) filter (where s.first_day <= before and (s.end_day is null or s.end_day > before)) as was,
                 max(s.cents) filter (where s.first_day <= last and (s.end_day is null or s.end_day > last)) as is_now
            from months join changed on changed.month = months.month join span s on s.customer_id = changed.customer_id
           group by 1, 2
        ), moved as (
          select months.month,
                 count(*) filter (where was is null and is_now is not null) as joined,
                 count(*) filter (where was is not null and is_now is null) as lost,
                 coalesce(sum(is_now) filter (where was is null), 0) as new_cents,
                 coalesce(sum(is_now - was) filter (where is_now > was), 0) as expansion_cents,
                 coalesce(sum(was - is_now) filter (where is_now < was), 0) as contraction_cents,
                 coalesce(sum(was) filter (where is_now is null), 0) as lost_cents
            from months left join compared on compared.month = months.month group by 1
        ), closed as (
          select moved.*, members + sum(joined - lost) over so_far as closing,
                 cents + sum(new_cents + expansion_cents - contraction_cents - lost_cents) over so_far as closing_cents
            from moved cross join was_there window so_far as (order by month)
        )
        select to_char(month, 'YYYY-MM-DD') as month,
               (closing - joined + lost)::integer as opening, joined::integer, lost::integer, closing::integer,
               (closing_cents - new_cents - expansion_cents + contraction_cents + lost_cents)::float8 as opening_cents,
               new_cents::float8, expansion_cents::float8, contraction_cents::float8, lost_cents::float8, closing_cents::float8
          from closed order by closed.month`,
  );
}

/** Reasons of former members whose membership ended in these months. */
async function reasonsFor(db: Db, months: string[], today: string): Promise<RevenueReport['reasons']> {
  const ends = bounds(months, today);
  const [first, last] = [ends[0], ends.at(-1)];
  if (!first || !last) return [];
  return rowsOf<{ reason: LeavingReason | null; members: number }>(
    db,
    sql`with ended as (
          select distinct on (m.customer_id) m.customer_id, m.id from memberships m
           where m.end_date > ${first.before} and m.end_date <= ${last.last} and m.end_date > m.start_date
             and not exists (select from memberships s where s.customer_id = m.customer_id
                              and s.start_date <= ${last.last} and (s.end_date is null or s.end_date > ${last.last}))
           order by m.customer_id, m.end_date desc
        )
        select r.reason, count(*)::integer as members from ended left join leaving_reason r on r.membership_id = ended.id
         group by 1 order by 2 desc, 1`,
  );
}

/** The memberships on the house on the last day of the months. */
async function onTheHouse(db: Db, months: string[], today: string): Promise<RevenueReport['on_the_house']> {
  const last = bounds(months, today).at(-1)?.last ?? today;
  const [row] = await rowsOf<RevenueReport['on_the_house']>(
    db,
    sql`select count(*)::integer as members, coalesce(sum(t.monthly_price_cents), 0)::float8 as cents
          from memberships m join tier_definitions t on t.tier_name = m.tier
         where m.on_the_house and m.start_date <= ${last}
           and m.ends_on > ${last} and (m.end_date is null or m.end_date > ${last})`,
  );
  return row ?? { members: 0, cents: 0 };
}
