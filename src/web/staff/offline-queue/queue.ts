import { queueStore } from './queue-store.ts';
import { balanceAfterQueue, type QueuedPour } from './queued-pour.ts';
import { withTabLock } from './tab-lock.ts';

const WRITE_LOCK = 'pours:write';

export type QueueResult = 'queued' | 'beyond_balance' | 'storage_full';

/** `shownBalance`: the page's balance, used only if this device has stored none. */
export function localBalance(customerId: string, shownBalance: number, queue = queueStore.get()): number {
  const balance = queue.balances[customerId]?.balance ?? shownBalance;
  return balanceAfterQueue(balance, customerId, queue.pours);
}

export function queuePour(pour: QueuedPour, shownBalance: number): Promise<QueueResult> {
  return withTabLock(WRITE_LOCK, async () => {
    const queue = queueStore.fresh();
    const already = queue.pours.some(({ request_id }) => request_id === pour.request_id);
    if (already) return 'queued';
    // A guest glass was already held and is not part of the balance.
    const extra = pour.guest_glass_id ? 1 : 0;
    if (pour.quantity > localBalance(pour.customer_id, shownBalance, queue) + extra) return 'beyond_balance';
    try {
      queueStore.save(pour);
      return 'queued';
    } catch {
      return 'storage_full';
    }
  });
}

const find = (requestId: string) => queueStore.fresh().pours.find((pour) => pour.request_id === requestId);

/** Changes a queued pour. Returns null if it has left the queue. */
export function changeQueued(
  requestId: string,
  change: Partial<Pick<QueuedPour, 'attempted' | 'withdrawn' | 'refused'>>,
): Promise<QueuedPour | null> {
  return withTabLock(WRITE_LOCK, async () => {
    const pour = find(requestId);
    if (!pour) return null;
    const next = { ...pour, ...change };
    queueStore.save(next);
    return next;
  });
}

/** Removes a recorded pour from the queue, unless staff undid it while it was being sent. */
export function settleQueued(requestId: string): Promise<'removed' | 'withdrawn'> {
  return withTabLock(WRITE_LOCK, async () => {
    if (find(requestId)?.withdrawn) return 'withdrawn';
    queueStore.remove(requestId);
    return 'removed';
  });
}

/** Removes a pour that was never sent; any other is sent again and then voided. False if it has left the queue. */
export function withdrawQueued(requestId: string): Promise<boolean> {
  return withTabLock(WRITE_LOCK, async () => {
    const pour = find(requestId);
    if (!pour || pour.refused !== undefined) return false;
    if (pour.attempted) queueStore.save({ ...pour, withdrawn: true });
    else queueStore.remove(requestId);
    return true;
  });
}
