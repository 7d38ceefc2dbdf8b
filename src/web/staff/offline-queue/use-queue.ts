import { useSyncExternalStore } from 'react';
import { localBalance } from './queue.ts';
import { queueStore } from './queue-store.ts';

/** What this device has stored, up to date with changes in this and other tabs. */
export function useQueue() {
  return useSyncExternalStore(queueStore.subscribe, queueStore.get);
}

/** What a member has left on this device; see `localBalance`. */
export function useLocalBalance(customerId: string, shownBalance: number): number {
  return localBalance(customerId, shownBalance, useQueue());
}
