import type { PoursReport } from '../../../contract/staff/reports.ts';
import { addDays } from '../../../domain/calendar.ts';
import { titleCaseLocation } from '../../../domain/club/places.ts';
import { type ReportRange, stepEnds, stepOf } from '../../../domain/reports/report-range.ts';
import { dateOfDay } from '../../format/dates.ts';
import { colorOf, LazyPicture } from './pictures/lazy-picture.tsx';
import { ReportCard, ReportFrame } from './report-card.tsx';
import { count, hourName, stepName } from './report-format.ts';

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
    return <ReportFrame title="Pours" range={range} file="days" empty="No pours on these days." />;
  }
  return (
    <>
      <ReportCard
        title={{ day: 'Pours by Day', week: 'Pours by Week', month: 'Pours by Month' }[step]}
        lead="Several pours at once are one time served. Voided pours are not counted."
        range={range}
        file="days"
        picture={<LazyPicture kind="bars" series={glasses} points={points} />}
        table={{
          rows: [...points].reverse(),
          rowKey: ({ end }) => end,
          columns: [
            {
              key: 'day',
              header: { day: 'Day', week: 'Until', month: 'Month' }[step],
              cell: ({ end, name }) => (step === 'month' ? name : dateOfDay(end)),
              isRowHeader: true,
            },
            ...AMOUNTS,
          ],
        }}
      />
      <ReportFrame
        title="Pours by Weekday and Hour"
        lead="By the clock of the venue."
        range={range}
        file="hours"
      >
        <HeatTable hours={hours} />
      </ReportFrame>
      <div className="grid items-start gap-5 sm:gap-6 xl:grid-cols-2">
        <ReportCard
          title="Pours by Place"
          range={range}
          file="places"
          table={{
            rows: places,
            rowKey: ({ location }) => location,
            columns: [
              {
                key: 'place',
                header: 'Place',
                cell: (it) => titleCaseLocation(it.location),
                isRowHeader: true,
              },
              ...AMOUNTS,
            ],
          }}
        />
        <ReportCard
          title="Pours by Staff"
          range={range}
          file="staff"
          table={{
            rows: staff,
            rowKey: ({ staff_id }) => staff_id,
            columns: [
              { key: 'name', header: 'Who', cell: ({ name }) => name, isRowHeader: true },
              ...AMOUNTS,
            ],
          }}
        />
      </div>
    </>
  );
}

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
/** The shares from which the figure needs the other ink: on parchment, and in the dark. */
const STRONG = { light: 0.55, dark: 0.75 };
const ink = (isStrong: boolean) => (isStrong ? 'var(--color-heat-ink)' : 'var(--color-ink)');

/** Pours by hour and weekday, seven columns that fit a phone: a table whose colored cells serve as a chart. */
function HeatTable({ hours }: { hours: PoursReport['hours'] }) {
  const glasses = new Map(hours.map((it) => [`${it.weekday} ${it.hour}`, it.glasses]));
  const most = Math.max(1, ...glasses.values());
  const first = Math.min(...hours.map((it) => it.hour));
  const last = Math.max(...hours.map((it) => it.hour));
  const rows = Array.from({ length: last - first + 1 }, (_, at) => first + at);
  return (
    <section
      aria-label="Pours by weekday and hour"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region
      tabIndex={0}
      className="relative overflow-x-auto px-3 pt-2 pb-5 sm:px-7"
    >
      <table className="w-full table-fixed border-separate border-spacing-0.5 text-sm tabular-nums">
        <caption className="sr-only">Pours by weekday and hour</caption>
        <thead>
          <tr>
            <th scope="col" className="w-13 sm:w-18">
              <span className="sr-only">Hour</span>
            </th>
            {WEEKDAYS.map((weekday) => (
              <th key={weekday} scope="col" className="px-0! pb-1 font-semibold text-ink-muted text-xs">
                {weekday.slice(0, 3)}
                <span className="max-md:hidden">{weekday.slice(3)}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((hour) => (
            <tr key={hour}>
              <th scope="row" className="px-0! pr-2! text-right font-medium">
                {hourName(hour)}
              </th>
              {WEEKDAYS.map((weekday, at) => {
                const glassesThen = glasses.get(`${at + 1} ${hour}`) ?? 0;
                const share = glassesThen / most;
                return (
                  <td
                    key={weekday}
                    className="h-10 rounded-sm px-0! text-center"
                    style={{
                      backgroundColor: `color-mix(in oklab, var(--color-heat) ${Math.round(share * 100)}%, var(--color-surface-sunken))`,
                      color: `light-dark(${ink(share >= STRONG.light)}, ${ink(share >= STRONG.dark)})`,
                    }}
                  >
                    {count(glassesThen)}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
