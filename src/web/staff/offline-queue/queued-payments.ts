import { useSyncExternalStore } from 'react';
import type { InputOf } from '../../../contract/base.ts';
import type { memberDues } from '../../../contract/staff/dues.ts';
import { isUuid } from '../../../domain/uuid.ts';
import { api, refusalOf, serverMessage } from '../../api/client.ts';
import { inTime } from '../../api/in-time.ts';
import { localKeys, PAYMENT_PREFIX, readLocal, removeLocal, writeLocal } from '../../api/local-storage.ts';
import { DUES_OBSTACLE_TEXT } from '../dues/dues-text.ts';
import { isForLater } from '../pours/record-pour.ts';

// Payments at the venue that the server has not answered: docs/rules/dues.md, "Recording and voiding".

export interface QueuedPayment {
  /** As it is sent; its `request_id` counts once. */
  payment: InputOf<typeof memberDues.record>;
  /** The member's name. */
  member: string;
  /** The staff user who took it; sent only in their session. */
  staff_id: string;
  /** The reason the server refused it, which stays until dismissed and is not sent again. */
  refused?: string;
}

const listeners = new Set<() => void>();
let cached: readonly QueuedPayment[] | null = null;

function changed(): void {
  cached = null;
  for (const listener of listeners) listener();
}

const onStorage = ({ key }: StorageEvent) => {
  if (key === null || key.startsWith(PAYMENT_PREFIX)) changed();
};

function isPayment(value: unknown): value is QueuedPayment {
  const { payment, member, staff_id } = (value ?? {}) as Partial<QueuedPayment>;
  return typeof member === 'string' && typeof staff_id === 'string' && isUuid(payment?.request_id ?? '');
}

export const queuedPayments = {
  get(): readonly QueuedPayment[] {
    cached ??= localKeys(PAYMENT_PREFIX)
      .map(readLocal)
      .filter(isPayment)
      .sort((a, b) => (a.payment.request_id < b.payment.request_id ? -1 : 1));
    return cached;
  },
  subscribe(listener: () => void): () => void {
    if (listeners.size === 0) window.addEventListener('storage', onStorage);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) window.removeEventListener('storage', onStorage);
    };
  },
  /** False if the browser has no space: then staff must know that it is not kept. */
  save(queued: QueuedPayment): boolean {
    const isStored = writeLocal(PAYMENT_PREFIX + queued.payment.request_id, queued);
    changed();
    return isStored;
  },
  remove(request_id: string): void {
    removeLocal(PAYMENT_PREFIX + request_id);
    changed();
  },
};

export const useQueuedPayments = () => useSyncExternalStore(queuedPayments.subscribe, queuedPayments.get);

export interface PaymentContext {
  /** The id of the signed-in user; null if none. Rejects if the server cannot be reached. */
  currentUserId: () => Promise<string | null>;
  onPaid: (queued: QueuedPayment) => void;
  onUnpaid: (queued: QueuedPayment, reason: string) => void;
}

/** Sends a user's queued payments. retry: one could not be sent. stopped: another user signed in. */
export async function sendPayments(
  staffId: string,
  { currentUserId, onPaid, onUnpaid }: PaymentContext,
): Promise<'done' | 'retry' | 'stopped'> {
  for (const queued of queuedPayments.get()) {
    if (queued.staff_id !== staffId || queued.refused !== undefined) continue;
    // Checked before each: all tabs share one session, and a payment is recorded under the signed-in user.
    const userId = await currentUserId().catch(() => undefined);
    if (userId === undefined) return 'retry';
    if (userId !== staffId) return 'stopped';
    try {
      await api.memberDues.record(queued.payment, inTime());
      queuedPayments.remove(queued.payment.request_id);
      onPaid(queued);
    } catch (error) {
      if (isForLater(error)) return 'retry';
      const obstacle = refusalOf(error, 'DUES_REFUSED')?.data.reason;
      const refused =
        (obstacle ? DUES_OBSTACLE_TEXT[obstacle] : serverMessage(error)) ??
        'The server refused this payment.';
      queuedPayments.save({ ...queued, refused });
      onUnpaid(queued, refused);
    }
  }
  return 'done';
}
