import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { CARD_REFRESH_SECONDS, CARD_TTL_SECONDS } from '../../../domain/card.ts';
import { orpc } from '../../api/client.ts';
import { useOnline } from '../../ui/offline-notice.tsx';
import { logQuietly } from '../quiet-failure.ts';
import { isOverdue, lifeLeft, nextRequestIn } from './card-life.ts';

export interface CardCode {
  /** fresh: all is well; aging: shown, but no new one comes; gone: none that would be accepted. */
  state: 'loading' | 'fresh' | 'aging' | 'gone';
  token: string | null;
  lifeLeftMs: number;
  online: boolean;
  asking: boolean;
  askAgain: () => void;
}

function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const tick = () => setNow(Date.now());
    const timer = setInterval(tick, 1_000);
    // Timers sleep with the tab: whoever looks again must not see a code that died meanwhile.
    document.addEventListener('visibilitychange', tick);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', tick);
    };
  }, []);
  return now;
}

/** The member's code, replaced every eight minutes, and as soon as tab or network are back when it is older. */
export function useCardCode(): CardCode {
  const now = useNow();
  const online = useOnline();
  const { data, error, dataUpdatedAt, errorUpdatedAt, isFetching, fetchStatus, refetch } = useQuery({
    ...orpc.functions.generateQrToken.queryOptions({ input: {} }),
    staleTime: CARD_REFRESH_SECONDS * 1000,
    gcTime: CARD_TTL_SECONDS * 1000,
    refetchOnWindowFocus: true,
    refetchOnReconnect: true,
    retry: false,
  });

  useEffect(() => {
    if (!dataUpdatedAt && !errorUpdatedAt) return;
    const timer = setTimeout(
      () => void refetch({ cancelRefetch: false }),
      nextRequestIn(dataUpdatedAt, errorUpdatedAt, Date.now()),
    );
    return () => clearTimeout(timer);
  }, [dataUpdatedAt, errorUpdatedAt, refetch]);

  useEffect(() => {
    if (error) logQuietly('The card code could not be fetched', error);
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
