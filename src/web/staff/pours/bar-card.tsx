import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useEffect } from 'react';
import type { VerifiedCustomer } from '../../../contract/functions.ts';
import type { BarCard } from '../../../contract/members.ts';
import { orpc } from '../../api/client.ts';
import { logFailure } from '../../api/log-failure.ts';
import { Glasses } from '../../brand/glasses.tsx';
import { TierBadge } from '../../brand/tier-badge.tsx';
import { lastPourLabel, standingMark, visitDay } from '../../format/standing-labels.ts';
import { classNames } from '../../ui/class-names.ts';
import { Icon } from '../../ui/icon.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { queueStore } from '../offline-queue/queue-store.ts';

/** What the server knows of the member at the bar; every answer is also this device's last word on the balance. */
export function useBarCard(customerId: string) {
  const query = useQuery({
    ...orpc.members.getBarCard.queryOptions({ input: { id: customerId } }),
    enabled: customerId !== '',
  });
  const { data, dataUpdatedAt, error } = query;
  useEffect(() => {
    if (data) queueStore.noteTold(data.id, data.pours_balance, dataUpdatedAt);
  }, [data, dataUpdatedAt]);
  useEffect(() => {
    if (error) logFailure('The card at the bar', error);
  }, [error]);
  // Offline the question is not even asked.
  return { bar: data, waiting: query.isPending && query.fetchStatus !== 'paused' };
}

interface BarCardViewProps {
  customer: VerifiedCustomer;
  balance: number;
  bar: BarCard | undefined;
  waiting: boolean;
  /** A fresh last pour is this visit's own. */
  poured: boolean;
}

const marks = {
  positive: { shape: 'done', colour: 'text-positive' },
  warning: { shape: 'caution', colour: 'text-warning' },
  danger: { shape: 'alert', colour: 'text-danger' },
} as const;

/** Every line has its place from the start: what arrives later moves nothing under the thumb. */
export function BarCardView({ customer, balance, bar, waiting, poured }: BarCardViewProps) {
  const now = new Date();
  const mark = bar && standingMark(bar);
  const last = bar && lastPourLabel(bar.last_pour, now);
  const hurry = last?.fresh && !poured;
  return (
    <div>
      <div className="flex items-start justify-between gap-4">
        <div className="min-w-0">
          <h2 className="text-2xl">
            {customer.first_name} {customer.last_name}
          </h2>
          <TierBadge tier={customer.tier} className="mt-2" />
        </div>
        <p className="shrink-0 text-right">
          <span className="block font-title text-5xl tabular-nums">{balance}</span>
          <span className="text-ink-muted text-sm">Available Pours</span>
        </p>
      </div>
      <div className="mt-4 h-9">
        {bar && (
          <Glasses
            available={balance}
            max={bar.tier_max}
            className="h-full flex-nowrap! gap-x-1.5! [&>svg]:min-w-0 [&>svg]:shrink"
          />
        )}
      </div>
      <dl className="mt-4 grid grid-cols-[auto_1fr] gap-x-4 border-line border-y py-2 text-sm">
        <Fact term="Standing" waiting={waiting}>
          {mark && (
            <span className={classNames('flex items-center gap-1.5 font-semibold', marks[mark.tone].colour)}>
              <Icon shape={marks[mark.tone].shape} size={17} className="shrink-0" />
              <span className="truncate">{mark.words}</span>
            </span>
          )}
        </Fact>
        <Fact term="Last visit" waiting={waiting}>
          {bar && visitDay(bar.last_visit, now)}
        </Fact>
        <Fact term="Last pour" waiting={waiting}>
          {last && (
            <span className={classNames('block truncate', hurry && 'font-semibold text-warning')}>
              {last.words}
            </span>
          )}
        </Fact>
      </dl>
    </div>
  );
}

function Fact({ term, waiting, children }: { term: string; waiting: boolean; children: ReactNode }) {
  return (
    <>
      <dt className="py-0.5 text-ink-muted">{term}</dt>
      <dd className="flex h-7 min-w-0 items-center justify-end text-right">
        {children ??
          (waiting ? <Skeleton className="h-4 w-28" /> : <span className="text-ink-muted">Not known</span>)}
      </dd>
    </>
  );
}
