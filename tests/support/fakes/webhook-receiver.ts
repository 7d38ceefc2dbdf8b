import type { ServerResponse } from 'node:http';
import { Agent, createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:tls';
import type { WebhookNetwork } from '../../../src/server/webhooks/webhook-network.ts';
import { selfSigned } from './push-service.ts';

interface ReceivedWebhook {
  path: string;
  headers: Record<string, string>;
  body: string;
}

export interface WebhookReceiver {
  /** Connects to the receiver under every name, on any port. */
  network: WebhookNetwork;
  port: number;
  received: ReceivedWebhook[];
  /** The status of further responses; null for no response at all. Without a path, for every path. */
  answer(status: number | null, options?: { path?: string; body?: string; location?: string }): void;
  /** The number of requests waiting for a response that never comes. */
  waiting(): number;
  /** Closes the connections waiting for a response. */
  hangUp(): void;
  close(): Promise<void>;
}

/** Another system of the venue, which records its webhooks. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const received: ReceivedWebhook[] = [];
  const held = new Set<ServerResponse>();
  type Reply = { status: number | null; body?: string; location?: string };
  const replies = new Map<string, Reply>();
  const { key, cert } = await selfSigned('till.example');
  const server = createServer({ key, cert }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const path = request.url ?? '';
      const headers = request.headers as Record<string, string>;
      received.push({ path, headers, body: Buffer.concat(chunks).toString() });
      const { status, body = '', location } = replies.get(path) ?? replies.get('*') ?? { status: 204 };
      if (status !== null) return response.writeHead(status, location ? { location } : {}).end(body);
      held.add(response);
      response.on('close', () => held.delete(response));
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const agent = new Agent({ ca: cert });
  agent.createConnection = () =>
    connect({
      ca: cert,
      host: '127.0.0.1',
      port,
      servername: 'till.example',
      ALPNProtocols: ['http/1.1'],
      checkServerIdentity: () => undefined,
    });
  return {
    network: { agent, reach: async () => 'allowed' },
    port,
    received,
    waiting: () => held.size,
    answer(status, { path = '*', ...more } = {}) {
      if (path === '*') replies.clear();
      replies.set(path, { status, ...more });
    },
    hangUp: () => server.closeAllConnections(),
    close: () =>
      new Promise((closed) => {
        agent.destroy();
        server.closeAllConnections();
        server.close(() => closed());
      }),
  };
}
