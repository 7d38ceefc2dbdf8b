import { sql } from 'drizzle-orm';
import type { MembersReport } from '../../contract/staff/reports.ts';
import { localDate } from '../../domain/calendar.ts';
import type { StandingOverTime } from '../../domain/reports/member-figures.ts';
import { type ReportRange, stepEnds, stepOf } from '../../domain/reports/report-range.ts';
import { rowsOf } from '../db/results.ts';
import type { ReportsContext } from './reports-context.ts';

interface Count {
  day: string;
  tier: string;
  standing: StandingOverTime;
  members: number;
}

/** Members at the end of each day, week or month of a range, by tier and by standing. docs/rules.md, "Reports". */
export function reportMembers(ctx: ReportsContext, range: ReportRange): Promise<MembersReport> {
  const today = localDate(ctx.now(), ctx.timeZone);
  const days = stepEnds(
    range.to > today ? { from: range.from < today ? range.from : today, to: today } : range,
  );
  return ctx.readLagging(async (db) => {
    const counts = await rowsOf<Count>(
      db,
      sql`select to_char(d.day, 'YYYY-MM-DD') as day, s.tier, s.standing, count(*)::integer as members
            from (select value::date as day from jsonb_array_elements_text(${JSON.stringify(days)}::jsonb)) d
            join membership_spans(${ctx.timeZone}) s
              on s.first_day <= d.day and (s.end_day is null or s.end_day > d.day)
           group by 1, 2, 3`,
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
      points: days.map((day) => {
        const tiers = tally(day, 'tier');
        const members = Object.values(tiers).reduce((sum, it) => sum + it, 0);
        return { day, members, tiers, standings: tally(day, 'standing') };
      }),
    };
  });
}
