import type { ServerOptions } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';

export type Fetch = Parameters<typeof serve>[0]['fetch'];

/** How long a request may take to arrive (milliseconds); an answer may take as long as it likes. */
export type Timeouts = Required<
  Pick<ServerOptions, 'headersTimeout' | 'requestTimeout' | 'connectionsCheckingInterval'>
>;

/** For 64 KB over a poor connection. Whoever sends slower on purpose only wants to hold the connection. */
export const TIMEOUTS: Timeouts = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 5_000,
};

const DRAIN_MS = 5_000;
const LET_GO_EVERY_MS = 50;

export interface Listener {
  port: number;
  /** Lets in whoever waits, and everybody from then on. */
  open(fetch: Fetch): void;
  /** Finishes requests under way, for five seconds at most. */
  close(): Promise<void>;
}

/**
 * Takes the port at once, so that a taken one is told before any work; callers wait until it opens. Throws the
 * port's own error.
 */
export async function openListener(
  { PORT, HOST }: { PORT: number; HOST: string },
  patience: Timeouts = TIMEOUTS,
): Promise<Listener> {
  const { promise: ready, resolve: open } = Promise.withResolvers<Fetch>();
  const server = serve({
    fetch: async (request, bindings) => (await ready)(request, bindings),
    port: PORT,
    hostname: HOST,
    serverOptions: { ...patience },
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
        // Again and again: a connection that is kept alive falls idle only after its last answer.
        const letGo = () => 'closeIdleConnections' in server && server.closeIdleConnections();
        const sweep = setInterval(letGo, LET_GO_EVERY_MS);
        server.close(() => {
          clearTimeout(cut);
          clearInterval(sweep);
          closed();
        });
        letGo();
      }),
  };
}
