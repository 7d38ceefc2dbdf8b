import { queueStore } from './queue-store.ts';
import { glassesLeft, type QueuedPour } from './queued-pour.ts';
import { withTabLock } from './tab-lock.ts';

const WRITING = 'pours:write';

export type Queued = 'waits' | 'beyond_balance' | 'no_room';

/** What is left for a member here. `asSeen` is what the page was told, for a member this device has no word on. */
export function leftOnDevice(customerId: string, asSeen: number, kept = queueStore.get()): number {
  return glassesLeft(kept.told[customerId]?.balance ?? asSeen, customerId, kept.pours);
}

/** Puts a pour into the queue, never beyond the last known balance of its member. */
export function queuePour(pour: QueuedPour, asSeen: number): Promise<Queued> {
  return withTabLock(WRITING, async () => {
    const kept = queueStore.fresh();
    const already = kept.pours.some(({ request_id }) => request_id === pour.request_id);
    if (already) return 'waits';
    if (pour.quantity > leftOnDevice(pour.customer_id, asSeen, kept)) return 'beyond_balance';
    try {
      queueStore.keep(pour);
      return 'waits';
    } catch {
      return 'no_room';
    }
  });
}

const find = (requestId: string) => queueStore.fresh().pours.find((pour) => pour.request_id === requestId);

/** Changes a pour that is still there; null when it is gone meanwhile. */
export function changeQueued(
  requestId: string,
  change: Partial<Pick<QueuedPour, 'attempted' | 'withdrawn' | 'refused'>>,
): Promise<QueuedPour | null> {
  return withTabLock(WRITING, async () => {
    const pour = find(requestId);
    if (!pour) return null;
    const next = { ...pour, ...change };
    queueStore.keep(next);
    return next;
  });
}

/** Ends the wait of a pour, unless staff took it back while it was on its way. */
export function settleQueued(requestId: string): Promise<'gone' | 'withdrawn'> {
  return withTabLock(WRITING, async () => {
    if (find(requestId)?.withdrawn) return 'withdrawn';
    queueStore.drop(requestId);
    return 'gone';
  });
}

/**
 * Takes back a pour that waits. One that never went out is simply forgotten; one that may have been counted is
 * settled with the server first, and voided there. Answers false when it was sent meanwhile.
 */
export function withdrawQueued(requestId: string): Promise<boolean> {
  return withTabLock(WRITING, async () => {
    const pour = find(requestId);
    if (!pour || pour.refused !== undefined) return false;
    if (pour.attempted) queueStore.keep({ ...pour, withdrawn: true });
    else queueStore.drop(requestId);
    return true;
  });
}

/** A refusal that has been read. */
export function dismissRefused(requestId: string): void {
  queueStore.drop(requestId);
}
