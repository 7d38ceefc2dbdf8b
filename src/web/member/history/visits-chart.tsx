import { useQuery } from '@tanstack/react-query';
import type { VisitMonth } from '../../../contract/pours.ts';
import { orpc } from '../../api/client.ts';
import { monthOfDay } from '../../format/dates.ts';
import { classNames } from '../../ui/class-names.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useLogged } from '../../ui/use-logged.ts';

const YEAR = 12;

/** Bars stop growing at this many visits a month. */
const MAX_DRAWN = 8;

const visitCount = (count: number) => (count === 1 ? '1 visit' : `${count} visits`);

/** Visits in each of the last twelve months, or since the membership began. Renders nothing before the first visit. */
export function VisitsChart() {
  const { data: months, error } = useQuery(orpc.pours.listMonths.queryOptions());
  useLogged('Loading the visits', error);
  if (!months) return error ? null : <Skeleton className="h-37 rounded-lg" />;
  const total = months.reduce((sum, { visits }) => sum + visits, 0);
  return total === 0 ? null : <Chart months={months} total={total} />;
}

function Chart({ months, total }: { months: VisitMonth[]; total: number }) {
  const highest = Math.max(...months.map(({ visits }) => Math.min(visits, MAX_DRAWN)));
  return (
    <figure className="rounded-lg border border-line bg-surface px-5 py-4 shadow-card sm:px-7">
      <figcaption className="mb-3 text-ink-muted text-sm">
        <span className="font-semibold text-ink">{visitCount(total)}</span>{' '}
        {months.length < YEAR ? `since ${monthOfDay(`${months[0]?.month}-01`)}` : 'in the last twelve months'}
      </figcaption>
      {/* Two rows of six months on phones, where twelve names in one row would be illegible. */}
      <ol className="grid grid-cols-6 items-end gap-x-2 gap-y-3 sm:auto-cols-fr sm:grid-flow-col sm:grid-cols-none sm:gap-x-3">
        {months.map(({ month, visits }) => (
          <Month key={month} name={monthOfDay(`${month}-01`)} visits={visits} highest={highest} />
        ))}
      </ol>
    </figure>
  );
}

function Month({ name, visits, highest }: { name: string; visits: number; highest: number }) {
  const drawn = Math.min(visits, MAX_DRAWN);
  return (
    <li title={`${name}: ${visitCount(visits)}`} className="flex flex-col items-center">
      <span className="sr-only">{`${name}: ${visitCount(visits)}`}</span>
      <span aria-hidden="true" className="flex h-18 w-full flex-col justify-end text-center">
        {visits > 0 && <span className="text-sm tabular-nums">{visits}</span>}
        <span
          className={classNames('mx-auto block w-full max-w-16 rounded-sm', drawn ? 'bg-wine' : 'bg-line')}
          style={{ height: drawn ? `${Math.max(10, (drawn / highest) * 70)}%` : '3px' }}
        />
      </span>
      <span aria-hidden="true" className="mt-1.5 text-ink-muted text-xs">
        {name.slice(0, 3)}
      </span>
    </li>
  );
}
