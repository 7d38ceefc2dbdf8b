import { createHmac, timingSafeEqual } from 'node:crypto';

/** The token in a pass, which authorizes its devices to fetch it again. Not stored. */
export function passToken(key: Uint8Array, passId: string): string {
  return createHmac('sha256', key).update(passId).digest('base64url');
}

export function isPassToken(key: Uint8Array, passId: string, token: string): boolean {
  const [expected, given] = [passToken(key, passId), token].map((it) => Buffer.from(it));
  return expected !== undefined && given?.length === expected.length && timingSafeEqual(given, expected);
}
