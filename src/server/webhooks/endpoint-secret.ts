import { createHmac, hkdfSync } from 'node:crypto';

/** Seals the secrets of endpoints. Of an installation, derived from its secret as the card key is. */
export const webhookKeyFrom = (secret: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', 'cellar-door/webhooks/v1', 32));

/** A new signing secret, as Standard Webhooks writes it. `random`: 32 bytes, base64url. */
export const signingSecret = (random: string): string =>
  `whsec_${Buffer.from(random, 'base64url').toString('base64')}`;

/** The headers of Standard Webhooks: one signature for each secret, the current one first. `at`: seconds since 1970. */
export function signedHeaders(
  secrets: string[],
  { id, at, body }: { id: string; at: number; body: string },
): Record<string, string> {
  const signature = (secret: string) =>
    createHmac('sha256', Buffer.from(secret.replace(/^whsec_/, ''), 'base64'))
      .update(`${id}.${at}.${body}`)
      .digest('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': String(at),
    'webhook-signature': secrets.map((secret) => `v1,${signature(secret)}`).join(' '),
  };
}
