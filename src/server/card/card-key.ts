import { hkdfSync } from 'node:crypto';

/** Signs membership card codes and nothing else. */
export type CardKey = Uint8Array;

/** The card key of an installation, derived from its secret. */
export function cardKeyFrom(secret: string): CardKey {
  return new Uint8Array(hkdfSync('sha256', secret, '', 'cellar-door/membership-card/v1', 32));
}
