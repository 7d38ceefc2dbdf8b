import { useSyncExternalStore } from 'react';
import { localBalance } from './queue.ts';
import { queueStore } from './queue-store.ts';

export function useQueue() {
  return useSyncExternalStore(queueStore.subscribe, queueStore.get);
}

export function useLocalBalance(customerId: string, shownBalance: number): number {
  return localBalance(customerId, shownBalance, useQueue());
}
