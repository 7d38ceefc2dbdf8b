import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto';

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Seals the secrets of endpoints. Of an installation, derived from its secret as the card key is. */
export const webhookKeyFrom = (secret: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', 'cellar-door/webhooks/v1', 32));

/** A new signing secret, as Standard Webhooks writes it. `random`: 32 bytes, base64url. */
export const signingSecret = (random: string): string =>
  `whsec_${Buffer.from(random, 'base64url').toString('base64')}`;

/** The secret under AES-256-GCM, bound to its endpoint. `random`: used once, base64url. */
export function sealSecret(
  key: Buffer,
  secret: string,
  { of, random }: { of: string; random: string },
): string {
  const iv = Buffer.from(random, 'base64url').subarray(0, IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(of));
  const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** The secret that was sealed for this endpoint; null under another key. */
export function openSecret(key: Buffer, sealed: string, of: string): string | null {
  const bytes = Buffer.from(sealed, 'base64url');
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES)).setAAD(
      Buffer.from(of),
    );
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    const opened = [decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()];
    return Buffer.concat(opened).toString('utf8');
  } catch {
    return null;
  }
}

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
