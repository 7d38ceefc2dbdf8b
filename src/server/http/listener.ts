import { once } from 'node:events';
import type { ServerOptions } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Server as TlsServer } from 'node:tls';
import { serve } from '@hono/node-server';
import { STARTING } from '../monitoring/readiness.ts';
import { aliveResponse, PROBES, readyResponse } from './probes.ts';

export type Fetch = Parameters<typeof serve>[0]['fetch'];

/** How long a request may take to arrive (milliseconds); responses have no limit. */
export type Timeouts = Required<
  Pick<ServerOptions, 'headersTimeout' | 'requestTimeout' | 'connectionsCheckingInterval'>
>;

/** Enough for 64 KB over a poor connection; slower clients are cut off. */
export const TIMEOUTS: Timeouts = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 5_000,
};

export interface TlsKeys {
  key: string;
  certificate: string;
}

const tlsOptions = ({ key, certificate }: TlsKeys) => ({
  key,
  cert: certificate,
  minVersion: 'TLSv1.2' as const,
});

/**
 * Longer than proxies keep an idle connection (nginx 60 s, haproxy as configured). The side that sends requests must close
 * first, or a request can meet a closing connection and its sender cannot know whether it was carried out.
 */
const KEEP_ALIVE_MS = 65_000;
const DRAIN_MS = 5_000;
const CLOSE_IDLE_EVERY_MS = 50;

export interface Listener {
  port: number;
  /** Handles the waiting requests, and all that follow. */
  open(fetch: Fetch): void;
  /** Uses another certificate for new connections; only for a listener opened with one. */
  setTls(keys: TlsKeys): void;
  /** Finishes running requests, for five seconds at most. */
  close(): Promise<void>;
}

/**
 * Binds the port at once, so that a taken port fails before any other work; requests wait until it opens, except for
 * probes. HTTPS with a certificate, otherwise HTTP. Throws the port's own error.
 */
export async function openListener(
  { PORT, HOST }: { PORT: number; HOST: string },
  timeouts: Timeouts = TIMEOUTS,
  tls?: TlsKeys,
): Promise<Listener> {
  const { promise: handler, resolve } = Promise.withResolvers<Fetch>();
  let isStarting = true;
  const open = (fetch: Fetch) => {
    isStarting = false;
    resolve(fetch);
  };
  const options = { keepAliveTimeout: KEEP_ALIVE_MS, ...timeouts };
  const server = serve({
    fetch: async (request, bindings) =>
      (isStarting ? probeWhileStarting(request) : null) ?? (await handler)(request, bindings),
    port: PORT,
    hostname: HOST,
    ...(tls
      ? {
          createServer: createTlsServer,
          serverOptions: { ...options, ...tlsOptions(tls), handshakeTimeout: timeouts.headersTimeout },
        }
      : { serverOptions: options }),
  });
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    open,
    setTls: (keys) => (server as unknown as TlsServer).setSecureContext(tlsOptions(keys)),
    close: () =>
      new Promise((resolve) => {
        const timer = setTimeout(
          () => 'closeAllConnections' in server && server.closeAllConnections(),
          DRAIN_MS,
        );
        // Repeated, because a keep-alive connection turns idle only after its last response.
        const closeIdle = () => 'closeIdleConnections' in server && server.closeIdleConnections();
        const sweep = setInterval(closeIdle, CLOSE_IDLE_EVERY_MS);
        server.close(() => {
          clearTimeout(timer);
          clearInterval(sweep);
          resolve();
        });
        closeIdle();
      }),
  };
}

function probeWhileStarting(request: Request): Response | null {
  const { pathname } = new URL(request.url);
  if (pathname === PROBES.alive) return aliveResponse();
  return pathname === PROBES.ready ? readyResponse(STARTING) : null;
}

/** The URL to use on this computer, also if the host stands for all its IPs. */
export function localUrlOf(host: string, port: number): string {
  const address = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
}
