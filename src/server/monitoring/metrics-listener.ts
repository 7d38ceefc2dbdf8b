import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Metrics } from './metrics.ts';

/** Prometheus' default path. */
const PATH = '/metrics';
const TIMEOUTS = { headersTimeout: 5_000, requestTimeout: 10_000 };

export interface MetricsListener {
  port: number;
  close(): Promise<void>;
}

/** Serves Prometheus on a separate port, which visitors cannot reach, without a password. Throws the port's own error. */
export async function openMetricsListener(
  { port, host }: { port: number; host: string },
  metrics: Pick<Metrics, 'text' | 'contentType'>,
): Promise<MetricsListener> {
  const server = createServer(TIMEOUTS, (request, response) => {
    const isScrape = request.url?.split('?')[0] === PATH && request.method === 'GET';
    if (!isScrape) return void response.writeHead(404).end();
    metrics.text().then(
      (text) => response.writeHead(200, { 'Content-Type': metrics.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  await new Promise<void>((listening, failed) => {
    server.once('error', failed);
    server.listen(port, host, listening);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}
