import { createECDH } from 'node:crypto';
import { keyFor } from '../config/purpose-key.ts';

/** Proves to the browsers' push services that a message is ours (VAPID, RFC 8292). Base64url, as web-push takes them. */
export interface PushKeys {
  publicKey: string;
  privateKey: string;
}

/** The order of P-256 (FIPS 186-5). */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/**
 * The keys of an installation, derived from its secret: every process has the same, and none is
 * stored. Another secret makes other keys, and devices subscribe again when their owners open the app.
 */
export function pushKeysFrom(secret: string): PushKeys {
  // 16 bytes more than needed, so that the remainder is as good as uniform.
  const drawn = keyFor(secret, 'push/v1', 48).toString('hex');
  const scalar = (BigInt(`0x${drawn}`) % (ORDER - 1n)) + 1n;
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex'));
  return {
    publicKey: ecdh.getPublicKey('base64url'),
    privateKey: ecdh.getPrivateKey().toString('base64url'),
  };
}
