import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import Stripe from 'stripe';
import { onTestFinished } from 'vitest';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../../sandbox/index.ts';

export const SECRET = 'whsec_test_secret';

export interface Harness {
  sandbox: Sandbox;
  stripe: Stripe;
  /** Calls a control under /_sandbox and returns its JSON. */
  control<T = Record<string, unknown>>(path: string, body?: object): Promise<T>;
  advance(by: string | number): Promise<void>;
}

/** Opens a sandbox for one test and closes it when the test ends. */
export async function startHarness(options: Partial<SandboxOptions> = {}): Promise<Harness> {
  const sandbox = await startSandbox({ port: 0, retryDelaysMs: [5, 5, 5], ...options });
  onTestFinished(() => sandbox.close());
  const { hostname, port } = new URL(sandbox.url);
  const stripe = new Stripe(sandbox.stripeSecretKey, {
    host: hostname,
    port: Number(port),
    protocol: 'http',
    maxNetworkRetries: 0,
    telemetry: false,
  });
  const control = async <T>(path: string, body?: object): Promise<T> => {
    const answer = await fetch(`${sandbox.url}/_sandbox/${path}`, {
      method: body ? 'POST' : 'GET',
      ...(body ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } } : {}),
    });
    const json = (await answer.json()) as T & { error?: string };
    if (!answer.ok) throw new Error(json.error);
    return json;
  };
  return {
    sandbox,
    stripe,
    control,
    async advance(by) {
      await control('clock', { advance: by });
    },
  };
}

/** Creates the products and monthly prices of two tiers. Amounts in cents. */
export async function createTiers(stripe: Stripe) {
  const make = async (name: string, amount: number) => {
    const product = await stripe.products.create({ name });
    return stripe.prices.create({
      product: product.id,
      currency: 'usd',
      unit_amount: amount,
      recurring: { interval: 'month' },
      lookup_key: name.toLowerCase(),
    });
  };
  return { select: await make('Select', 3000), premier: await make('Premier', 6000) };
}

/** Creates a customer with a default card. */
export async function createPayer(stripe: Stripe, card = 'pm_card_visa', test_clock?: string) {
  const customer = await stripe.customers.create({ email: 'ada@example.test', test_clock });
  const method = await stripe.paymentMethods.attach(card, { customer: customer.id });
  return stripe.customers.update(customer.id, { invoice_settings: { default_payment_method: method.id } });
}

export const CARD = {
  email: 'ada@example.test',
  number: '4242 4242 4242 4242',
  expiry: '12 / 34',
  cvc: '123',
  name: 'Ada Lovelace',
};

/** Submits a hosted page like a browser. */
export function submitForm(url: string, fields: Record<string, string>): Promise<Response> {
  return fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
}

/** The checkout page of a session, at the URL that the test can reach. */
export function pageOf(harness: Harness, session: { id: string }): string {
  return `${harness.sandbox.url}/c/pay/${session.id}`;
}

export interface Received {
  type: string;
  id: string;
  body: string;
  signature: string;
}

/** Opens a webhook endpoint that records requests and responds with a status (default 200) or not at all. */
export async function startEndpoint(
  answer: (received: Received, count: number) => number | 'silence' = () => 200,
) {
  const received: Received[] = [];
  let wake: () => void = () => undefined;
  const server: Server = createServer(async (request, response) => {
    const body = await text(request);
    const { type, id } = JSON.parse(body) as { type: string; id: string };
    const entry = { type, id, body, signature: String(request.headers['stripe-signature']) };
    received.push(entry);
    const status = answer(entry, received.length);
    if (status !== 'silence') response.writeHead(status).end();
    wake();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    /** Resolves when the recorded requests satisfy the condition. */
    async until(condition: (received: Received[]) => boolean): Promise<void> {
      while (!condition(received)) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}
