import 'reflect-metadata';
import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto';
import { Agent, createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:tls';
import { X509CertificateGenerator } from '@peculiar/x509';

const HOST = 'push.example.com';
const hkdf = (key: Buffer, salt: Buffer, info: Buffer, length: number) =>
  Buffer.from(hkdfSync('sha256', key, salt, info, length));

/** A message after decryption in the browser, with the headers of its push. */
interface ReceivedPush {
  message: Record<string, unknown>;
  ttl: number;
  topic: string | undefined;
  urgency: string | undefined;
}

/** A browser that subscribed. */
export interface FakeDevice {
  subscription: { endpoint: string; keys: { p256dh: string; auth: string } };
  received: ReceivedPush[];
}

export interface FakePushService {
  /** Connects to the fake under its public name, on any port. */
  agent: Agent;
  /** Subscribes a browser with the server's public key: messages signed with another key are refused. */
  subscribe(serverKey: string): FakeDevice;
  /** The status of all further responses, instead of accepting messages. */
  answer(status: number | null): void;
  /** The number of requests received. */
  requests(): number;
  close(): Promise<void>;
}

interface Known extends FakeDevice {
  serverKey: string;
  ecdh: ReturnType<typeof createECDH>;
  auth: Buffer;
}

/** The message as the browser reads it: RFC 8291 over RFC 8188, in one record. Throws if it is for another browser. */
function decrypt(body: Buffer, { ecdh, auth }: Known): string {
  const salt = body.subarray(0, 16);
  const keyLength = body.readUInt8(20);
  const serverPublic = body.subarray(21, 21 + keyLength);
  const sealed = body.subarray(21 + keyLength);
  if (sealed.length > body.readUInt32BE(16)) throw new Error('More than one record');
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), ecdh.getPublicKey(), serverPublic]);
  const secret = hkdf(ecdh.computeSecret(serverPublic), auth, info, 32);
  const key = hkdf(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = hkdf(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
  const decipher = createDecipheriv('aes-128-gcm', key, nonce);
  decipher.setAuthTag(sealed.subarray(-16));
  const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
  const end = padded.lastIndexOf(2);
  if (end < 0 || padded.subarray(end + 1).some((byte) => byte !== 0)) throw new Error('Bad padding');
  return padded.subarray(0, end).toString('utf8');
}

/** Whether the request is signed by that key, for this service, for at most a day, with the sender's contact (RFC 8292). */
function isSigned(header: string | undefined, serverKey: string): boolean {
  const [, token = '', key = ''] = /^vapid t=([^,]+), ?k=(\S+)$/.exec(header ?? '') ?? [];
  const [head = '', claims = '', signature = ''] = token.split('.');
  if (key !== serverKey) return false;
  const point = Buffer.from(key, 'base64url');
  const publicKey = createPublicKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
  });
  const signed = Buffer.from(`${head}.${claims}`);
  const raw = Buffer.from(signature, 'base64url');
  if (!verify('sha256', signed, { key: publicKey, dsaEncoding: 'ieee-p1363' }, raw)) return false;
  const { alg } = JSON.parse(Buffer.from(head, 'base64url').toString()) as { alg: string };
  const { aud, exp, sub } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as {
    aud: string;
    exp: number;
    sub: string;
  };
  const left = exp - Date.now() / 1000;
  return (
    alg === 'ES256' && aud === `https://${HOST}` && left > 0 && left <= 86_400 && /^mailto:.+@/.test(sub)
  );
}

/** A certificate for that name, and its key, both as PEM. */
export async function selfSigned(host: string): Promise<{ key: string; cert: string }> {
  const keys = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
    'sign',
    'verify',
  ]);
  const cert = await X509CertificateGenerator.createSelfSigned({
    name: `CN=${host}`,
    keys,
    signingAlgorithm: { name: 'ECDSA', hash: 'SHA-256' },
  });
  const der = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
  return {
    key: `-----BEGIN PRIVATE KEY-----\n${der}\n-----END PRIVATE KEY-----`,
    cert: cert.toString('pem'),
  };
}

/** A browser vendor's push service, with subscribed browsers. It accepts only what real ones accept. */
export async function startPushService(): Promise<FakePushService> {
  const devices = new Map<string, Known>();
  let answer: number | null = null;
  let requests = 0;
  const { key, cert } = await selfSigned(HOST);
  const take = (path: string, headers: NodeJS.Dict<string | string[]>, body: Buffer): number => {
    if (answer !== null) return answer;
    const device = devices.get(path);
    if (!device) return 410;
    if (headers['content-encoding'] !== 'aes128gcm' || body.length > 4096) return 400;
    if (!isSigned(String(headers.authorization), device.serverKey)) return 403;
    device.received.push({
      message: JSON.parse(decrypt(body, device)) as Record<string, unknown>,
      ttl: Number(headers.ttl),
      topic: headers.topic?.toString(),
      urgency: headers.urgency?.toString(),
    });
    return 201;
  };
  const server = createServer({ key, cert }, (request, response) => {
    requests += 1;
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () =>
      response.writeHead(take(request.url ?? '', request.headers, Buffer.concat(chunks))).end(),
    );
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const agent = new Agent({ ca: cert });
  agent.createConnection = (options) =>
    connect({
      ca: cert,
      host: '127.0.0.1',
      port,
      servername: options.host ?? '',
      ALPNProtocols: ['http/1.1'],
    });
  return {
    agent,
    subscribe(serverKey) {
      const ecdh = createECDH('prime256v1');
      const p256dh = ecdh.generateKeys('base64url');
      const auth = randomBytes(16);
      const path = `/send/${randomBytes(12).toString('hex')}`;
      const subscription = {
        endpoint: `https://${HOST}${path}`,
        keys: { p256dh, auth: auth.toString('base64url') },
      };
      const device: Known = { subscription, received: [], serverKey, ecdh, auth };
      devices.set(path, device);
      return device;
    },
    answer(status) {
      answer = status;
    },
    requests: () => requests,
    close: () =>
      new Promise((closed) => {
        agent.destroy();
        server.closeAllConnections();
        server.close(() => closed());
      }),
  };
}
