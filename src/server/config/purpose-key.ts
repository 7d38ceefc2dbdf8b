import { hkdfSync } from 'node:crypto';

/** Raising a purpose's version changes its keys: earlier signatures and sealed values become invalid. */
export type KeyPurpose =
  | 'gift/v1'
  | 'gift-key-id/v1'
  | 'membership-card/v1'
  | 'paper-card/v1'
  | 'paper-card-key-id/v1'
  | 'push/v1'
  | 'refresh-token/v1'
  | 'secret-fingerprint/v1'
  | 'stripe-webhook/v1'
  | 'unsubscribe/v1'
  | 'wallet-pass/v1'
  | 'webhooks/v1';

/** An installation's key for one purpose, derived from AUTH_SECRET (HKDF with SHA-256) and never stored. */
export const keyFor = (secret: string, purpose: KeyPurpose, bytes = 32): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', `cellar-door/${purpose}`, bytes));

/** A key, with an id that rows store to identify it. The id reveals nothing about the key. */
export interface IdentifiedKey {
  key: Uint8Array;
  id: string;
}

export const identifiedKeyFor = (secret: string, purpose: 'gift' | 'paper-card'): IdentifiedKey => ({
  key: keyFor(secret, `${purpose}/v1`),
  id: keyFor(secret, `${purpose}-key-id/v1`, 8).toString('hex'),
});
