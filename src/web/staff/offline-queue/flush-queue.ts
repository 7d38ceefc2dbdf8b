import { type PourOutcome, sendPour, tooManyPoursText } from '../pours/record-pour.ts';
import { changeQueued, settleQueued } from './queue.ts';
import { queueStore } from './queue-store.ts';
import { type QueuedPour, recordInput } from './queued-pour.ts';

export interface FlushContext {
  /** The id of the signed-in user; null if none. Rejects if the server cannot be reached. */
  currentUserId: () => Promise<string | null>;
  voidPour: (pourId: string) => Promise<{ pours_balance: number }>;
  onSent: (pour: QueuedPour, balance: number) => void;
  onRefused: (pour: QueuedPour, reason: string) => void;
}

/** done: this user has nothing left to send. retry: some pour could not be sent. stopped: another user signed in. */
export type FlushResult = 'done' | 'retry' | 'stopped';

/** Sends this user's queued pours, oldest first (`docs/rules/pours.md`, "Offline queue"). */
export async function flushQueue(staffId: string, context: FlushContext): Promise<FlushResult> {
  let unsettled = false;
  for (const queued of queueStore.fresh().pours) {
    if (queued.staff_id !== staffId || queued.refused !== undefined) continue;
    // Checked before each pour: all tabs share one session, and a pour is recorded under the signed-in user.
    const userId = await context.currentUserId().catch(() => undefined);
    if (userId === undefined) return 'retry';
    if (userId !== staffId) return 'stopped';
    const pour = await changeQueued(queued.request_id, { attempted: true });
    if (!pour || pour.refused !== undefined) continue;
    const outcome = await sendPour(recordInput(pour));
    if (outcome.kind === 'unsent' || (outcome.kind === 'refused' && outcome.forNow)) return 'retry';
    // A server error for this pour must not hold up the others.
    if (outcome.kind === 'unanswered') unsettled = true;
    else if (outcome.kind !== 'recorded') await settleRefused(pour, outcome, context);
    else if (!(await settleRecorded(pour, outcome, context))) unsettled = true;
  }
  return unsettled ? 'retry' : 'done';
}

/** Resolves to false if the pour has to stay in the queue. */
async function settleRecorded(
  pour: QueuedPour,
  answer: Extract<PourOutcome, { kind: 'recorded' }>,
  { voidPour, onSent }: FlushContext,
): Promise<boolean> {
  queueStore.noteBalance(pour.customer_id, answer.pours_balance);
  if ((await settleQueued(pour.request_id)) === 'removed') {
    onSent(pour, answer.pours_balance);
    return true;
  }
  try {
    const { pours_balance } = await voidPour(answer.pour.id);
    queueStore.noteBalance(pour.customer_id, pours_balance);
  } catch {
    return false;
  }
  queueStore.remove(pour.request_id);
  return true;
}

async function settleRefused(
  pour: QueuedPour,
  answer: Extract<PourOutcome, { kind: 'too_many' | 'refused' }>,
  { onRefused }: FlushContext,
): Promise<void> {
  if (answer.kind === 'too_many') queueStore.noteBalance(pour.customer_id, answer.available);
  const reason =
    answer.kind === 'too_many'
      ? tooManyPoursText(answer.available)
      : (answer.reason ?? 'The server refused this pour.');
  const entry = await changeQueued(pour.request_id, { refused: reason });
  // Staff have already undone the pour, so there is nothing to report.
  if (entry?.withdrawn) queueStore.remove(pour.request_id);
  else if (entry) onRefused(pour, reason);
}
