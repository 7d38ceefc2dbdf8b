import { createHmac, timingSafeEqual } from 'node:crypto';
import { hashOfSecret } from '../../platform/secret-link.ts';

export interface RefreshToken {
  session_id: string;
  /** Tokens that came before it. */
  generation: number;
  /** 32 bytes, base64url. */
  secret: string;
}

type Key = Uint8Array;
type Place = Pick<RefreshToken, 'session_id' | 'generation'>;

const SHAPE = /^([0-9a-f-]{36})\.(0|[1-9]\d{0,8})\.([\w-]{43})\.([\w-]{43})$/;

const mac = (key: Key, text: string) => createHmac('sha256', key).update(text).digest('base64url');
const body = ({ session_id, generation, secret }: RefreshToken) => `${session_id}.${generation}.${secret}`;
const sealOf = (key: Key, token: RefreshToken) => mac(key, `token|${body(token)}`);
const equal = (a: string, b: string) =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));

export const hashOf = ({ secret }: Pick<RefreshToken, 'secret'>): string => hashOfSecret(secret);

export const hasHash = (token: RefreshToken, hash: string): boolean => equal(hashOf(token), hash);

/** The sealed text that the client holds: only the server can make one. */
export const writeRefreshToken = (key: Key, token: RefreshToken): string =>
  `${body(token)}.${sealOf(key, token)}`;

/** Parses a token that we issued, valid or not; null for any other text. */
export function readRefreshToken(key: Key, text: string): RefreshToken | null {
  const [, session_id = '', generation = '', secret = '', seal = ''] = SHAPE.exec(text) ?? [];
  const token = { session_id, generation: Number(generation), secret };
  return secret && equal(seal, sealOf(key, token)) ? token : null;
}

/** The next token: always the same after a given one, so that a client that asks twice gets one token, not two. */
export function nextRefreshToken(key: Key, { session_id, generation }: Place, hash: string): RefreshToken {
  const secret = mac(key, `next|${session_id}|${generation}|${hash}`);
  return { session_id, generation: generation + 1, secret };
}
