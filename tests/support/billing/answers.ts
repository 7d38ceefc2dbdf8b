import Stripe from 'stripe';
import { createStripe } from '../../../src/server/billing/stripe-client.ts';
import type { Venue } from './venue.ts';

interface StripeCall {
  method: string;
  path: string;
  query: URLSearchParams;
  body: URLSearchParams;
}

// biome-ignore lint/suspicious/noExplicitAny: an answer of Stripe as it is on the wire.
type Json = any;

interface Change {
  /** Changes an answer in place: what Stripe is documented or recorded to answer, and the sandbox does not. */
  answer?(call: StripeCall, json: Json): void;
  /** Answers a call without the sandbox; undefined to let it through. */
  instead?(call: StripeCall): { status: number; json: Json } | undefined;
}

/** Serves the venue with billing whose answers from Stripe are changed on the way. `calls` are the requests it made. */
export function changeAnswers(venue: Venue, { answer, instead }: Change) {
  const calls: StripeCall[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const url = new URL(String(input));
    const call = {
      method: init?.method ?? 'GET',
      path: url.pathname,
      query: url.searchParams,
      body: new URLSearchParams(String(init?.body ?? '')),
    };
    calls.push(call);
    const given = instead?.(call);
    if (given) return Response.json(given.json, { status: given.status });
    const response = await venue.sandbox.fetch(String(url), init);
    const json = await response.json();
    answer?.(call, json);
    return Response.json(json, { status: response.status });
  };
  const stripe = createStripe({
    secretKey: venue.sandbox.stripeSecretKey,
    apiUrl: venue.sandbox.url,
    maxNetworkRetries: 0,
    httpClient: Stripe.createFetchHttpClient(fetch),
  });
  const billing = venue.anotherProcess({ stripe });
  venue.serveWith(billing);
  return { billing, calls };
}
