import { type ClientHttp2Session, connect, constants } from 'node:http2';
import type { AppleWalletConfig } from '../config/wallet-config.ts';
import { type CallWatch, watchCall } from '../platform/watch-call.ts';

/** ok: accepted by the push service. gone: the device no longer has the pass. failed: to be retried. */
type PushOutcome = 'ok' | 'gone' | 'failed';

/** Notifies devices that a pass changed, so that they fetch it. Never throws. */
export type PushToApple = (pushTokens: string[]) => Promise<PushOutcome[]>;

const TIMEOUT_MS = 10_000;

/** One connection for all devices of a pass, authenticated by the pass type's certificate, as Apple requires. */
export function applePusher(config: AppleWalletConfig, watch: CallWatch = {}): PushToApple {
  const { pushUrl, certificate: cert, key, passTypeId } = config;
  return async (pushTokens) => {
    if (pushTokens.length === 0) return [];
    const session = connect(pushUrl, { cert, key });
    // The requests below fail with the session's error.
    session.on('error', () => undefined);
    const deadline = setTimeout(() => session.destroy(), TIMEOUT_MS);
    try {
      return await Promise.all(
        pushTokens.map(async (token) => {
          const path = `/3/device/${token}`;
          const call = { service: 'apple', method: 'POST', path: '/3/device/{token}' } as const;
          try {
            return outcomeOf(await watchCall(watch, call, () => send(session, path, passTypeId)));
          } catch {
            return 'failed';
          }
        }),
      );
    } finally {
      clearTimeout(deadline);
      session.destroy();
    }
  };
}

interface PushAnswer {
  status: number;
  body: string;
}

/** Pushes an empty message, on which the device fetches the changes. */
function send(session: ClientHttp2Session, path: string, topic: string): Promise<PushAnswer> {
  return new Promise((resolve, reject) => {
    const request = session.request({
      [constants.HTTP2_HEADER_METHOD]: 'POST',
      [constants.HTTP2_HEADER_PATH]: path,
      'apns-topic': topic,
      'content-type': 'application/json',
    });
    let status = 0;
    let body = '';
    request.setEncoding('utf8');
    request.on('response', (headers) => {
      status = Number(headers[constants.HTTP2_HEADER_STATUS]);
    });
    request.on('data', (part: string) => {
      if (body.length < 1000) body += part;
    });
    request.on('error', reject);
    request.on('close', () => (status ? resolve({ status, body }) : reject(new Error('No answer'))));
    request.end('{}');
  });
}

function outcomeOf({ status, body }: PushAnswer): PushOutcome {
  if (status === 200) return 'ok';
  const isGone = status === 410 || (status === 400 && /BadDeviceToken|DeviceTokenNotForTopic/.test(body));
  return isGone ? 'gone' : 'failed';
}
