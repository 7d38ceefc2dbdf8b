import { useSyncExternalStore } from 'react';
import { leftOnDevice } from './queue.ts';
import { device } from './queue-store.ts';

/** Everything this device keeps, as it changes, here or in another tab. */
export function useDevice() {
  return useSyncExternalStore(device.subscribe, device.get);
}

/** What this device may still pour for a member. */
export function useLeftOnDevice(customerId: string, asSeen: number): number {
  return leftOnDevice(customerId, asSeen, useDevice());
}
