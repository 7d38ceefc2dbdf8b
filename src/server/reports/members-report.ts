import type { MembersReport } from '../../contract/staff/reports.ts';
import { localDate } from '../../domain/calendar.ts';
import type { StandingOverTime } from '../../domain/reports/member-figures.ts';
import { type ReportRange, stepEnds, stepOf } from '../../domain/reports/report-range.ts';
import { sql } from '../db/orm.ts';
import { rowsOf } from '../db/results.ts';
import type { ReportsContext } from './reports-context.ts';

type SignUps = MembersReport['sign_ups'][number];

interface Count {
  day: string;
  tier: string;
  standing: StandingOverTime;
  members: number;
}

/** Members at the end of each day, week or month of a range, and who signed them up. docs/rules/reports.md, "Reports". */
export function reportMembers(ctx: ReportsContext, range: ReportRange): Promise<MembersReport> {
  const today = localDate(ctx.now(), ctx.venue.time_zone);
  const days = stepEnds(
    range.to > today ? { from: range.from < today ? range.from : today, to: today } : range,
  );
  return ctx.readLagging(async (db) => {
    const counts = await rowsOf<Count>(
      db,
      // Reads each span once: adds it on its first day in the range, and subtracts it on the first day after it.
      sql`with days as (
            select array_agg(value::date order by value::date) as ends
              from jsonb_array_elements_text(${JSON.stringify(days)}::jsonb)
          ), change as (
            select x.place, s.tier, s.standing, sum(x.members) as members
              from days cross join membership_spans(${ctx.venue.time_zone}) s
             cross join lateral (
               select width_bucket(s.first_day - 1, days.ends) + 1 as place, 1 as members
                union all
               select width_bucket(s.end_day - 1, days.ends) + 1, -1 where s.end_day is not null) x
             where s.end_day is null or s.end_day > s.first_day
             group by 1, 2, 3
          )
          select to_char(d.day, 'YYYY-MM-DD') as day, c.tier, c.standing, sum(c.members)::integer as members
            from days cross join unnest(days.ends) with ordinality d(day, place) join change c on c.place <= d.place
           group by 1, 2, 3 having sum(c.members) <> 0`,
    );
    const sign_ups = await rowsOf<SignUps>(
      db,
      sql`select c.signed_up_by_staff_id as staff_id, s.name, count(*)::integer as members,
                 count(*) filter (where c.status = 'active')::integer as still_members,
                 round(avg(greatest(0, coalesce(left_on.day, ${today}::date) - c.member_since)))::integer as days_stayed
            from customers c join profiles s on s.id = c.signed_up_by_staff_id
            left join lateral (
              select max(m.end_date) as day from memberships m where m.customer_id = c.id and c.status <> 'active') left_on on true
           where c.member_since between ${range.from}::date and ${range.to}::date
             and not exists (select from imported_account i where i.user_id = c.user_id)
           group by 1, 2 order by 3 desc, 2, 1`,
    );
    const tally = (day: string, key: 'tier' | 'standing') => {
      const sums: Record<string, number> = {};
      for (const count of counts) {
        if (count.day === day) sums[count[key]] = (sums[count[key]] ?? 0) + count.members;
      }
      return sums;
    };
    return {
      step: stepOf(range),
      sign_ups,
      points: days.map((day) => {
        const tiers = tally(day, 'tier');
        const members = Object.values(tiers).reduce((sum, it) => sum + it, 0);
        return { day, members, tiers, standings: tally(day, 'standing') };
      }),
    };
  });
}
