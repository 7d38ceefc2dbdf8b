import type { PoursReport } from '../../../contract/staff/reports.ts';
import { addDays } from '../../../domain/calendar.ts';
import { titleCaseLocation } from '../../../domain/club/places.ts';
import { type ReportRange, stepEnds, stepOf } from '../../../domain/reports/report-range.ts';
import { dateOfDay } from '../../format/dates.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { HeatTable } from './heat-table.tsx';
import { LazyPicture } from './pictures/lazy-picture.tsx';
import { colorOf } from './pictures/series.ts';
import { ReportCard } from './report-card.tsx';
import { count, stepName } from './report-format.ts';

/** Sums days into the steps of the range, so that the chart stays legible. */
function bySteps(days: PoursReport['days'], range: ReportRange) {
  const step = stepOf(range);
  let from = range.from;
  return stepEnds(range).map((end) => {
    const within = days.filter(({ day }) => day >= from && day <= end);
    from = addDays(end, 1);
    const sum = (key: 'pours' | 'glasses') => within.reduce((total, it) => total + it[key], 0);
    return { end, name: stepName(end, step), pours: sum('pours'), glasses: sum('glasses') };
  });
}

const AMOUNTS = [
  {
    key: 'glasses',
    header: 'Pours',
    align: 'end' as const,
    cell: (it: { glasses: number }) => count(it.glasses),
  },
  {
    key: 'pours',
    header: 'Times served',
    align: 'end' as const,
    cell: (it: { pours: number }) => count(it.pours),
  },
];

export function PoursView({ report, range }: { report: PoursReport; range: ReportRange }) {
  const { days, hours, places, staff } = report;
  const step = stepOf(range);
  const points = bySteps(days, range);
  const glasses = [{ key: 'glasses', label: 'Pours', color: colorOf(0) }];
  if (days.length === 0) {
    return (
      <ReportCard title="Pours" range={range} file="days" empty="No pours on these days." table={null} />
    );
  }
  return (
    <>
      <ReportCard
        title={{ day: 'Pours by Day', week: 'Pours by Week', month: 'Pours by Month' }[step]}
        lead="Several pours at once are one time served. Voided pours are not counted."
        range={range}
        file="days"
        picture={<LazyPicture kind="bars" series={glasses} points={points} />}
        table={
          <DataTable
            caption="Pours"
            rows={[...points].reverse()}
            rowKey={({ end }) => end}
            columns={[
              {
                key: 'day',
                header: { day: 'Day', week: 'Until', month: 'Month' }[step],
                cell: ({ end, name }) => (step === 'month' ? name : dateOfDay(end)),
                isRowHeader: true,
              },
              ...AMOUNTS,
            ]}
          />
        }
      />
      <ReportCard
        title="Pours by Weekday and Hour"
        lead="By the clock of the venue."
        range={range}
        file="hours"
        table={<HeatTable hours={hours} />}
      />
      <div className="grid items-start gap-5 sm:gap-6 xl:grid-cols-2">
        <ReportCard
          title="Pours by Place"
          range={range}
          file="places"
          table={
            <DataTable
              caption="Pours by Place"
              rows={places}
              rowKey={({ location }) => location}
              columns={[
                {
                  key: 'place',
                  header: 'Place',
                  cell: (it) => titleCaseLocation(it.location),
                  isRowHeader: true,
                },
                ...AMOUNTS,
              ]}
            />
          }
        />
        <ReportCard
          title="Pours by Staff"
          range={range}
          file="staff"
          table={
            <DataTable
              caption="Pours by Staff"
              rows={staff}
              rowKey={({ staff_id }) => staff_id}
              columns={[
                { key: 'name', header: 'Who', cell: ({ name }) => name, isRowHeader: true },
                ...AMOUNTS,
              ]}
            />
          }
        />
      </div>
    </>
  );
}
