import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { VisitMonth } from '../../../contract/pours.ts';
import { orpc } from '../../api/client.ts';
import { logFailure } from '../../api/log-failure.ts';
import { monthOfDay } from '../../format/dates.ts';
import { classNames } from '../../ui/class-names.ts';
import { Skeleton } from '../../ui/skeleton.tsx';

/** Bars stop growing at this many visits a month. */
const MAX_DRAWN = 8;

const visitCount = (count: number) => (count === 1 ? '1 visit' : `${count} visits`);

/** Visits in each of the last twelve months. Renders nothing before the first visit. */
export function VisitsChart() {
  const { data: months, error } = useQuery(orpc.pours.listMonths.queryOptions());
  useEffect(() => {
    if (error) logFailure('Loading the visits', error);
  }, [error]);
  if (!months) return error ? null : <Skeleton className="h-37 rounded-lg" />;
  const total = months.reduce((sum, { visits }) => sum + visits, 0);
  return total === 0 ? null : <Chart months={months} total={total} />;
}

function Chart({ months, total }: { months: VisitMonth[]; total: number }) {
  const highest = Math.max(...months.map(({ visits }) => Math.min(visits, MAX_DRAWN)));
  return (
    <figure className="rounded-lg border border-line bg-surface px-5 py-4 shadow-card sm:px-7">
      <figcaption className="mb-3 text-ink-muted text-sm">
        <span className="font-semibold text-ink">{visitCount(total)}</span> in the last twelve months
      </figcaption>
      <ol className="grid grid-cols-12 items-end gap-x-1.5 sm:gap-x-3">
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
      <span className="visually-hidden">{`${name}: ${visitCount(visits)}`}</span>
      <span aria-hidden="true" className="flex h-14 w-full flex-col justify-end">
        <span
          className={classNames('block w-full rounded-sm', drawn ? 'bg-wine' : 'bg-line')}
          style={{ height: drawn ? `${Math.max(14, (drawn / highest) * 100)}%` : '3px' }}
        />
      </span>
      <span aria-hidden="true" className="mt-1.5 text-ink-muted text-xs">
        {name.charAt(0)}
      </span>
    </li>
  );
}
