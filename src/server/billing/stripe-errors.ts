import type { Logger } from 'pino';
import Stripe from 'stripe';
import { Refusal } from '../../contract/refusals.ts';

export function isStripeError(error: unknown): error is Stripe.errors.StripeError {
  return error instanceof Stripe.errors.StripeError;
}

/** The object does not exist at Stripe. `param` limits this to the object that the parameter named. */
export function isMissing(error: unknown, param?: string): boolean {
  return (
    isStripeError(error) &&
    error.code === 'resource_missing' &&
    (param === undefined || error.param === param)
  );
}

/** The answer to a request; null if Stripe does not have the object. Throws Stripe's other errors. */
export async function unlessMissing<T>(request: Promise<T>): Promise<T | null> {
  try {
    return await request;
  } catch (error) {
    if (!isMissing(error)) throw error;
    return null;
  }
}

/**
 * The request failed, and repeating it would fail the same way. False for a lost connection, a rate limit or a request in
 * progress, where the same idempotency key may succeed later; also for a declined card and a key without rights.
 */
export function isFinal(error: unknown): boolean {
  if (!isStripeError(error) || error.statusCode === 409 || error.statusCode === 429) return false;
  return (
    error instanceof Stripe.errors.StripeInvalidRequestError ||
    error instanceof Stripe.errors.StripeAPIError ||
    error instanceof Stripe.errors.StripeIdempotencyError
  );
}

/**
 * Stripe stores these answers under the idempotency key, and repeats them for a day. Other answers come from before
 * Stripe's API, such as a rate limit, or never arrived (docs.stripe.com/error-low-level).
 */
const REPLAYED = new Set<number | undefined>([400, 402, 404, 500]);

/** Whether the same idempotency key would get the same answer. */
export function isReplayed(error: unknown): boolean {
  return isStripeError(error) && REPLAYED.has(error.statusCode);
}

/** Stripe understood the request and refuses it for good. False for a server error. */
export function isRefused(error: unknown): boolean {
  return isFinal(error) && error instanceof Stripe.errors.StripeInvalidRequestError;
}

/** The key lacks a permission. */
export const isForbidden = (error: unknown): boolean => error instanceof Stripe.errors.StripePermissionError;

/** Refused for now: our balance at Stripe must first grow. */
const REFUSED_FOR_NOW = new Set(['balance_insufficient', 'insufficient_funds']);

/** Stripe will never make this refund. */
export function isRefundRefused(error: unknown): error is Stripe.errors.StripeError {
  return isStripeError(error) && isRefused(error) && !REFUSED_FOR_NOW.has(error.code ?? '');
}

/** The bank declined the charge or asks the cardholder to authenticate, or there is no payment method. */
export function isUnpaid(error: unknown): boolean {
  if (!isStripeError(error)) return false;
  return error.statusCode === 402 || (isMissing(error) && error.param === undefined);
}

const APPROVAL_CODES = new Set([
  'subscription_payment_intent_requires_action',
  'invoice_payment_intent_requires_action',
  'authentication_required',
]);

/** The bank requires the cardholder to approve the payment first. */
export function needsApproval(error: unknown): boolean {
  if (!isStripeError(error)) return false;
  return APPROVAL_CODES.has(error.code ?? '') || error.decline_code === 'authentication_required';
}

/** The bank's code for declining, such as 'insufficient_funds', otherwise Stripe's; null without one. */
export const bankAnswer = (error: unknown): string | null =>
  isStripeError(error) ? (error.decline_code ?? error.code ?? null) : null;

/** Runs work that calls Stripe. Logs Stripe's errors and throws Refusal PAYMENTS_UNAVAILABLE instead. */
export async function orUnavailable<T>(log: Logger, action: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isStripeError(error)) throw error;
    log.error({ err: error, action }, 'Stripe request failed');
    const refusal = new Refusal('PAYMENTS_UNAVAILABLE');
    refusal.cause = error;
    throw refusal;
  }
}
