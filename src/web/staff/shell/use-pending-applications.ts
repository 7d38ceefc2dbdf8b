import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { orpc } from '../../api/client.ts';
import { logFailure } from '../../api/log-failure.ts';

const REFRESH_MS = 60_000;

/** How many applications wait for a review; undefined until known. */
export function usePendingApplications(): number | undefined {
  const { data, error } = useQuery({
    ...orpc.applications.count.queryOptions({ input: {} }),
    refetchInterval: REFRESH_MS,
  });
  useEffect(() => {
    if (error) logFailure('Counting the applications', error);
  }, [error]);
  return data?.pending;
}
