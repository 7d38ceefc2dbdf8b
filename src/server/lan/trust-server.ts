import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { STYLE_HASH, type TrustPageFacts, trustPage } from './trust-page.ts';

export type TrustServer = Awaited<ReturnType<typeof openTrustServer>>;

const CERTIFICATE_PATH = '/cellar-door-authority.crt';
const HEADERS = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': `default-src 'none'; style-src ${STYLE_HASH}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

/** The SHA-256 fingerprint of a certificate in PEM: 32 pairs of digits with colons. */
export const fingerprintOf = (certificate: string): string => new X509Certificate(certificate).fingerprint256;

/** Serves the trust page and the authority's certificate over plain HTTP; nothing secret. Throws the port's own error. */
export async function openTrustServer(
  { port, host }: { port: number; host: string },
  authority: string,
  facts: Omit<TrustPageFacts, 'fingerprint' | 'certificatePath'>,
) {
  const certificate = new X509Certificate(authority).raw;
  const page = { ...facts, fingerprint: fingerprintOf(authority), certificatePath: CERTIFICATE_PATH };
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const send = (status: number, type: string, body: string | Buffer) =>
      response.writeHead(status, { ...HEADERS, 'Content-Type': type }).end(body);
    if (request.method !== 'GET' && request.method !== 'HEAD') return send(405, 'text/plain', 'Only GET\n');
    const path = request.url?.split('?')[0];
    if (path === '/') {
      const html = trustPage(page, request.headers['user-agent'] ?? '');
      return send(200, 'text/html; charset=utf-8', html);
    }
    // Phones offer to install this type, iPhones only if it is not an attachment.
    if (path === CERTIFICATE_PATH) return send(200, 'application/x-x509-ca-cert', certificate);
    return send(404, 'text/plain', 'Not found\n');
  };
  const server = createServer({ headersTimeout: 10_000, requestTimeout: 10_000 }, answer);
  await once(server.listen(port, host), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.closeAllConnections();
      await server[Symbol.asyncDispose]();
    },
  };
}
