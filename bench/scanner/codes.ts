import { cardToken } from './corpus.ts';
import { sceneRandom } from './scene.ts';

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const BASE45 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:';
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Two bytes in three characters of QR's alphanumeric mode (RFC 9285). */
function base45(bytes: Uint8Array): string {
  let text = '';
  for (let index = 0; index < bytes.length; index += 2) {
    const value = bytes[index]! * 256 + bytes[index + 1]!;
    for (const place of [1, 45, 2025]) text += BASE45[Math.floor(value / place) % 45];
  }
  return text;
}

/** Five bits in each character. */
function base32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  return bits.replace(/.{5}/g, (five) => BASE32[Number.parseInt(five, 2)] ?? '');
}

const bytesOf = (seed: number) => new Uint8Array(Buffer.from(cardToken(seed), 'base64url'));

/** Encodings of a card; the same seed gives the same 30 bytes. */
export const writings = {
  card: cardToken,
  base45: (seed) => base45(bytesOf(seed)),
  base32: (seed) => base32(bytesOf(seed)),
  /** As long as a standard signed token. */
  long: (seed) => {
    const random = sceneRandom(seed);
    return Array.from({ length: 180 }, () => BASE64[Math.floor(random() * 64)]).join('');
  },
} satisfies Record<string, (seed: number) => string>;

export type Writing = keyof typeof writings;
