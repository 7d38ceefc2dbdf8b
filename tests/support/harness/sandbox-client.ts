import Stripe from 'stripe';
import type { Sandbox } from '../../../sandbox/index.ts';

/** Sends the SDK's requests to the sandbox without a connection. */
export const sandboxClient = ({ fetch }: Sandbox): Stripe.HttpClient =>
  Stripe.createFetchHttpClient(fetch as typeof globalThis.fetch);
