import { once } from 'node:events';
import { createServer } from 'node:https';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';

export interface TlsKeys {
  key: string;
  certificate: string;
}

export interface PayerPagesOptions {
  port: number;
  host: string;
  /** The URL at which browsers reach the payer pages, without a trailing slash. */
  publicUrl: string;
  tls: TlsKeys;
}

export interface PayerPages {
  setTls(keys: TlsKeys): void;
  close(): Promise<void>;
}

/** Checkout, portal and invoices, with their fonts: all that the real service shows to the public. */
const PAYER_PATH = /^\/(?:c\/pay|p|i|fonts)\//;

/** Serves only the pages that payers open, over HTTPS, to face a network. Rejects with the port's own error. */
export async function openPayerPages(sandbox: Hono, options: PayerPagesOptions): Promise<PayerPages> {
  const { key, certificate: cert } = options.tls;
  const app = new Hono();
  app.all('*', (c) =>
    PAYER_PATH.test(c.req.path) ? sandbox.fetch(c.req.raw, c.env) : c.text('Not found', 404),
  );
  const server = serve({
    fetch: app.fetch,
    port: options.port,
    hostname: options.host,
    createServer,
    serverOptions: { key, cert },
  }) as ReturnType<typeof createServer>;
  await once(server, 'listening');
  return {
    setTls: (keys) => server.setSecureContext({ key: keys.key, cert: keys.certificate }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
