import { useQuery } from '@tanstack/react-query';
import Check from 'lucide-react/icons/check';
import { type ReactNode, useState } from 'react';
import type { OwnPour, RolledOver, VisitMonth } from '../../../contract/pours.ts';
import { pourPlaceText } from '../../../domain/club/places.ts';
import { pourCount } from '../../../domain/pour.ts';
import { VERDICT_LABELS } from '../../../domain/taste.ts';
import { wineTitle } from '../../../domain/wine/wine.ts';
import { orpc } from '../../api/client.ts';
import { dateOfInstant, monthOfDay, timeOfDay } from '../../format/dates.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { classNames } from '../../ui/class-names.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { EmptyGlassPicture } from '../../ui/illustrations.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { Skeleton, SkeletonLines } from '../../ui/skeleton.tsx';
import { useLogged } from '../../ui/use-logged.ts';
import { RatingDialog } from './rating-dialog.tsx';
import { WineTabs } from './wine-tabs.tsx';

const ROLLED_SHOWN = 3;

/** 'Rolled over: 3 pours on 11/14/2026, 1 on 10/14/2026.'; null without any. */
function rolledOverLine(rolledOver: readonly RolledOver[]): string | null {
  const latest = [...rolledOver].sort((a, b) => (a.at < b.at ? 1 : -1)).slice(0, ROLLED_SHOWN);
  const parts = latest.map(
    ({ at, glasses }, place) => `${place === 0 ? pourCount(glasses) : glasses} on\u00a0${dateOfInstant(at)}`,
  );
  return parts.length > 0 ? `Rolled over: ${parts.join(', ')}.` : null;
}

const columns: readonly Column<OwnPour>[] = [
  {
    key: 'date',
    header: 'Date',
    isRowHeader: true,
    cell: (pour) => (
      <Struck of={pour}>
        <time dateTime={pour.created_at}>
          {dateOfInstant(pour.created_at)}{' '}
          <span className="block whitespace-nowrap font-normal text-ink-muted">
            {timeOfDay(new Date(pour.created_at))}
          </span>
        </time>
      </Struck>
    ),
  },
  { key: 'location', header: 'Location', grows: true, cell: (pour) => <Place pour={pour} /> },
  {
    key: 'quantity',
    header: 'Quantity',
    align: 'end',
    cell: (pour) => <Struck of={pour}>{pour.quantity}</Struck>,
  },
  { key: 'status', header: 'Status', align: 'center', cell: ({ status }) => <Status status={status} /> },
];

/** A wine's name continues below the columns at its right, which end above it. */
function Place({ pour }: { pour: OwnPour }) {
  return (
    <Struck of={pour}>
      {pourPlaceText(pour)}
      {pour.guest && <span className="block text-ink-muted text-sm">For a guest</span>}
      {pour.wine && <span className="-mr-24 block font-title sm:-mr-12">{wineTitle(pour.wine)}</span>}
      {pour.wine && pour.status === 'redeemed' && <RatingButton pour={pour} />}
    </Struck>
  );
}

function Struck({ of, children }: { of: OwnPour; children: ReactNode }) {
  return of.status === 'redeemed' ? children : <del className="text-ink-muted">{children}</del>;
}

const beginsDay = (pour: OwnPour, above: OwnPour | undefined) =>
  above !== undefined && dateOfInstant(pour.created_at) !== dateOfInstant(above.created_at);

function Status({ status }: { status: string }) {
  if (status !== 'redeemed') return status;
  return (
    <>
      <Check size={20} aria-hidden="true" className="inline text-positive" />
      <span className="sr-only">Redeemed</span>
    </>
  );
}

function RatingButton({ pour }: { pour: OwnPour }) {
  const [open, setOpen] = useState(false);
  const verdict = pour.rating && VERDICT_LABELS[pour.rating.verdict];
  return (
    <>
      <button
        type="button"
        className="target -my-2 inline-flex items-center text-accent-text text-sm hover:underline"
        onClick={() => setOpen(true)}
      >
        {verdict ? (
          <>
            {verdict}
            <span className="sr-only">. Change what you thought of it</span>
          </>
        ) : (
          'How was it?'
        )}
      </button>
      {pour.rating?.comment && <span className="block text-ink-muted text-sm">“{pour.rating.comment}”</span>}
      {open && <RatingDialog pour={pour} onClose={() => setOpen(false)} />}
    </>
  );
}

export default function HistoryPage() {
  const { data: pours, error, isFetching, refetch } = useQuery(orpc.pours.list.queryOptions());
  const rolledOver = useQuery(orpc.pours.listRolledOver.queryOptions());
  useLogged('Loading the pour history', error);
  const rolloverLine = rolledOverLine(rolledOver.data ?? []);

  const content = () => {
    if (pours && pours.length > 0) {
      return (
        <DataTable
          caption="Your pours, newest first"
          columns={columns}
          rows={pours}
          rowKey={({ id }) => id}
          beginsGroup={beginsDay}
        />
      );
    }
    if (pours?.length === 0) {
      return <EmptyState picture={<EmptyGlassPicture />} title="No pour history yet. Visit us soon!" />;
    }
    if (!error) return <SkeletonLines lines={6} className="p-5 sm:p-7" />;
    // No error message, but not the text for an empty list either: that would be wrong.
    return (
      <EmptyState
        title="Your pours have not loaded yet"
        action={
          <Button variant="secondary" busy={isFetching} onClick={() => void refetch()}>
            Try Again
          </Button>
        }
      />
    );
  };

  return (
    <PageShell title="Pour History" back={<WineTabs />}>
      <VisitsChart />
      {rolloverLine && <p className="text-ink-muted">{rolloverLine}</p>}
      <Card padding="plain">{content()}</Card>
    </PageShell>
  );
}

const YEAR = 12;

/** Bars stop growing at this many visits a month. */
const MAX_DRAWN = 8;

const visitCount = (count: number) => (count === 1 ? '1 visit' : `${count} visits`);

/** Visits in each of the last twelve months, or since the membership began. Renders nothing before the first visit. */
function VisitsChart() {
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
