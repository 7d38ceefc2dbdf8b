import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { isUuid } from '../../../domain/uuid.ts';
import { api, orpc, refusalOf } from '../../api/client.ts';
import { inTime } from '../../api/in-time.ts';
import { queueStore } from '../offline-queue/queue-store.ts';

/** A member by user id or customer id. Stores their balance on this device, for a bar without a network. */
export function useCustomer(id: string) {
  const isValidId = isUuid(id);
  const query = useQuery({
    ...orpc.members.get.queryOptions({ input: { id } }),
    queryFn: ({ signal }) => api.members.get({ id }, inTime(signal)),
    enabled: isValidId,
  });
  const { data, dataUpdatedAt } = query;
  useEffect(() => {
    if (!data || data.former) return;
    const { customer, profile, available_pours } = data;
    const seen = { first_name: profile.first_name, last_name: profile.last_name, tier: customer.tier };
    queueStore.noteBalance(customer.id, available_pours, dataUpdatedAt, seen);
  }, [data, dataUpdatedAt]);
  return { ...query, isUnknown: !isValidId || refusalOf(query.error, 'NOT_FOUND') !== null };
}
