import Stripe from 'stripe';
import { type CallWatch, watchCall } from '../platform/watch-call.ts';

/** The version of Stripe's API that this code is written for; webhook endpoints are pinned to it too. */
export const API_VERSION = '2026-10-28.endive';

const TIMEOUT_MS = 15_000;

/**
 * Creates a client of Stripe's SDK. `apiUrl` (http or https) points it at another server with the same API; `watch` sees
 * each request, including the SDK's retries; `httpClient` replaces Node's own client. Throws if the installed SDK is for
 * another version of the API.
 */
export function createStripe(options: {
  secretKey: string;
  apiUrl?: string;
  maxNetworkRetries?: number;
  watch?: StripeWatch | undefined;
  httpClient?: StripeHttpClient;
}): Stripe {
  if (Stripe.API_VERSION !== API_VERSION) {
    throw new Error(
      `The Stripe SDK is for API version ${Stripe.API_VERSION}, but billing needs ${API_VERSION}`,
    );
  }
  const client = options.httpClient ?? Stripe.createNodeHttpClient();
  return new Stripe(options.secretKey, {
    apiVersion: API_VERSION,
    maxNetworkRetries: options.maxNetworkRetries ?? 2,
    timeout: TIMEOUT_MS,
    telemetry: false,
    httpClient: options.watch ? watchedClient(client, options.watch) : client,
    ...endpoint(options.apiUrl),
  });
}

export type StripeHttpClient = Stripe.HttpClient;

export interface StripeWatch extends CallWatch {
  /** Whether Stripe answered a request; a server error is no answer. */
  called?(answered: boolean): void;
  /** Stripe's own clock, from the date of a response. */
  heardTime?(theirs: Date): void;
}

function watchedClient(client: Stripe.HttpClient, watch: StripeWatch): Stripe.HttpClient {
  const makeRequest = client.makeRequest.bind(client);
  client.makeRequest = async (...args) => {
    const [, , path, method] = args;
    const { response, status } = await watchCall(watch, { service: 'stripe', method, path }, async () => {
      const answer = await makeRequest(...args);
      return { status: answer.getStatusCode(), response: answer };
    }).catch((error) => {
      watch.called?.(false);
      throw error;
    });
    watch.called?.(status < 500);
    const date = response.getHeaders().date;
    if (typeof date === 'string') watch.heardTime?.(new Date(date));
    return response;
  };
  return client;
}

function endpoint(apiUrl: string | undefined): Pick<Stripe.StripeConfig, 'protocol' | 'host' | 'port'> {
  if (!apiUrl) return {};
  const { protocol, hostname, port } = new URL(apiUrl);
  const secure = protocol === 'https:';
  return { protocol: secure ? 'https' : 'http', host: hostname, port: Number(port) || (secure ? 443 : 80) };
}
