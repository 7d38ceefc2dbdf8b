import { createECDH } from 'node:crypto';
import { keyFor } from '../config/purpose-key.ts';

/** Authenticates us to the browsers' push services (VAPID, RFC 8292). Base64url, as web-push expects. */
export interface PushKeys {
  publicKey: string;
  privateKey: string;
}

/** The order of P-256 (FIPS 186-5). */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/**
 * An installation's keys, derived from its secret: the same in every process, and never stored. A new secret makes new
 * keys, and devices subscribe again when their owners open the app.
 */
export function pushKeysFrom(secret: string): PushKeys {
  // 16 bytes more than needed, so that the remainder is practically uniform.
  const digits = keyFor(secret, 'push/v1', 48).toString('hex');
  const scalar = (BigInt(`0x${digits}`) % (ORDER - 1n)) + 1n;
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex'));
  return {
    publicKey: ecdh.getPublicKey('base64url'),
    privateKey: ecdh.getPrivateKey().toString('base64url'),
  };
}
