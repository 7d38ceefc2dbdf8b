import { createCipheriv, createDecipheriv } from 'node:crypto';

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** A secret for the database, under AES-256-GCM, bound to what it is `of`. `random`: used once, base64url. */
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

/** The secret that was sealed as one of this; null under another key. */
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
