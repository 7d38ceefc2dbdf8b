import { useQuery } from '@tanstack/react-query';
import { orpc } from '../../api/client.ts';
import { useLogged } from '../../ui/use-logged.ts';

const REFRESH_MS = 60_000;

export function usePendingApplications(): number | undefined {
  const { data, error } = useQuery({
    ...orpc.applications.count.queryOptions({ input: {} }),
    refetchInterval: REFRESH_MS,
  });
  useLogged('Counting the applications', error);
  return data?.pending;
}
