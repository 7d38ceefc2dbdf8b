import { createSecureServer, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';

export interface ApplePushServer {
  url: string;
  /** The pushes in order: device, pass type and certificate. */
  pushed: { token: string; topic: unknown; by: string }[];
  /** The status for pushes to a device; 200 unless set. 'hang' never responds. */
  answers: Map<string, { status: number; reason?: string } | 'hang'>;
  /** The number of pushes waiting for a response that never comes. */
  waiting(): number;
  /** Destroys all connections. */
  drop(): void;
  close(): Promise<void>;
}

/** A fake of Apple's push service: HTTP/2 over TLS, only for clients with a certificate from the issuer. */
export async function startApplePushServer(tls: {
  cert: string;
  key: string;
  ca: string;
}): Promise<ApplePushServer> {
  const server = createSecureServer({ ...tls, requestCert: true, rejectUnauthorized: true });
  const pushed: ApplePushServer['pushed'] = [];
  const answers: ApplePushServer['answers'] = new Map();
  const sessions = new Set<{ destroy(): void }>();
  const held = new Set<ServerHttp2Stream>();
  server.on('session', (session) => {
    sessions.add(session);
    session.on('error', () => undefined);
    session.on('close', () => sessions.delete(session));
  });
  server.on('stream', (stream: ServerHttp2Stream, headers) => {
    stream.on('error', () => undefined);
    const token = /^\/3\/device\/(\w+)$/.exec(String(headers[':path']))?.[1];
    if (headers[':method'] !== 'POST' || !token)
      return stream.respond({ ':status': 404 }, { endStream: true });
    const subject = (stream.session?.socket as TLSSocket | undefined)?.getPeerCertificate().subject;
    let body = '';
    stream.on('data', (part: Buffer) => {
      body += part;
    });
    stream.on('end', () => {
      const answer = answers.get(token) ?? { status: body === '{}' ? 200 : 400, reason: 'PayloadEmpty' };
      pushed.push({ token, topic: headers['apns-topic'], by: String(subject?.CN) });
      if (answer === 'hang') {
        held.add(stream);
        stream.on('close', () => held.delete(stream));
        return;
      }
      stream.respond({ ':status': answer.status });
      stream.end(answer.status === 200 ? '' : JSON.stringify({ reason: answer.reason }));
    });
  });
  const drop = () => {
    for (const session of sessions) session.destroy();
  };
  await new Promise<void>((listening) => server.listen(0, 'localhost', listening));
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    pushed,
    answers,
    waiting: () => held.size,
    drop,
    close: () =>
      new Promise((closed) => {
        drop();
        server.close(() => closed());
      }),
  };
}
