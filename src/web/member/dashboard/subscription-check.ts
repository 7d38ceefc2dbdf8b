import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { orpc } from '../../api/client.ts';
import { logFailure } from '../../api/log-failure.ts';

/**
 * Has the server compare the membership with Stripe, once per visit, and reloads the member if the screen is out of date
 * (`docs/rules/pages.md`, "Member pages").
 */
export function SubscriptionCheck({ shownStatus }: { shownStatus: string | undefined }): null {
  const client = useQueryClient();
  const { data, dataUpdatedAt, error } = useQuery({
    ...orpc.functions.verifySubscriptionStatus.queryOptions({ input: {} }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    refetchOnReconnect: false,
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer is handled once, whatever is shown by then
  useEffect(() => {
    if (!data) return;
    // If a webhook was faster, the server reports no update although the screen is out of date.
    const outdated = data.localStatus !== (shownStatus ?? 'none');
    if (!outdated && !(data.status === 'updated' && data.localStatus !== 'active')) return;
    void client.invalidateQueries({ queryKey: orpc.members.getOwn.key() });
  }, [client, data, dataUpdatedAt]);

  useEffect(() => {
    if (error) logFailure('Verifying the subscription', error);
  }, [error]);
  return null;
}
