import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { logFailure } from '../../api/log-failure.ts';
import { useOnline } from '../../ui/offline-notice.tsx';
import { useNow } from '../../ui/use-now.ts';
import { cardCodeQuery } from './card-code-query.ts';
import { isOverdue, lifeLeft, nextRequestIn } from './code-lifetime.ts';

export interface CardCode {
  /** fresh: all is well; aging: shown, but no new one comes; gone: none that would be accepted. */
  state: 'loading' | 'fresh' | 'aging' | 'gone';
  token: string | null;
  lifeLeftMs: number;
  online: boolean;
  asking: boolean;
  askAgain: () => void;
}

/** The member's code, replaced every eight minutes, and as soon as tab or network are back when it is older. */
export function useCardCode(): CardCode {
  const now = useNow();
  const online = useOnline();
  const { data, error, dataUpdatedAt, errorUpdatedAt, isFetching, fetchStatus, refetch } =
    useQuery(cardCodeQuery);

  useEffect(() => {
    if (!dataUpdatedAt && !errorUpdatedAt) return;
    const timer = setTimeout(
      () => void refetch({ cancelRefetch: false }),
      nextRequestIn(dataUpdatedAt, errorUpdatedAt, Date.now()),
    );
    return () => clearTimeout(timer);
  }, [dataUpdatedAt, errorUpdatedAt, refetch]);

  useEffect(() => {
    if (error) logFailure('The card code could not be fetched', error);
  }, [error]);

  const lifeLeftMs = data ? lifeLeft(dataUpdatedAt, now) : 0;
  const token = data && lifeLeftMs > 0 ? data.token : null;
  const asking = isFetching && online;
  const state = () => {
    if (token) return online && !isOverdue(dataUpdatedAt, now) ? 'fresh' : 'aging';
    const firstTime = !errorUpdatedAt && fetchStatus === 'fetching';
    return online && (firstTime || (asking && !error)) ? 'loading' : 'gone';
  };
  return { state: state(), token, lifeLeftMs, online, asking, askAgain: () => void refetch() };
}
