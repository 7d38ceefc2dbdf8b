import type { PoursReport } from '../../../contract/staff/reports.ts';

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
/** The share from which the color behind a figure is dark on parchment and light on ink. */
const STRONG = 0.55;

const hourName = (hour: number) => `${hour % 12 || 12} ${hour < 12 ? 'AM' : 'PM'}`;

/** Glasses by weekday and hour: a table whose colored cells serve as a chart. */
export function HeatTable({ hours }: { hours: PoursReport['hours'] }) {
  const glasses = new Map(hours.map((it) => [`${it.weekday} ${it.hour}`, it.glasses]));
  const most = Math.max(1, ...glasses.values());
  const first = Math.min(...hours.map((it) => it.hour));
  const last = Math.max(...hours.map((it) => it.hour));
  const columns = Array.from({ length: last - first + 1 }, (_, at) => first + at);
  return (
    <section
      aria-label="Glasses by weekday and hour"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region
      tabIndex={0}
      className="relative overflow-x-auto p-5 sm:px-7"
    >
      <table className="w-full border-separate border-spacing-0.5 text-sm tabular-nums">
        <caption className="visually-hidden">Glasses by weekday and hour</caption>
        <thead>
          <tr>
            <th scope="col">
              <span className="visually-hidden">Weekday</span>
            </th>
            {columns.map((hour) => (
              <th key={hour} scope="col" className="px-1 pb-1 font-semibold text-ink-muted text-xs">
                {hourName(hour)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {WEEKDAYS.map((weekday, at) => (
            <tr key={weekday}>
              <th scope="row" className="pr-3 text-left font-medium">
                {weekday}
              </th>
              {columns.map((hour) => {
                const count = glasses.get(`${at + 1} ${hour}`) ?? 0;
                const share = count / most;
                return (
                  <td
                    key={hour}
                    className="h-10 min-w-11 rounded-sm text-center"
                    style={{
                      backgroundColor: `color-mix(in oklab, var(--color-heat) ${Math.round(share * 100)}%, var(--color-surface-sunken))`,
                      color: share >= STRONG ? 'var(--color-heat-ink)' : 'var(--color-ink)',
                    }}
                  >
                    {count}
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
