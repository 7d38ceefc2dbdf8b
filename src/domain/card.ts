import { isUuid } from './uuid.ts';

/** Codes are valid ten minutes; the page renews them after eight. docs/rules/card.md, "Membership card". */
export const CARD_TTL_SECONDS = 600;
export const CARD_REFRESH_SECONDS = 480;

const ID_BYTES = 16;
const EXPIRY_BYTES = 4;
export const CARD_MAC_BYTES = 10;
const BODY_BYTES = ID_BYTES + EXPIRY_BYTES;
const TOKEN_BYTES = BODY_BYTES + CARD_MAC_BYTES;

/** 30 bytes in base64url. A short code scans even from a poor picture. */
export const CARD_TOKEN_LENGTH = 40;

/** A code on paper never expires, so its proof is longer; the QR code stays as coarse as the one on the screen. */
export const PAPER_PROOF_BYTES = 16;
const PAPER_BYTES = ID_BYTES + PAPER_PROOF_BYTES;

export interface CardClaims {
  /** A UUID. */
  customer_id: string;
  /** Seconds since 1970, UTC. */
  expires_at: number;
}

const TOKEN = /^[A-Za-z0-9_-]{40}$/;
const PAPER_TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** Spaces, line breaks, invisible characters and accents. */
const BETWEEN = /[\s\p{C}\p{M}\p{Z}]/gu;
const QUOTES_AND_BRACKETS = /["'`<>\p{Pi}\p{Pf}\p{Ps}\p{Pe}]/gu;
const SENTENCE_ENDS = /^[.,:;!?]+|[.,:;!?]+$/g;
const BEFORE_CODE = /^https?:.*[/#?=&](?=.)/i;

/**
 * The code in a text that was typed, pasted or read. Mail programs, chats and phones put quotes, spaces and invisible
 * characters around or into it, wide letters and digits for its own, a dash for its hyphens, or a URL before it.
 */
export function cleanCode(text: string): string {
  return text
    .normalize('NFKC')
    .replace(BETWEEN, '')
    .replace(QUOTES_AND_BRACKETS, '')
    .replaceAll('—', '--')
    .replace(/[\p{Pd}−]/gu, '-')
    .replace(SENTENCE_ENDS, '')
    .replace(BEFORE_CODE, '');
}

function uuidBytes(id: string): Uint8Array<ArrayBuffer> {
  if (!isUuid(id)) throw new RangeError('A card needs an id');
  const hex = id.replaceAll('-', '');
  return Uint8Array.from({ length: ID_BYTES }, (_, i) => Number.parseInt(hex.slice(i * 2, i * 2 + 2), 16));
}

function uuidOf(bytes: Uint8Array): string {
  const hex = Array.from(bytes.subarray(0, ID_BYTES), (b) => b.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

const toBase64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/={1,2}$/, '');

const fromBase64Url = (text: string): Uint8Array =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));

/** The signed part: customer id (16 bytes) and expiry (4 bytes, big endian). Throws RangeError on a bad id. */
export function cardBody({ customer_id, expires_at }: CardClaims): Uint8Array<ArrayBuffer> {
  const body = new Uint8Array(BODY_BYTES);
  body.set(uuidBytes(customer_id));
  new DataView(body.buffer).setUint32(ID_BYTES, expires_at);
  return body;
}

export function encodeCard(body: Uint8Array, mac: Uint8Array): string {
  const bytes = new Uint8Array(TOKEN_BYTES);
  bytes.set(body);
  bytes.set(mac.subarray(0, CARD_MAC_BYTES), BODY_BYTES);
  return toBase64Url(bytes);
}

/** The parts of a token; null if the text is not one. Does not verify the signature. */
export function decodeCard(token: string): { body: Uint8Array; mac: Uint8Array; claims: CardClaims } | null {
  if (!TOKEN.test(token)) return null;
  const bytes = fromBase64Url(token);
  const body = bytes.slice(0, BODY_BYTES);
  const customer_id = uuidOf(body);
  const expires_at = new DataView(body.buffer).getUint32(ID_BYTES);
  return { body, mac: bytes.slice(BODY_BYTES), claims: { customer_id, expires_at } };
}

/** The code for paper: the card's id (16 bytes) and its proof (16 bytes), 43 characters. Throws RangeError on a bad id. */
export function encodePaperCard(id: string, proof: Uint8Array): string {
  const bytes = new Uint8Array(PAPER_BYTES);
  bytes.set(uuidBytes(id));
  bytes.set(proof.subarray(0, PAPER_PROOF_BYTES), ID_BYTES);
  return toBase64Url(bytes);
}

/** The parts of a code for paper; null if the text is not one. Does not check the proof. */
export function decodePaperCard(token: string): { id: string; proof: Uint8Array } | null {
  if (!PAPER_TOKEN.test(token)) return null;
  const bytes = fromBase64Url(token);
  // The last character has two unused bits: only one of the texts that decode to the same bytes is the code.
  if (toBase64Url(bytes) !== token) return null;
  return { id: uuidOf(bytes), proof: bytes.slice(ID_BYTES) };
}
