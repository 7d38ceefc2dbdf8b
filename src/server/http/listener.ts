import type { ServerOptions } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';

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

const DRAIN_MS = 5_000;
const CLOSE_IDLE_EVERY_MS = 50;

export interface Listener {
  port: number;
  /** Answers the requests that are waiting, and all that follow. */
  open(fetch: Fetch): void;
  /** Finishes running requests, for five seconds at most. */
  close(): Promise<void>;
}

/**
 * Binds the port at once, so that a taken port fails before any other work; requests wait until it opens. Throws the
 * port's own error.
 */
export async function openListener(
  { PORT, HOST }: { PORT: number; HOST: string },
  timeouts: Timeouts = TIMEOUTS,
): Promise<Listener> {
  const { promise: ready, resolve: open } = Promise.withResolvers<Fetch>();
  const server = serve({
    fetch: async (request, bindings) => (await ready)(request, bindings),
    port: PORT,
    hostname: HOST,
    serverOptions: { ...timeouts },
  });
  await new Promise<void>((listening, failed) => {
    server.once('listening', listening);
    server.once('error', failed);
  });
  return {
    port: (server.address() as AddressInfo).port,
    open,
    close: () =>
      new Promise((closed) => {
        const cut = setTimeout(
          () => 'closeAllConnections' in server && server.closeAllConnections(),
          DRAIN_MS,
        );
        // Repeatedly, because a keep-alive connection turns idle only after its last response.
        const closeIdle = () => 'closeIdleConnections' in server && server.closeIdleConnections();
        const sweep = setInterval(closeIdle, CLOSE_IDLE_EVERY_MS);
        server.close(() => {
          clearTimeout(cut);
          clearInterval(sweep);
          closed();
        });
        closeIdle();
      }),
  };
}
