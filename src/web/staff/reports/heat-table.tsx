import type { PoursReport } from '../../../contract/staff/reports.ts';
import { count } from './report-format.ts';

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
/** The shares from which the figure needs the other ink: on parchment, and in the dark. */
const STRONG = { light: 0.55, dark: 0.75 };
const ink = (isStrong: boolean) => (isStrong ? 'var(--color-heat-ink)' : 'var(--color-ink)');

const hourName = (hour: number) => `${hour % 12 || 12} ${hour < 12 ? 'AM' : 'PM'}`;

/** Pours by hour and weekday, seven columns that fit a phone: a table whose colored cells serve as a chart. */
export function HeatTable({ hours }: { hours: PoursReport['hours'] }) {
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
