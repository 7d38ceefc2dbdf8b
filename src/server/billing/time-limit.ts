import type Stripe from 'stripe';
import { Refusal } from '../../contract/refusals.ts';
import type { BillingContext } from './billing-context.ts';
import { isStripeError } from './stripe-errors.ts';

/**
 * Runs the work of a request and waits for it at most `ms`. When the time is up, nothing more is requested from Stripe;
 * a request under way runs to its end, and the next reconciliation finds what it did. Throws what the work throws, and
 * Refusal PAYMENTS_UNAVAILABLE when the time is up.
 */
export function withinLimit<T>(
  ctx: BillingContext,
  ms: number,
  work: (limited: BillingContext) => Promise<T>,
): Promise<T> {
  const end = new AbortController();
  const { signal } = end;
  const refuseIfOver = () => {
    if (signal.aborted) throw new Refusal('PAYMENTS_UNAVAILABLE');
  };
  const running = work({
    ...ctx,
    stripe: stoppable(ctx.stripe, refuseIfOver),
    async reconcile(userId) {
      refuseIfOver();
      const result = await ctx.reconcile(userId);
      refuseIfOver();
      return result;
    },
    runInUserQueue: (userId, queued) =>
      ctx.runInUserQueue(userId, async () => {
        refuseIfOver();
        return queued();
      }),
  });
  return waitAtMost(ms, running, () => {
    end.abort();
    ctx.log.warn({ waited_ms: ms }, 'Stripe is slow to answer; a request was abandoned');
    throw new Refusal('PAYMENTS_UNAVAILABLE');
  });
}

/** The result of work that continues in the background; after `ms`, the result of `otherwise` instead. */
export async function waitAtMost<T>(ms: number, running: Promise<T>, otherwise: () => T): Promise<T> {
  const { promise: over, resolve } = Promise.withResolvers<'over'>();
  const timer = setTimeout(resolve, ms, 'over');
  try {
    const first = await Promise.race([running.then((result) => ({ result })), over]);
    if (first !== 'over') return first.result;
    // The caller no longer waits; failures were logged where they happened.
    running.catch(() => undefined);
    return otherwise();
  } finally {
    clearTimeout(timer);
  }
}

/** Carries out a committed change, and waits for it at most `ms`; if Stripe fails, the sweeper continues. */
export async function reconcileSoon(ctx: BillingContext, ms: number, userId: string): Promise<void> {
  const running = ctx.reconcile(userId).catch((error: unknown) => {
    if (!isStripeError(error)) throw error;
    ctx.log.error({ err: error, user_id: userId }, 'Stripe request failed; the sweeper retries it');
  });
  await waitAtMost<unknown>(ms, running, () => undefined);
}

/** A client that checks before each request whether time is up. */
function stoppable(stripe: Stripe, refuseIfOver: () => void): Stripe {
  const guard = <O extends object>(part: O): O =>
    new Proxy(part, {
      get(target, key) {
        const value: unknown = Reflect.get(target, key);
        if (typeof value === 'object' && value !== null) return guard(value);
        if (typeof value !== 'function') return value;
        return (...args: unknown[]) => {
          refuseIfOver();
          return value.apply(target, args);
        };
      },
    });
  return guard(stripe);
}
