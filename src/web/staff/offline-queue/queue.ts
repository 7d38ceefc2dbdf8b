import { device } from './queue-store.ts';
import { glassesLeft, type WaitingPour } from './queued-pour.ts';
import { oneTabAtATime } from './tab-lock.ts';

const WRITING = 'pours:write';

export type Queued = 'waits' | 'beyond_balance' | 'no_room';

/** What is left for a member here. `asSeen` is what the page was told, for a member this device has no word on. */
export function leftOnDevice(customerId: string, asSeen: number, kept = device.get()): number {
  return glassesLeft(kept.told[customerId]?.balance ?? asSeen, customerId, kept.pours);
}

/** Puts a pour into the queue, never beyond the last known balance of its member. */
export function queuePour(pour: WaitingPour, asSeen: number): Promise<Queued> {
  return oneTabAtATime(WRITING, async () => {
    const kept = device.fresh();
    const already = kept.pours.some(({ request_id }) => request_id === pour.request_id);
    if (already) return 'waits';
    if (pour.quantity > leftOnDevice(pour.customer_id, asSeen, kept)) return 'beyond_balance';
    try {
      device.keep(pour);
      return 'waits';
    } catch {
      return 'no_room';
    }
  });
}

const find = (requestId: string) => device.fresh().pours.find((pour) => pour.request_id === requestId);

/** Changes a pour that is still there; null when it is gone meanwhile. */
export function changeQueued(
  requestId: string,
  change: Partial<Pick<WaitingPour, 'attempted' | 'withdrawn' | 'refused'>>,
): Promise<WaitingPour | null> {
  return oneTabAtATime(WRITING, async () => {
    const pour = find(requestId);
    if (!pour) return null;
    const next = { ...pour, ...change };
    device.keep(next);
    return next;
  });
}

/** Ends the wait of a pour, unless staff took it back while it was on its way. */
export function settleQueued(requestId: string): Promise<'gone' | 'withdrawn'> {
  return oneTabAtATime(WRITING, async () => {
    if (find(requestId)?.withdrawn) return 'withdrawn';
    device.drop(requestId);
    return 'gone';
  });
}

/**
 * Takes back a pour that waits. One that never went out is simply forgotten; one that may have been counted is
 * settled with the server first, and voided there. Answers false when it was sent meanwhile.
 */
export function withdrawQueued(requestId: string): Promise<boolean> {
  return oneTabAtATime(WRITING, async () => {
    const pour = find(requestId);
    if (!pour || pour.refused !== undefined) return false;
    if (pour.attempted) device.keep({ ...pour, withdrawn: true });
    else device.drop(requestId);
    return true;
  });
}

/** A refusal that has been read. */
export function dismissRefused(requestId: string): void {
  device.drop(requestId);
}
