import Stripe from 'stripe';

/** The API version of the installed SDK: the only one served, and part of every event. */
export const API_VERSION: string = Stripe.API_VERSION;
