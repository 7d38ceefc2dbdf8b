import type { UnusedReport } from '../../../contract/staff/reports.ts';
import { monthsOf, type ReportRange } from '../../../domain/reports/report-range.ts';
import { useTierLabel, useTierNames } from '../../api/use-tier-names.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { LazyPicture } from './pictures/lazy-picture.tsx';
import { colorOf } from './pictures/series.ts';
import { ReportCard } from './report-card.tsx';
import { count, monthName, percent } from './report-format.ts';

export function UnusedView({ report, range }: { report: UnusedReport; range: ReportRange }) {
  const tierLabel = useTierLabel();
  const names = useTierNames();
  const placeOf = (tier: string) => names.findIndex(({ tier_name }) => tier_name === tier);
  const newest = report.months.toSorted(
    (one, other) => other.month.localeCompare(one.month) || placeOf(one.tier) - placeOf(other.tier),
  );
  const points = monthsOf(range).map((month) => {
    const rows = report.months.filter((it) => it.month === month);
    const given = rows.reduce((sum, it) => sum + it.given, 0);
    const unused = rows.reduce((sum, it) => sum + it.unused, 0);
    return { name: monthName(month), poured: given - unused, unused };
  });
  return (
    <ReportCard
      title="Pours Left Unused"
      lead="For billing periods that ended in each month: pours included, and pours left unused."
      range={range}
      file="unused"
      empty={
        report.months.length === 0 && 'The first billing periods end a month after the first member joined.'
      }
      picture={
        <LazyPicture
          kind="bars"
          series={[
            { key: 'poured', label: 'Poured', color: colorOf(0) },
            { key: 'unused', label: 'Left unused', color: colorOf(1) },
          ]}
          points={points}
        />
      }
      table={
        <DataTable
          caption="Pours Left Unused"
          rows={newest}
          rowKey={({ month, tier }) => `${month} ${tier}`}
          beginsGroup={(row, above) => row.month !== above?.month}
          columns={[
            { key: 'month', header: 'Month', cell: ({ month }) => monthName(month), isRowHeader: true },
            { key: 'tier', header: 'Tier', cell: ({ tier }) => tierLabel(tier) },
            { key: 'given', header: 'Included', align: 'end', cell: ({ given }) => count(given) },
            { key: 'unused', header: 'Unused', align: 'end', cell: ({ unused }) => count(unused) },
            {
              key: 'share',
              header: 'Share',
              align: 'end',
              cell: ({ given, unused }) => percent(given === 0 ? null : unused / given),
            },
          ]}
        />
      }
    />
  );
}
