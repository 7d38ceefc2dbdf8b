import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { orpc } from '../api/client.ts';
import { queueStore } from './offline-queue/queue-store.ts';

export function refreshMembers(queries: QueryClient): void {
  void queries.invalidateQueries({ queryKey: orpc.members.key() });
  void queries.invalidateQueries({ queryKey: orpc.directory.key() });
  void queries.invalidateQueries({ queryKey: orpc.memberRecord.key() });
  void queries.invalidateQueries({ queryKey: orpc.memberDues.key() });
  void queries.invalidateQueries({ queryKey: orpc.pours.key() });
}

/** Takes a balance that the server has just reported: saves it on this device and reloads the member's data. */
export function useBalanceUpdate(): (customerId: string, balance: number) => void {
  const queries = useQueryClient();
  return useCallback(
    (customerId, balance) => {
      queueStore.noteBalance(customerId, balance);
      refreshMembers(queries);
    },
    [queries],
  );
}
