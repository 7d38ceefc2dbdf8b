import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Metrics } from './metrics.ts';

/** Prometheus' default path. */
const PATH = '/metrics';
const TIMEOUTS = { headersTimeout: 5_000, requestTimeout: 10_000 };

/** Serves Prometheus on a separate port, which visitors cannot reach, without a password. Throws the port's own error. */
export async function openMetricsListener(
  { port, host }: { port: number; host: string },
  metrics: Pick<Metrics, 'text' | 'contentType'>,
) {
  const server = createServer(TIMEOUTS, (request, response) => {
    const isScrape = request.url?.split('?')[0] === PATH && request.method === 'GET';
    if (!isScrape) return void response.writeHead(404).end();
    metrics.text().then(
      (text) => response.writeHead(200, { 'Content-Type': metrics.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  await once(server.listen(port, host), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.closeAllConnections();
      await server[Symbol.asyncDispose]();
    },
  };
}
