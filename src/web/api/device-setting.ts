import { useSyncExternalStore } from 'react';
import { readLocal, writeLocal } from './local-storage.ts';
import { createStore } from './store.ts';

export interface DeviceSetting<Value> {
  read: () => Value;
  write: (value: Value) => void;
  /** Calls back on changes in this tab or another. Returns a function that unsubscribes. */
  subscribe: (listener: () => void) => () => void;
}

/** A setting of the device, not the user. `parse` reads the stored data. Without storage it lasts until the page is left. */
export function deviceSetting<Value extends string | boolean>(
  key: string,
  parse: (value: unknown) => Value,
): DeviceSetting<Value> {
  const unsaved = createStore<Value | null>(null);
  return {
    read: () => unsaved.get() ?? parse(readLocal(key)),
    write: (value) => unsaved.set(writeLocal(key, value) ? null : value),
    subscribe(listener) {
      const unsubscribe = unsaved.subscribe(listener);
      window.addEventListener('storage', listener);
      return () => {
        unsubscribe();
        window.removeEventListener('storage', listener);
      };
    },
  };
}

export function useDeviceSetting<Value>({ subscribe, read }: DeviceSetting<Value>): Value {
  return useSyncExternalStore(subscribe, read);
}

/** Staff who sign in or open the app on this device start in the scanner instead of on their dashboard. */
export const startInScanner = deviceSetting('cellar-door:start-in-scanner', (value) => value === true);

/** Set on the device where the club was set up: its dashboard lists the remaining tasks. */
export const settingUp = deviceSetting('cellar-door:setting-up', (value) => value === true);
