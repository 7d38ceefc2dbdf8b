import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useCallback } from 'react';
import type { Tonight } from '../../../contract/staff/reports.ts';
import { titleCaseLocation } from '../../../domain/club/places.ts';
import { orpc } from '../../api/client.ts';
import { Card } from '../../ui/card.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { SkeletonLines } from '../../ui/skeleton.tsx';
import { useLogged } from '../../ui/use-logged.ts';
import { useMay } from '../record/use-member-record.ts';
import { hourName } from '../reports/report-format.ts';
import { useVenueChanges } from './use-venue-changes.ts';

/** Polls in addition to the stream, for changes without an event, such as a new application. */
const REFRESH_MS = 60_000;

export function TonightCard() {
  const client = useQueryClient();
  const seesReports = useMay('see_reports');
  const { data, error } = useQuery({ ...orpc.reports.tonight.queryOptions(), refetchInterval: REFRESH_MS });
  useVenueChanges(
    useCallback(() => void client.invalidateQueries({ queryKey: orpc.reports.tonight.key() }), [client]),
  );
  useLogged('Loading the night so far', error);
  if (error && !data) return null;
  if (!data) {
    return (
      <Card title="Tonight" className="min-h-96">
        <SkeletonLines lines={8} />
      </Card>
    );
  }
  const glasses = data.poured.reduce((sum, it) => sum + it.glasses, 0);
  return (
    <Card title="Tonight" padding="plain">
      <dl className="grid grid-cols-6 gap-px border-line border-b bg-line [&>:nth-child(3)]:pl-5 sm:[&>:nth-child(3)]:pl-7">
        <Fact label="Pours" value={glasses} strong />
        <Fact label="Members came" value={data.members_came} strong />
        <Fact label="New" value={data.joined} />
        <Fact
          label="Applications"
          value={
            data.applications > 0 ? (
              <Link to="/staff/applications" className="link">
                {data.applications}
              </Link>
            ) : (
              0
            )
          }
        />
        <Fact
          label="Overdue"
          value={
            data.overdue > 0 && seesReports ? (
              <Link to="/staff/reports" search={{ view: 'payments', state: 'overdue' }} className="link">
                {data.overdue}
              </Link>
            ) : (
              data.overdue
            )
          }
        />
      </dl>
      {glasses === 0 ? (
        <p className="px-5 py-6 text-ink-muted sm:px-7">Nothing poured yet.</p>
      ) : (
        <PouredTable poured={data.poured} />
      )}
    </Card>
  );
}

function Fact({ label, value, strong }: { label: string; value: ReactNode; strong?: boolean }) {
  return (
    <div
      className={`flex flex-col-reverse justify-end bg-surface py-4 ${strong ? 'col-span-3 px-5 sm:px-7' : 'col-span-2 px-4'}`}
    >
      <dt className="text-ink-muted text-sm">{label}</dt>
      <dd className={`font-title tabular-nums ${strong ? 'text-3xl' : 'text-xl'}`}>{value}</dd>
    </div>
  );
}

function PouredTable({ poured }: { poured: Tonight['poured'] }) {
  const places = [...new Set(poured.map(({ location }) => location))].sort();
  const hours = [...new Set(poured.map(({ hour }) => hour))].reverse();
  const at = (hour: number, place?: string) =>
    poured
      .filter((it) => it.hour === hour && (!place || it.location === place))
      .reduce((sum, { glasses }) => sum + glasses, 0);
  return (
    <DataTable
      caption="Pours by hour and place"
      rows={hours.map((hour) => ({ hour }))}
      rowKey={({ hour }) => String(hour)}
      columns={[
        {
          key: 'hour',
          header: 'Hour',
          cell: ({ hour }) => <span className="whitespace-nowrap">{hourName(hour)}</span>,
          isRowHeader: true,
        },
        ...places.map((place) => ({
          key: place,
          header: titleCaseLocation(place),
          align: 'end' as const,
          cell: ({ hour }: { hour: number }) => at(hour, place),
        })),
        { key: 'all', header: 'All', align: 'end', cell: ({ hour }) => at(hour) },
      ]}
    />
  );
}
