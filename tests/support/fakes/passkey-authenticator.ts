import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

const PRESENT = 0x01;
const VERIFIED = 0x04;
const ATTESTED = 0x40;

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();

/** Encodes integers, bytes, text and maps as CBOR (RFC 8949), the only types that an authenticator writes. */
function cbor(value: number | string | Buffer | Map<number | string, unknown>): Buffer {
  const head = (major: number, size: number) => {
    if (size < 24) return Buffer.from([(major << 5) | size]);
    if (size < 256) return Buffer.from([(major << 5) | 24, size]);
    return Buffer.from([(major << 5) | 25, size >> 8, size & 255]);
  };
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  const entries = [...value].map(([key, it]) => Buffer.concat([cbor(key), cbor(it as string)]));
  return Buffer.concat([head(5, value.size), ...entries]);
}

/** Faults that a test can cause on purpose. */
export interface Slip {
  /** The user was present but not verified. */
  unverified?: boolean;
  origin?: string;
  rpId?: string;
  counter?: number;
  challenge?: string;
  /** Signs with a key other than the enrolled one. */
  key?: KeyObject;
}

/** A device with one passkey and real signatures (WebAuthn level 2, ES256). */
export class Authenticator {
  readonly id = randomBytes(32).toString('base64url');
  readonly keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  counter = 0;
  private readonly origin: string;

  constructor(origin: string) {
    this.origin = origin;
  }

  /** The result of navigator.credentials.create, as the browser sends it to the server. */
  create({ challenge, rp }: { challenge: string; rp: { id: string } }, slip: Slip = {}) {
    const { x = '', y = '' } = this.keys.publicKey.export({ format: 'jwk' });
    const publicKey = cbor(
      new Map<number, unknown>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ]),
    );
    const id = Buffer.from(this.id, 'base64url');
    const size = Buffer.from([id.length >> 8, id.length & 255]);
    const attested = Buffer.concat([Buffer.alloc(16), size, id, publicKey]);
    const authData = Buffer.concat([this.authenticatorData(rp.id, ATTESTED, slip), attested]);
    const attestation = new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', authData],
    ]);
    return {
      id: this.id,
      rawId: this.id,
      type: 'public-key',
      response: {
        clientDataJSON: this.clientData('webauthn.create', challenge, slip).toString('base64url'),
        attestationObject: cbor(attestation).toString('base64url'),
        transports: ['internal'],
      },
    };
  }

  /** The result of navigator.credentials.get, as the browser sends it to the server. */
  get({ challenge, rpId }: { challenge: string; rpId: string }, slip: Slip = {}) {
    this.counter = slip.counter ?? this.counter + 1;
    const clientData = this.clientData('webauthn.get', challenge, slip);
    const authData = this.authenticatorData(rpId, 0, slip);
    const signed = Buffer.concat([authData, sha256(clientData)]);
    return {
      id: this.id,
      rawId: this.id,
      type: 'public-key',
      response: {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: sign('sha256', signed, slip.key ?? this.keys.privateKey).toString('base64url'),
      },
    };
  }

  private clientData(type: string, challenge: string, slip: Slip): Buffer {
    const origin = slip.origin ?? this.origin;
    return Buffer.from(JSON.stringify({ type, challenge: slip.challenge ?? challenge, origin }));
  }

  private authenticatorData(rpId: string, flags: number, slip: Slip): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    const set = PRESENT | (slip.unverified ? 0 : VERIFIED) | flags;
    return Buffer.concat([sha256(slip.rpId ?? rpId), Buffer.from([set]), counter]);
  }
}
