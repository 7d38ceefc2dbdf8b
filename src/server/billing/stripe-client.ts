import Stripe from 'stripe';

/** The one version of Stripe's API that this code was written against; webhook endpoints are pinned to it too. */
export const API_VERSION = '2026-10-28.endive';

const TIMEOUT_MS = 15_000;

/**
 * Stripe's own SDK. apiUrl (http or https) points it at another server that speaks the same API.
 * Throws when the installed SDK speaks another version than the one pinned here.
 */
export function createStripe(options: {
  secretKey: string;
  apiUrl?: string;
  maxNetworkRetries?: number;
}): Stripe {
  if (Stripe.API_VERSION !== API_VERSION) {
    throw new Error(`The Stripe SDK speaks ${Stripe.API_VERSION}; billing is written for ${API_VERSION}`);
  }
  return new Stripe(options.secretKey, {
    apiVersion: API_VERSION,
    maxNetworkRetries: options.maxNetworkRetries ?? 2,
    timeout: TIMEOUT_MS,
    telemetry: false,
    ...(options.apiUrl ? endpoint(options.apiUrl) : {}),
  });
}

function endpoint(apiUrl: string): { protocol: 'http' | 'https'; host: string; port: number } {
  const { protocol, hostname, port } = new URL(apiUrl);
  const secure = protocol === 'https:';
  return { protocol: secure ? 'https' : 'http', host: hostname, port: Number(port) || (secure ? 443 : 80) };
}
