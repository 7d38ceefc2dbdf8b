import type { Logger } from 'pino';
import Stripe from 'stripe';
import { Refusal } from '../../domain/refusal.ts';

export function isStripeError(error: unknown): error is Stripe.errors.StripeError {
  return error instanceof Stripe.errors.StripeError;
}

/** Stripe does not know the object; param is the parameter that named it, when a parameter did. */
export function isMissing(error: unknown, param?: string): boolean {
  return (
    isStripeError(error) &&
    error.code === 'resource_missing' &&
    (param === undefined || error.param === param)
  );
}

/**
 * Nothing usable came of the request, and the same request again would bring the same answer.
 * Not so for a lost connection, a rate limit or a request still under way: there the same key may yet succeed.
 */
export function isFinal(error: unknown): boolean {
  if (!isStripeError(error) || error.statusCode === 409 || error.statusCode === 429) return false;
  return (
    error instanceof Stripe.errors.StripeInvalidRequestError ||
    error instanceof Stripe.errors.StripeAPIError ||
    error instanceof Stripe.errors.StripeIdempotencyError
  );
}

/** Stripe asked the card's bank and was told no, or the bank wants its holder, or there is no card. */
export function isUnpaid(error: unknown): boolean {
  if (!isStripeError(error)) return false;
  return error.statusCode === 402 || (isMissing(error) && error.param === undefined);
}

/** Runs a member's request. Throws Refusal PAYMENTS_UNAVAILABLE in place of Stripe's errors, which are logged. */
export async function orUnavailable<T>(log: Logger, what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isStripeError(error)) throw error;
    log.error({ err: error, what }, 'Stripe did not do what was asked');
    const refusal = new Refusal('PAYMENTS_UNAVAILABLE');
    refusal.cause = error;
    throw refusal;
  }
}
