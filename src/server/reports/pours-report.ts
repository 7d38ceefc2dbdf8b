import type { PoursReport } from '../../contract/staff/reports.ts';
import type { ReportRange } from '../../domain/reports/report-range.ts';
import { sql } from '../db/orm.ts';
import { rowsOf } from '../db/results.ts';
import type { ReportsContext } from './reports-context.ts';

interface Sum {
  kind: number;
  day: string | null;
  weekday: number | null;
  hour: number | null;
  location: string | null;
  staff_id: string | null;
  name: string | null;
  pours: number;
  glasses: number;
}

/** A row's grouping: Postgres numbers groupings by the columns they leave out. */
const BY = { day: 0b01111, hour: 0b10011, place: 0b11101, staff: 0b11110 };

/** Pours of a range that were not voided, by day, weekday and hour, place and staff. docs/rules/reports.md, "Reports". */
export function reportPours(
  { readLagging, venue }: ReportsContext,
  { from, to }: ReportRange,
): Promise<PoursReport> {
  return readLagging(async (db) => {
    const sums = await rowsOf<Sum>(
      db,
      sql`with poured as (
            select day, extract(isodow from day)::integer as weekday, hour, location, staff_id, pours, glasses
              from poured_between(${from}::date, ${to}::date, ${venue.time_zone})
          ), grouped as (
            select grouping(day, weekday, hour, location, staff_id) as kind, day, weekday, hour, location, staff_id,
                   sum(pours)::integer as pours, sum(glasses)::integer as glasses
              from poured group by grouping sets ((day), (weekday, hour), (location), (staff_id))
          )
          select kind, to_char(day, 'YYYY-MM-DD') as day, weekday, hour, location, staff_id, p.name, pours, glasses
            from grouped left join profiles p on p.id = grouped.staff_id
           order by kind, day, weekday, hour, glasses desc, p.name`,
    );
    const of = (kind: number) => sums.filter((row) => row.kind === kind);
    return {
      days: of(BY.day).map(({ day, pours, glasses }) => ({ day: day ?? '', pours, glasses })),
      hours: of(BY.hour).map(({ weekday, hour, pours, glasses }) => ({
        weekday: weekday ?? 0,
        hour: hour ?? 0,
        pours,
        glasses,
      })),
      places: of(BY.place).map(({ location, pours, glasses }) => ({
        location: location ?? '',
        pours,
        glasses,
      })),
      staff: of(BY.staff).map(({ staff_id, name, pours, glasses }) => ({
        staff_id: staff_id ?? '',
        name: name ?? '',
        pours,
        glasses,
      })),
    };
  });
}
