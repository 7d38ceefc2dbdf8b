import { createHmac } from 'node:crypto';

/** A new signing secret in the format of Standard Webhooks. `random`: 32 bytes, base64url. */
export const signingSecret = (random: string): string =>
  `whsec_${Buffer.from(random, 'base64url').toString('base64')}`;

/** The headers of Standard Webhooks: one signature per secret, the current one first. `at`: seconds since 1970. */
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
