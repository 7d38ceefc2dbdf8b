import { useQuery } from '@tanstack/react-query';
import type { SystemStatus } from '../../../contract/system.ts';
import { type CheckRow, type Health, isInTrouble, worstFirst } from '../../../domain/monitoring/check.ts';
import { isApiError } from '../../api/api-error.ts';
import { orpc } from '../../api/client.ts';
import { serverTime } from '../../api/server-clock.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { classNames } from '../../ui/class-names.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { SkeletonLines } from '../../ui/skeleton.tsx';
import { useBackToMore } from '../shell/back-links.tsx';
import { timeOfDay } from '../venue-dates.ts';
import { compareDevice } from './device-clock.ts';

const REFRESH_MS = 30_000;
const UNAVAILABLE = 503;

/** What works and what does not, for the person responsible for the venue (docs/rules/pages.md, "The system page"). */
export default function SystemPage() {
  const { data, error, isFetching, refetch } = useQuery({
    ...orpc.system.get.queryOptions(),
    refetchInterval: REFRESH_MS,
  });
  return (
    <PageShell
      title="System"
      width="wide"
      lead="What works, what does not, and what to do about it."
      back={useBackToMore()}
      actions={
        <Button variant="quiet" size="sm" busy={isFetching} onClick={() => void refetch()}>
          Check Again
        </Button>
      }
    >
      {/* Outdated results would look healthy, so an error replaces them. */}
      {error ? (
        <Card>
          <ErrorState {...wordsFor(error)} of={error} onRetry={() => void refetch()} retrying={isFetching} />
        </Card>
      ) : data ? (
        <Checks status={data} />
      ) : (
        <Card>
          <SkeletonLines lines={8} />
        </Card>
      )}
    </PageShell>
  );
}

function Checks({ status }: { status: SystemStatus }) {
  const checks = worstFirst(compareDevice(status.checks, serverTime() - Date.now()));
  return (
    <>
      <Summary checks={checks} />
      <Card padding="plain">
        <ul className="@container divide-y divide-line">
          {checks.map((check) => (
            <CheckItem key={check.name} check={check} />
          ))}
        </ul>
      </Card>
      <p className="text-ink-muted text-sm">
        As of {timeOfDay(new Date(status.at))}. This page refreshes every 30 seconds.
      </p>
    </>
  );
}

function Summary({ checks }: { checks: CheckRow[] }) {
  const names = checks.filter(isInTrouble);
  if (names.length === 0) return <Notice tone="positive" role="status" title="Everything is working" />;
  const failing = names.some(({ health }) => health === 'failing');
  return (
    <Notice
      tone={failing ? 'danger' : 'warning'}
      role="status"
      title={
        names.length === 1 ? '1 thing needs your attention' : `${names.length} things need your attention`
      }
    >
      {names.map(({ name }) => name).join(', ')}
    </Notice>
  );
}

function wordsFor(error: unknown): { title: string; text: string } {
  if (isApiError(error) && error.status === UNAVAILABLE) {
    return {
      title: 'The database is not responding',
      text: 'Nothing can be recorded until it does. Check that its server runs and can be reached, then try again.',
    };
  }
  if (isApiError(error)) {
    return { title: 'We couldn’t load the state of the system', text: 'The server’s log says why.' };
  }
  return {
    title: 'The server is not responding',
    text: 'Check your own connection first. If other pages do not open either, the server is down: start it again.',
  };
}

const LOOKS = {
  well: { shape: 'done', color: 'text-positive', tone: 'positive', label: 'OK' },
  attention: { shape: 'caution', color: 'text-warning', tone: 'warning', label: 'Needs attention' },
  failing: { shape: 'alert', color: 'text-danger', tone: 'danger', label: 'Not working' },
  unknown: { shape: 'info', color: 'text-ink-muted', tone: 'neutral', label: 'Unknown' },
} as const satisfies Record<Health, { shape: string; color: string; tone: Tone; label: string }>;

function CheckItem({ check: { name, health, text, next, facts } }: { check: CheckRow }) {
  const { shape, color, tone, label } = LOOKS[health ?? 'unknown'];
  return (
    <li className="grid grid-cols-[auto_1fr] gap-x-3 px-5 py-4 sm:gap-x-4 sm:px-7">
      <Icon shape={shape} size={22} className={classNames('mt-0.5', color)} />
      <div className="min-w-0 @4xl:grid @4xl:grid-rows-[auto_1fr] @4xl:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_8.5rem] @4xl:gap-x-6">
        <div className="flex @4xl:contents flex-wrap items-center justify-between gap-x-4 gap-y-1">
          <h2 className="font-semibold font-text text-base">{name}</h2>
          {health && (
            <span className="@4xl:col-start-3 @4xl:row-start-1 @4xl:justify-self-end">
              <Badge tone={tone}>{label}</Badge>
            </span>
          )}
        </div>
        <div className="mt-0.5 @4xl:col-start-1">
          <p className="wrap-anywhere">{text}</p>
          {facts.length > 0 && (
            <p className="mt-0.5 flex flex-wrap gap-x-5 text-ink-muted text-sm">
              {facts.map((fact) => (
                <span key={fact}>{fact}</span>
              ))}
            </p>
          )}
        </div>
        {next && (
          <p className="mt-2.5 self-start rounded-md bg-surface-sunken px-3.5 py-2.5 text-sm @4xl:col-start-2 @4xl:row-span-2 @4xl:row-start-1 @4xl:mt-0">
            {next}
          </p>
        )}
      </div>
    </li>
  );
}
