import Stripe from 'stripe';

/** The API version of the installed SDK: the one version spoken here, stamped on every answer and event. */
export const API_VERSION: string = Stripe.API_VERSION;
