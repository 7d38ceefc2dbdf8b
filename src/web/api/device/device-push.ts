// The browser's side of notifications. Separate from push.ts, so that signing out does not load the API calls.

import { removeLocal } from '../local-storage.ts';

interface DevicePush {
  /** `install`: on an iPhone or iPad, only once the app is on the home screen. */
  support: 'yes' | 'no' | 'install';
  permission: NotificationPermission;
  endpoint: string | null;
}

const isApple = () => /iPhone|iPad/.test(navigator.userAgent);

export async function pushRegistration(): Promise<ServiceWorkerRegistration | undefined> {
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window))
    return undefined;
  return navigator.serviceWorker.getRegistration();
}

/** Never throws: the result is 'no' if the browser cannot be asked. */
export async function readDevicePush(): Promise<DevicePush> {
  const none = { permission: 'default', endpoint: null } as const;
  try {
    const worker = await pushRegistration();
    if (!worker) return { support: isApple() && !('PushManager' in window) ? 'install' : 'no', ...none };
    const subscription = await worker.pushManager.getSubscription();
    return {
      support: 'yes',
      permission: Notification.permission,
      endpoint: subscription?.endpoint ?? null,
    };
  } catch {
    return { support: 'no', ...none };
  }
}

/** Holds the id of the user who turned notifications on here. */
export const PUSH_USER_KEY = 'cellar-door:push-user';

/** Ends this browser's subscription. The server notices through the push service, if not earlier. */
export async function dropSubscription(): Promise<void> {
  removeLocal(PUSH_USER_KEY);
  try {
    await (await (await pushRegistration())?.pushManager.getSubscription())?.unsubscribe();
  } catch (error) {
    console.warn('The subscription to notifications stays:', error);
  }
}
