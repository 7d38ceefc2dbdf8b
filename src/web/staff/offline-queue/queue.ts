import type { BarBenefit } from '../../../contract/benefits.ts';
import { queueStore } from './queue-store.ts';
import {
  balanceAfterQueue,
  benefitsAfterQueue,
  type QueuedEntry,
  type QueuedPour,
  type QueuedUse,
} from './queued-pour.ts';
import { withTabLock } from './tab-lock.ts';

const WRITE_LOCK = 'pours:write';

export type QueueResult = 'queued' | 'beyond_balance' | 'storage_full';

/** `shownBalance`: the page's balance, used only if this device has stored none. */
export function localBalance(customerId: string, shownBalance: number, queue = queueStore.get()): number {
  const balance = queue.balances[customerId]?.balance ?? shownBalance;
  return balanceAfterQueue(balance, customerId, queue.pours);
}

export function queuePour(pour: QueuedPour, shownBalance: number): Promise<QueueResult> {
  // A guest glass was already held and is not part of the balance.
  const extra = pour.guest_glass_id ? 1 : 0;
  return queueEntry(
    pour,
    (queue) => pour.quantity <= localBalance(pour.customer_id, shownBalance, queue) + extra,
  );
}

/** `shown`: the member's benefits as the page has them from the server. */
export function queueUse(use: QueuedUse, shown: readonly BarBenefit[]): Promise<QueueResult> {
  return queueEntry(use, ({ entries }) =>
    benefitsAfterQueue(shown, use.customer_id, entries).some(
      ({ id, left }) => id === use.benefit_id && left !== null && left > 0,
    ),
  );
}

function queueEntry(
  entry: QueuedEntry,
  isLeft: (queue: ReturnType<typeof queueStore.fresh>) => boolean,
): Promise<QueueResult> {
  return withTabLock(WRITE_LOCK, async () => {
    const queue = queueStore.fresh();
    const already = queue.entries.some(({ request_id }) => request_id === entry.request_id);
    if (already) return 'queued';
    if (!isLeft(queue)) return 'beyond_balance';
    try {
      queueStore.save(entry);
      return 'queued';
    } catch {
      return 'storage_full';
    }
  });
}

const find = (requestId: string) => queueStore.fresh().entries.find((it) => it.request_id === requestId);

/** Changes an entry. Returns null if it has left the queue. */
export function changeQueued(
  requestId: string,
  change: Partial<Pick<QueuedEntry, 'attempted' | 'withdrawn' | 'refused'>>,
): Promise<QueuedEntry | null> {
  return withTabLock(WRITE_LOCK, async () => {
    const pour = find(requestId);
    if (!pour) return null;
    const next = { ...pour, ...change };
    queueStore.save(next);
    return next;
  });
}

/** Removes a recorded entry from the queue, unless staff undid it while it was being sent. */
export function settleQueued(requestId: string): Promise<'removed' | 'withdrawn'> {
  return withTabLock(WRITE_LOCK, async () => {
    if (find(requestId)?.withdrawn) return 'withdrawn';
    queueStore.remove(requestId);
    return 'removed';
  });
}

/** Removes an entry that was never sent; any other is sent again and then voided. False if it has left the queue. */
export function withdrawQueued(requestId: string): Promise<boolean> {
  return withTabLock(WRITE_LOCK, async () => {
    const pour = find(requestId);
    if (!pour || pour.refused !== undefined) return false;
    if (pour.attempted) queueStore.save({ ...pour, withdrawn: true });
    else queueStore.remove(requestId);
    return true;
  });
}
