import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { orpc } from '../../api/client.ts';
import { logFailure } from '../../api/log-failure.ts';

/**
 * Asks the server once per visit to compare the membership with the payment service, and loads the member
 * anew when that changed something that is not on the screen yet (spec section 4, customer dashboard).
 */
export function useSubscriptionCheck(shownStatus: string | undefined): void {
  const client = useQueryClient();
  const { data, dataUpdatedAt, error } = useQuery({
    ...orpc.functions.verifySubscriptionStatus.queryOptions({ input: {} }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    refetchOnReconnect: false,
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: one answer is acted upon once, whatever is shown by then
  useEffect(() => {
    if (!data) return;
    // A webhook may have been faster: then nothing was updated now, and the screen is old all the same.
    const old = data.localStatus !== (shownStatus ?? 'none');
    if (!old && !(data.status === 'updated' && data.localStatus !== 'active')) return;
    void client.invalidateQueries({ queryKey: orpc.members.getOwn.key() });
  }, [client, data, dataUpdatedAt]);

  useEffect(() => {
    if (error) logFailure('The subscription could not be verified', error);
  }, [error]);
}
