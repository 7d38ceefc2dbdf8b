import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { orpc } from '../../api/client.ts';
import { useLogged } from '../../ui/use-logged.ts';
import { queueStore } from '../offline-queue/queue-store.ts';

/** A member's data for the bar. Each response also updates the balance stored on this device. */
export function useBarCard(customerId: string) {
  const query = useQuery({
    ...orpc.members.getBarCard.queryOptions({ input: { id: customerId } }),
    enabled: customerId !== '',
  });
  const { data, dataUpdatedAt, error } = query;
  useEffect(() => {
    if (!data) return;
    queueStore.noteBalance(data.id, data.pours_balance, dataUpdatedAt);
    queueStore.noteService(data.id, data.service);
  }, [data, dataUpdatedAt]);
  useLogged('Loading the card at the bar', error);
  // Offline, the request is never made.
  return { bar: data, isLoading: query.isPending && query.fetchStatus !== 'paused' };
}
