import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { logFailure } from '../../api/log-failure.ts';
import { useOnline } from '../../ui/offline-notice.tsx';
import { useNow } from '../../ui/use-now.ts';
import { cardCodeQuery } from './card-code-query.ts';
import { isOverdue, nextRequestInMs, validForMs } from './code-lifetime.ts';

export interface CardCode {
  /** fresh: up to date. overdue: still valid, but its replacement has not arrived. expired: no valid code. */
  state: 'loading' | 'fresh' | 'overdue' | 'expired';
  token: string | null;
  validForMs: number;
  online: boolean;
  isFetching: boolean;
  retry: () => void;
}

/** The member's code. Replaced every eight minutes, or as soon as the tab or network returns if that is later. */
export function useCardCode(): CardCode {
  const now = useNow();
  const online = useOnline();
  const { data, error, dataUpdatedAt, errorUpdatedAt, isFetching, fetchStatus, refetch } =
    useQuery(cardCodeQuery);

  useEffect(() => {
    if (!dataUpdatedAt && !errorUpdatedAt) return;
    const timer = setTimeout(
      () => void refetch({ cancelRefetch: false }),
      nextRequestInMs(dataUpdatedAt, errorUpdatedAt, Date.now()),
    );
    return () => clearTimeout(timer);
  }, [dataUpdatedAt, errorUpdatedAt, refetch]);

  useEffect(() => {
    if (error) logFailure('Loading the card code', error);
  }, [error]);

  const validFor = data ? validForMs(dataUpdatedAt, now) : 0;
  const token = data && validFor > 0 ? data.token : null;
  const fetchingOnline = isFetching && online;
  const state = () => {
    if (token) return online && !isOverdue(dataUpdatedAt, now) ? 'fresh' : 'overdue';
    const firstTime = !errorUpdatedAt && fetchStatus === 'fetching';
    return online && (firstTime || (fetchingOnline && !error)) ? 'loading' : 'expired';
  };
  return {
    state: state(),
    token,
    validForMs: validFor,
    online,
    isFetching: fetchingOnline,
    retry: () => void refetch(),
  };
}
