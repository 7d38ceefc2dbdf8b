import { type BillingContext, type BillingDeps, PAYMENT_LIMITS } from '../billing-context.ts';
import { createCoalescedRunner, createPerUserQueue, type QueueDepth } from '../per-user-queue.ts';
import { reconcile } from './reconcile.ts';

/** The context of billing's verbs in one process: users' work runs in turn, and reconciliations that wait are one. */
export function createBilling(deps: BillingDeps): BillingContext {
  const queue: QueueDepth = { pieces: 0 };
  return {
    ...deps,
    limits: deps.limits ?? PAYMENT_LIMITS,
    reconcile: createCoalescedRunner((userId) => reconcile(deps, userId), queue),
    runInUserQueue: createPerUserQueue(queue),
    queueDepth: () => queue.pieces,
  };
}
