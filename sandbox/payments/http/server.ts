import { join } from 'node:path';
import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import type { Fetch } from '../../in-process.ts';
import { readJson, writeJson } from '../../storage.ts';
import { checkoutPages } from '../pages/checkout-page-routes.ts';
import { invoicePages } from '../pages/invoice-page-routes.ts';
import { portalPages } from '../pages/portal-page-routes.ts';
import { emptyState, type State } from '../store/state.ts';
import { createWorld, type World } from '../store/world.ts';
import { catchUp } from '../subscriptions/lifecycle.ts';
import { allRoutes } from './all-routes.ts';
import { envelope, handleRequest } from './api.ts';
import { StripeFault } from './errors.ts';
import { createFaults, type Fault, type Faults } from './faults.ts';
import { API_VERSION } from './version.ts';
import { createWebhooks, DEFAULT_MODE, type Endpoint, type Webhooks } from './webhooks.ts';

const EVENTS_KEPT_MS = 30 * 86_400_000;
const TICK_MS = 1000;

export interface Payments {
  app: Hono<{ Bindings: HttpBindings }>;
  world: World;
  webhooks: Webhooks;
  faults: Faults;
  /** Writes the state and sends new events. Runs after every change, before the response. */
  save(): void;
  /** Deletes everything, and gives every setting its default. */
  reset(): void;
  close(): Promise<void>;
}

/** Starts the payments service: state from disk, routes, pages, webhook deliveries and the clock. */
export function startPayments(options: {
  dataDir: string | undefined;
  publicUrl: string;
  real: () => number;
  retryDelaysMs: number[];
  webhookTimeoutMs: number;
  webhook: Endpoint | null;
  send: Fetch;
}): Payments {
  const file = options.dataDir && join(options.dataDir, 'payments.json');
  const state = file ? (readJson(file) as State | undefined) : undefined;
  const world = createWorld({ publicUrl: options.publicUrl, real: options.real, state });
  const write = () => {
    try {
      if (file) writeJson(file, world.state);
    } catch (failure) {
      if ((failure as { code?: string }).code !== 'ENOSPC') throw failure;
      // The state stays in memory, and the next change tries again to store it.
      console.error(
        `The disk is full: the sandbox cannot store its state in ${file}. Free some space there.`,
      );
    }
  };
  const webhooks = createWebhooks({
    world,
    save: write,
    retryDelaysMs: options.retryDelaysMs,
    timeoutMs: options.webhookTimeoutMs,
    endpoint: options.webhook,
    send: options.send,
  });
  const save = () => {
    write();
    webhooks.kick();
  };
  const faults = createFaults();

  /** Carries out and saves everything that became due since the last call. Every request starts with this. */
  const catchUpAndSave = () => {
    const before = Object.keys(world.state.events).length;
    catchUp(world);
    if (Object.keys(world.state.events).length !== before) save();
  };

  const app = new Hono<{ Bindings: HttpBindings }>();
  app.use('*', async (_c, next) => {
    catchUpAndSave();
    await next();
  });
  app.all('/v1/*', (c) => serveApi(world, faults, save, c.req.raw, c.env?.incoming));
  app.route('/', checkoutPages(world, save));
  app.route('/', portalPages(world, save));
  app.route('/', invoicePages(world, save));

  deleteExpired(world);
  catchUpAndSave();
  webhooks.kick();
  const timer = setInterval(catchUpAndSave, TICK_MS);
  timer.unref();

  return {
    app,
    world,
    webhooks,
    faults,
    save,
    reset() {
      world.state = emptyState(API_VERSION);
      faults.clear();
      webhooks.setMode(DEFAULT_MODE);
      save();
    },
    async close() {
      clearInterval(timer);
      await webhooks.close();
      write();
    },
  };
}

async function serveApi(
  world: World,
  faults: Faults,
  save: () => void,
  request: Request,
  connection: HttpBindings['incoming'] | undefined,
): Promise<Response> {
  const url = new URL(request.url);
  const body = request.method === 'GET' ? '' : await request.text();
  const fault = faults.take(request.method, url.pathname);
  const isExecuted = fault?.kind === 'status' && EXECUTED.has(fault.status);
  if (fault?.kind === 'slow') await pause(fault.ms);
  else if (fault?.when === 'before' && !isExecuted) return failAs(fault, connection);
  const response = handleRequest(world, allRoutes, {
    method: request.method,
    path: url.pathname,
    query: url.search.slice(1),
    body,
    header: (name) => request.headers.get(name) ?? undefined,
    failure: isExecuted ? { when: fault.when, fault: stripeFaultOf(fault) } : undefined,
  });
  if (request.method !== 'GET') save();
  if (fault && fault.kind !== 'slow' && !isExecuted) return failAs(fault, connection);
  return new Response(response.body, { status: response.status, headers: response.headers });
}

/**
 * Statuses of errors from executing the request, which Stripe stores under the idempotency key. Other errors come from
 * earlier stages: permissions, rate limits, an overloaded gateway (docs.stripe.com/error-low-level).
 */
const EXECUTED = new Set([400, 402, 404, 500]);

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms).unref());

async function failAs(fault: Fault, connection: HttpBindings['incoming'] | undefined): Promise<Response> {
  if (fault.kind === 'timeout') await pause(fault.ms);
  if (fault.kind !== 'status') connection?.socket.destroy();
  return faultResponse(stripeFaultOf(fault));
}

function stripeFaultOf({ status }: Fault): StripeFault {
  return new StripeFault(status, {
    type: status >= 500 ? 'api_error' : 'invalid_request_error',
    message: 'This error was requested at /_sandbox/fail-next.',
    ...(status === 429 ? { code: 'rate_limit' } : {}),
  });
}

function faultResponse(fault: StripeFault): Response {
  const { status, body } = envelope(fault, 'req_sandbox');
  return new Response(body, {
    status,
    headers: { 'content-type': 'application/json', 'stripe-version': API_VERSION },
  });
}

/**
 * Deletes events after 30 days and idempotent responses after one, as Stripe does, which limits the file's size. Events
 * still to be delivered stay.
 */
function deleteExpired(world: World): void {
  const limit = (world.real() + world.state.clock_offset - EVENTS_KEPT_MS) / 1000;
  const eventIds = new Set(
    world.state.deliveries
      .filter((delivery) => delivery.state === 'pending' || delivery.state === 'held')
      .map((delivery) => delivery.event),
  );
  for (const event of Object.values(world.state.events))
    if (event.created < limit && !eventIds.has(event.id)) delete world.state.events[event.id];
  world.state.deliveries = world.state.deliveries.filter((delivery) => world.state.events[delivery.event]);
  for (const [key, entry] of Object.entries(world.state.idempotent_responses))
    if (world.real() - entry.at > 86_400_000) delete world.state.idempotent_responses[key];
}
