import { randomBytes } from 'node:crypto';

const ALPHABET = 'abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ0123456789';

/** A new id such as `cus_h2K...`, with `length` characters after the prefix. */
export function newId(prefix: string, length = 24): string {
  let tail = '';
  for (const byte of randomBytes(length)) tail += ALPHABET[byte % ALPHABET.length];
  return `${prefix}_${tail}`;
}
