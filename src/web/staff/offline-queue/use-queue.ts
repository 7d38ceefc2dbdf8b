import { useSyncExternalStore } from 'react';
import { localBalance } from './queue.ts';
import { queueStore } from './queue-store.ts';

/** This device's stored data, up to date with changes in this and other tabs. */
export function useQueue() {
  return useSyncExternalStore(queueStore.subscribe, queueStore.get);
}

/** See `localBalance`. */
export function useLocalBalance(customerId: string, shownBalance: number): number {
  return localBalance(customerId, shownBalance, useQueue());
}
