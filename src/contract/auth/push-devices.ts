import { z } from 'zod';
import { isPushEndpoint } from '../../domain/push/push-endpoint.ts';
import { DELETE, GET, id, POST, timestamp } from '../base.ts';
import { refusals } from '../refusals.ts';
import { text } from '../text.ts';

const NOT_A_KEY = 'Must be a key from a browser';
const base64url = (length: number) =>
  text(length, NOT_A_KEY).regex(new RegExp(`^[A-Za-z0-9_-]{${length}}$`), NOT_A_KEY);

/** The JSON of a browser's PushSubscription. */
const subscription = z.strictObject({
  endpoint: text(1000).refine(isPushEndpoint, 'Must be the URL of a push service'),
  /** Keys of 65 and 16 bytes. */
  keys: z.strictObject({ p256dh: base64url(87), auth: base64url(22) }),
});
export type PushSubscriptionInput = z.infer<typeof subscription>;

const devices = z.object({
  /** The server's public key, base64url, with which a browser subscribes. */
  server_key: z.string(),
  devices: z.array(z.object({ id, endpoint: z.string(), created_at: timestamp })),
});
export type PushDevices = z.infer<typeof devices>;

export const pushDevices = {
  /** Newest first. */
  list: GET('/push-devices', { summary: "List the signed-in user's devices with notifications" }).output(
    devices,
  ),
  /** A repeated call for the same browser replaces its subscription. */
  create: POST('/push-devices', { summary: 'Turn on notifications on this device' })
    .input(subscription)
    .output(z.object({ id })),
  delete: DELETE('/push-devices/{id}', { summary: 'Turn off notifications on a device' })
    .errors(refusals('NOT_FOUND'))
    .input(z.strictObject({ id }))
    .output(z.object({ removed: z.literal(true) })),
};
