import { useSyncExternalStore } from 'react';
import { leftOnDevice } from './queue.ts';
import { queueStore } from './queue-store.ts';

/** Everything this device keeps, as it changes, here or in another tab. */
export function useQueue() {
  return useSyncExternalStore(queueStore.subscribe, queueStore.get);
}

/** What this device may still pour for a member. */
export function useLeftOnDevice(customerId: string, asSeen: number): number {
  return leftOnDevice(customerId, asSeen, useQueue());
}
