// What the browser itself knows of notifications. Apart from push.ts, so that signing out brings no calls of the API with it.

import { removeLocal } from '../local-storage.ts';

/**
 * What this browser makes of notifications. `install`: on an iPhone or iPad, only once the app is on the home screen.
 */
type PushSupport = 'yes' | 'no' | 'install';

/** This browser's subscription, as its push service made it. */
interface DevicePush {
  support: PushSupport;
  /** What the owner of the device said when asked; 'default' before. */
  permission: NotificationPermission;
  endpoint: string | null;
}

const isApple = () => /iPhone|iPad/.test(navigator.userAgent);

export async function pushRegistration(): Promise<ServiceWorkerRegistration | undefined> {
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window))
    return undefined;
  return navigator.serviceWorker.getRegistration();
}

/** Never throws: what cannot be asked is 'no'. */
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

/** Ends this browser's subscription. The server hears of it from the push service, if from nobody else. */
export async function dropSubscription(): Promise<void> {
  removeLocal(PUSH_USER_KEY);
  try {
    await (await (await pushRegistration())?.pushManager.getSubscription())?.unsubscribe();
  } catch (error) {
    console.warn('The subscription to notifications stays:', error);
  }
}
