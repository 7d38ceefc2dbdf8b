import { hkdfSync } from 'node:crypto';

/** A new version of a purpose makes new keys: what the old ones signed or sealed is no longer accepted. */
export type KeyPurpose =
  | 'gift/v1'
  | 'gift-key-id/v1'
  | 'membership-card/v1'
  | 'paper-card/v1'
  | 'paper-card-key-id/v1'
  | 'push/v1'
  | 'refresh-token/v1'
  | 'stripe-webhook/v1'
  | 'wallet-pass/v1'
  | 'webhooks/v1';

/** The key of an installation for one purpose, derived from AUTH_SECRET (HKDF with SHA-256) and never stored. */
export const keyFor = (secret: string, purpose: KeyPurpose, bytes = 32): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', `cellar-door/${purpose}`, bytes));

/** A key, and an id that rows store to tell which key they were made with. The id reveals nothing about the key. */
export interface IdentifiedKey {
  key: Uint8Array;
  id: string;
}

export const identifiedKeyFor = (secret: string, purpose: 'gift' | 'paper-card'): IdentifiedKey => ({
  key: keyFor(secret, `${purpose}/v1`),
  id: keyFor(secret, `${purpose}-key-id/v1`, 8).toString('hex'),
});
