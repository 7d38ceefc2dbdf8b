import { verify } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The claims of a JWT signed by this key. Throws for any other key. */
export function openJwt(jwt: string, publicKey: string): Record<string, unknown> {
  const [head = '', body = '', signature = ''] = jwt.split('.');
  const header = JSON.parse(Buffer.from(head, 'base64url').toString()) as { alg: string };
  const isGood = verify(
    'sha256',
    Buffer.from(`${head}.${body}`),
    publicKey,
    Buffer.from(signature, 'base64url'),
  );
  if (header.alg !== 'RS256' || !isGood) throw new Error('The signature of the JWT is wrong');
  return JSON.parse(Buffer.from(body, 'base64url').toString()) as Record<string, unknown>;
}

export interface GoogleWalletServer {
  url: string;
  /** The public key for the service account's signatures. */
  publicKey: string;
  /** Objects that members saved or that were inserted, by id. Others are unknown, as at Google. */
  saved: Map<string, Record<string, unknown>>;
  /** The ids of inserted classes. */
  classes: Set<string>;
  /** The number of issued tokens. */
  tokens: number;
  /** Stops responding. */
  hangs: boolean;
  /** Answers each request with 503. */
  refuses: boolean;
  /** Requests without a response. */
  waiting: number;
  /** Destroys all connections. */
  drop(): void;
  close(): Promise<void>;
}

function claimsOf(jwt: string, publicKey: string): Record<string, unknown> {
  try {
    return openJwt(jwt, publicKey);
  } catch {
    return {};
  }
}

/** A fake of Google's token endpoint, and of the objects in its wallet API. */
export async function startGoogleWalletServer(): Promise<GoogleWalletServer> {
  const fake: GoogleWalletServer = {
    url: '',
    publicKey: '',
    saved: new Map(),
    classes: new Set(),
    tokens: 0,
    hangs: false,
    refuses: false,
    waiting: 0,
    drop: () => server.closeAllConnections(),
    close: () => {
      server.closeAllConnections();
      return new Promise((closed) => server.close(() => closed()));
    },
  };
  const answer = (path: string, method: string, authorization: string, body: string): [number, object] => {
    if (fake.refuses) return [503, {}];
    if (path === '/token' && method === 'POST') {
      const form = new URLSearchParams(body);
      const { aud, scope } = claimsOf(form.get('assertion') ?? '', fake.publicKey);
      if (aud !== `${fake.url}/token` || !String(scope).endsWith('/wallet_object.issuer')) return [400, {}];
      fake.tokens += 1;
      return [200, { access_token: `token-${fake.tokens}`, expires_in: 3600 }];
    }
    const made = /^\/walletobjects\/v1\/generic(Class|Object)$/.exec(path)?.[1];
    if (made && method === 'POST') {
      if (authorization !== `Bearer token-${fake.tokens}`) return [401, {}];
      const resource = JSON.parse(body) as { id: string; classId?: string };
      const { id, classId = '' } = resource;
      if (made === 'Object' && !fake.classes.has(classId)) return [400, {}];
      if (made === 'Class' ? fake.classes.has(id) : fake.saved.has(id)) return [409, {}];
      if (made === 'Class') fake.classes.add(id);
      else fake.saved.set(id, { ...resource });
      return [200, {}];
    }
    const id = /^\/walletobjects\/v1\/genericObject\/([\w.-]+)$/.exec(path)?.[1];
    if (!id || method !== 'PATCH') return [404, {}];
    if (authorization !== `Bearer token-${fake.tokens}`) return [401, {}];
    const object = fake.saved.get(id);
    if (!object) return [404, {}];
    fake.saved.set(id, { ...object, ...(JSON.parse(body) as object) });
    return [200, {}];
  };
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    if (fake.hangs) {
      fake.waiting += 1;
      return;
    }
    const [status, json] = answer(
      request.url ?? '',
      request.method ?? '',
      request.headers.authorization ?? '',
      body,
    );
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  fake.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return fake;
}
