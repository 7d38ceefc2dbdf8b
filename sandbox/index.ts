import { once } from 'node:events';
import { join } from 'node:path';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { controls } from './controls.ts';
import { fonts } from './fonts.ts';
import { guard } from './guard.ts';
import { homePages, notFoundPage } from './home.ts';
import { type Fetch, fetchInProcess } from './in-process.ts';
import { openEmails } from './mailbox/emails.ts';
import { mailboxRoutes } from './mailbox/mailbox-routes.ts';
import { startSmtp } from './mailbox/smtp.ts';
import { createModelControl, modelRoutes } from './model/model-routes.ts';
import { openPayerPages, type PayerPages, type PayerPagesOptions, type TlsKeys } from './payer-pages.ts';
import { startPayments } from './payments/http/server.ts';
import type { Endpoint } from './payments/http/webhooks.ts';

export interface SandboxOptions {
  /** 0 takes any free port. */
  port: number;
  /** The host of the pages and the API. Default 127.0.0.1, which SMTP always uses: only the product sends email. */
  host?: string;
  /** The folder for all data, read at the next start. Without it, data lives in memory only. */
  dataDir?: string;
  /** The URL at which browsers reach the sandbox. Default http://localhost:<port>. */
  publicUrl?: string;
  /** Serves the pages that payers open, and nothing else, on a separate port; links to them use it. */
  payerPages?: PayerPagesOptions;
  /** 0 (the default) takes any free port. */
  smtpPort?: number;
  /** The endpoint that gets events; it can also be set later. */
  webhook?: Endpoint;
  /** The shop's name on the hosted pages and invoices. Default "Cellar Door". */
  accountName?: string;
  /** Milliseconds; the real clock unless a test sets another. */
  now?: () => number;
  /** Waits between the attempts of a delivery, which fails for good after the last. */
  retryDelaysMs?: number[];
  /** How events are sent: over HTTP, unless a test takes them itself. */
  send?: Fetch;
  /** How long an endpoint may take to respond to an event. Default 10 seconds. */
  webhookTimeoutMs?: number;
  /** How long a reply of the model takes in its mode `slow`. Default 20 seconds. */
  slowModelMs?: number;
}

export interface Sandbox {
  /** The base URL, without a trailing slash. The Stripe SDK takes its host and port. */
  url: string;
  publicUrl: string;
  smtpUrl: string;
  /** Base URL for an OpenAI-compatible client, ending in /v1. */
  modelUrl: string;
  mailboxUrl: string;
  /** An API key; any other sk_test_ key works too. */
  stripeSecretKey: string;
  /** Answers a request to the sandbox's URL like HTTP does, but without a connection. */
  fetch: Fetch;
  /** Null: what happens from now on is not reported. */
  setWebhook(webhook: Endpoint | null): void;
  /** Milliseconds since 1970 on the sandbox clock, which `/_sandbox/clock` moves ahead of the real one. */
  now(): number;
  /** Replaces the certificate of `payerPages`, for new connections. */
  setTls(keys: TlsKeys): void;
  close(): Promise<void>;
}

const LOOPBACK = '127.0.0.1';
const RETRIES_MS = [1000, 5000, 30_000, 120_000, 600_000];

/** Starts the fakes on one HTTP port and one SMTP port. Rejects if a port is in use or the data cannot be read. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const cleanup: (() => unknown)[] = [];
  try {
    return await start(options, cleanup);
  } catch (failure) {
    for (const step of cleanup.reverse()) await step();
    throw failure;
  }
}

async function start(options: SandboxOptions, cleanup: (() => unknown)[]): Promise<Sandbox> {
  const host = options.host ?? LOOPBACK;
  const now = options.now ?? Date.now;
  const app = new Hono();
  // The pages need the port, so early requests wait until the pages are ready.
  const { promise: start, resolve: open } = Promise.withResolvers<void>();
  const server = serve({
    fetch: async (request, env) => {
      await start;
      return app.fetch(request, env);
    },
    port: options.port,
    hostname: host,
  });
  await once(server, 'listening');
  cleanup.push(() => server.close());
  // Longer than clients keep idle connections, so that no request meets a closing connection.
  if ('keepAliveTimeout' in server) server.keepAliveTimeout = 75_000;
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : options.port;
  const url = `http://${host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host}:${port}`;
  const publicUrl = (options.publicUrl ?? `http://localhost:${port}`).replace(/\/+$/, '');

  const emails = openEmails(options.dataDir && join(options.dataDir, 'mail'), now);
  const smtp = await startSmtp(emails, { port: options.smtpPort ?? 0, host: LOOPBACK });
  cleanup.push(smtp.close);
  const payments = startPayments({
    dataDir: options.dataDir,
    publicUrl: options.payerPages?.publicUrl ?? publicUrl,
    real: now,
    retryDelaysMs: options.retryDelaysMs ?? RETRIES_MS,
    webhookTimeoutMs: options.webhookTimeoutMs ?? 10_000,
    webhook: options.webhook ?? null,
    send: options.send ?? fetch,
  });
  if (options.accountName) payments.world.state.settings.account_name = options.accountName;
  const model = createModelControl();
  app.use(guard(options.payerPages?.publicUrl ?? publicUrl));
  app.route('/', payments.app);
  app.route('/', mailboxRoutes(emails));
  app.route('/', modelRoutes(model, now, options.slowModelMs));
  app.route('/', controls({ payments, emails, model }));
  app.route('/', fonts());
  app.route('/', homePages({ payments, emails }));
  app.notFound((c) => c.html(notFoundPage(), 404));
  let payerPages: PayerPages | undefined;
  if (options.payerPages) {
    payerPages = await openPayerPages(app, options.payerPages);
    cleanup.push(payerPages.close);
  }
  open();

  return {
    url,
    publicUrl,
    smtpUrl: `smtp://${LOOPBACK}:${smtp.port}`,
    modelUrl: `${url}/model/v1`,
    mailboxUrl: `${publicUrl}/mailbox`,
    stripeSecretKey: 'sk_test_cellar_door_sandbox',
    fetch: fetchInProcess(app),
    setWebhook: (webhook) => payments.webhooks.setEndpoint(webhook),
    now: () => now() + payments.world.state.clock_offset,
    setTls: (keys) => payerPages?.setTls(keys),
    async close() {
      await payerPages?.close();
      await payments.close();
      await smtp.close();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        if ('closeAllConnections' in server) server.closeAllConnections();
      });
    },
  };
}
