import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** Makes the tokens with which devices ask for their pass, and nothing else. */
export type WalletKey = Uint8Array;

export function walletKeyFrom(secret: string): WalletKey {
  return new Uint8Array(hkdfSync('sha256', secret, '', 'cellar-door/wallet-pass/v1', 32));
}

/** The token that a pass carries, so that the devices that have it can ask for it again. Not stored. */
export function passToken(key: WalletKey, passId: string): string {
  return createHmac('sha256', key).update(passId).digest('base64url');
}

export function isPassToken(key: WalletKey, passId: string, token: string): boolean {
  const [expected, given] = [passToken(key, passId), token].map((it) => Buffer.from(it));
  return expected !== undefined && given?.length === expected.length && timingSafeEqual(given, expected);
}
