import { createHmac } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

const STEP_MS = 30_000;
/** The longest duration of a request with a code. */
const SOON_MS = 1_000;

/**
 * The code that an authenticator app shows for an otpauth: URI (RFC 6238). `steps` counts 30-second steps from now. The
 * code of the previous step is accepted only during this one, so if it is about to expire, waits for the next step.
 */
export function totpCode(uri: string, steps = 0): string {
  const left = STEP_MS - (Date.now() % STEP_MS);
  if (steps < 0 && left < SOON_MS) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, left + 1);
  const secret = new URL(uri).searchParams.get('secret') ?? '';
  const bits = [...secret].map((it) => ALPHABET.indexOf(it).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / STEP_MS) + steps));
  const mac = createHmac('sha1', key).update(counter).digest();
  const number = mac.readUInt32BE((mac.at(-1) ?? 0) & 15) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, '0');
}
