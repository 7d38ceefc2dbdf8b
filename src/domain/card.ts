/** A card code is valid for ten minutes; the page asks for a new one every eight. docs/rules.md, "Membership card". */
export const CARD_TTL_SECONDS = 600;
export const CARD_REFRESH_SECONDS = 480;

const ID_BYTES = 16;
const EXPIRY_BYTES = 4;
export const CARD_MAC_BYTES = 10;
const BODY_BYTES = ID_BYTES + EXPIRY_BYTES;
const TOKEN_BYTES = BODY_BYTES + CARD_MAC_BYTES;

/** 30 bytes in base64url. A short code still scans from a poor picture. */
export const CARD_TOKEN_LENGTH = 40;

export interface CardClaims {
  /** Customer id, a UUID. */
  customer_id: string;
  /** Seconds since 1970, UTC. */
  expires_at: number;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const TOKEN = /^[A-Za-z0-9_-]{40}$/;

export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** The signed part: customer id (16 bytes) and expiry (4 bytes, big endian). Throws RangeError on a bad id. */
export function cardBody({ customer_id, expires_at }: CardClaims): Uint8Array<ArrayBuffer> {
  if (!isUuid(customer_id)) throw new RangeError('A card needs a customer id');
  const body = new Uint8Array(BODY_BYTES);
  const hex = customer_id.replaceAll('-', '');
  for (let i = 0; i < ID_BYTES; i++) body[i] = Number.parseInt(hex.slice(i * 2, i * 2 + 2), 16);
  new DataView(body.buffer).setUint32(ID_BYTES, expires_at);
  return body;
}

export function encodeCard(body: Uint8Array, mac: Uint8Array): string {
  const bytes = new Uint8Array(TOKEN_BYTES);
  bytes.set(body);
  bytes.set(mac.subarray(0, CARD_MAC_BYTES), BODY_BYTES);
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_');
}

/** The parts of a token, or null when the text does not look like one. Does not verify the signature. */
export function decodeCard(token: string): { body: Uint8Array; mac: Uint8Array; claims: CardClaims } | null {
  if (!TOKEN.test(token)) return null;
  const bytes = Uint8Array.from(atob(token.replaceAll('-', '+').replaceAll('_', '/')), (c) =>
    c.charCodeAt(0),
  );
  const body = bytes.slice(0, BODY_BYTES);
  const hex = Array.from(body.subarray(0, ID_BYTES), (b) => b.toString(16).padStart(2, '0')).join('');
  const customer_id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  const expires_at = new DataView(body.buffer).getUint32(ID_BYTES);
  return { body, mac: bytes.slice(BODY_BYTES), claims: { customer_id, expires_at } };
}
