import { api } from '../client.ts';
import { readLocal, writeLocal } from '../local-storage.ts';
import { currentUser } from '../session.ts';
import { dropSubscription, PUSH_USER_KEY, pushRegistration, readDevicePush } from './device-push.ts';

const toBytes = (base64url: string) =>
  Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), (sign) => sign.charCodeAt(0));

function isSubscribedWith(subscription: PushSubscription, key: Uint8Array): boolean {
  const theirs = new Uint8Array(subscription.options.applicationServerKey ?? new ArrayBuffer(0));
  return theirs.length === key.length && theirs.every((byte, at) => byte === key[at]);
}

/** False if permission was refused. Rejects with the errors of api/client.ts, and the browser's own. */
export async function turnPushOn(serverKey: string): Promise<boolean> {
  if ((await Notification.requestPermission()) !== 'granted') return false;
  await subscribe(serverKey);
  return true;
}

async function subscribe(serverKey: string): Promise<void> {
  const worker = await pushRegistration();
  if (!worker) throw new Error('There is no service worker');
  const key = toBytes(serverKey);
  const before = await worker.pushManager.getSubscription();
  if (before && !isSubscribedWith(before, key)) await before.unsubscribe();
  const subscription = await worker.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: key,
  });
  const { endpoint, keys } = subscription.toJSON();
  await api.pushDevices.create({
    endpoint: endpoint ?? '',
    keys: { p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' },
  });
  writeLocal(PUSH_USER_KEY, (await currentUser())?.id ?? null);
}

export async function turnPushOff(id: string): Promise<void> {
  await api.pushDevices.delete({ id });
  await dropSubscription();
}

/**
 * Registers this user's subscription for the new session, with the server's current key. Ends another user's, and one whose
 * permission was withdrawn. Never throws.
 */
export async function renewPush(): Promise<void> {
  const { endpoint, permission } = await readDevicePush();
  if (!endpoint) return;
  try {
    const user = await currentUser();
    const isTheirs = user !== null && readLocal(PUSH_USER_KEY) === user.id;
    if (isTheirs && permission === 'granted') await subscribe((await api.pushDevices.list()).server_key);
    else await dropSubscription();
  } catch (error) {
    console.warn('Notifications could not be renewed:', error);
  }
}
