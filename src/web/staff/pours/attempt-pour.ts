import type { RecordPourInput } from '../../../contract/pours.ts';
import { localBalance } from '../offline-queue/queue.ts';
import { queueStore } from '../offline-queue/queue-store.ts';
import type { PourOutcome } from './record-pour.ts';
import { checkAvailable, sendPour } from './record-pour.ts';

interface Attempt {
  /** Ask first what is available, as the full form does. */
  checkFirst: boolean;
  /** This request was sent before and got no answer. */
  sentBefore: boolean;
  /** Runs right before the pour is sent. */
  beforeSend: () => Promise<unknown>;
}

/** Tries to record a pour now (`docs/rules.md`, "One-scan pour"). Never rejects unless `beforeSend` does. */
export async function attemptPour(
  input: RecordPourInput,
  { checkFirst, sentBefore, beforeSend }: Attempt,
): Promise<PourOutcome> {
  if (!navigator.onLine) return { kind: 'unsent', attempted: sentBefore };
  // A pour whose answer was lost may already be off the balance: checking again would refuse that very pour.
  if (checkFirst && !sentBefore) {
    const check = await checkAvailable(input.customer_id);
    if (check.kind !== 'available') return check;
    queueStore.noteBalance(input.customer_id, check.available);
    const available = localBalance(input.customer_id, check.available);
    if (input.quantity > available) return { kind: 'too_many', available };
  }
  await beforeSend();
  return sendPour(input);
}
