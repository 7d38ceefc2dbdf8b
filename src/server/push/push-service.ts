import { type Agent, request } from 'node:https';
import webPush, { type PushSubscription, type RequestDetails } from 'web-push';
import type { PushKeys } from './push-keys.ts';

const TIMEOUT_MS = 10_000;

/** taken: accepted. gone: the device is unknown there. impossible: this message will never be accepted. failed: retry. */
export type PushOutcome = 'taken' | 'gone' | 'impossible' | 'failed';

export interface PushServiceDeps {
  keys: PushKeys;
  /** mailto: or https:, for push services to contact the venue. */
  contact(): string;
  /** Makes the connections: publicNetwork, or a test's own. */
  agent: Agent;
}

/** A payload for a device, its time to live, and the topic of unshown messages that it replaces. */
export interface PushRequest {
  device: PushSubscription;
  payload: string;
  /** Seconds. */
  ttl: number;
  topic: string;
}

/** Encrypts the payload for the device (RFC 8291) and hands it to the device's push service. Never throws. */
export async function sendPush(
  { keys, contact, agent }: PushServiceDeps,
  { device, payload, ttl, topic }: PushRequest,
): Promise<PushOutcome> {
  let details: RequestDetails;
  try {
    details = webPush.generateRequestDetails(device, payload, {
      vapidDetails: { subject: contact(), ...keys },
      TTL: ttl,
      topic,
      urgency: 'normal',
      contentEncoding: 'aes128gcm',
    });
  } catch {
    // Keys that are not on the curve: the browser that sent them cannot decrypt anything.
    return 'gone';
  }
  const status = await post(details, agent).catch(() => 0);
  if (status >= 200 && status < 300) return 'taken';
  if (status === 404 || status === 410) return 'gone';
  return status === 400 || status === 413 ? 'impossible' : 'failed';
}

/** The response's status; body and redirects are ignored. Rejects if there is no answer in time. */
function post({ endpoint, method, headers, body }: RequestDetails, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const outgoing = request(endpoint, { method, headers, agent, signal }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    outgoing.once('error', reject);
    outgoing.end(body);
  });
}
