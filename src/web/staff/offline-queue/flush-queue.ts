import type { BarBenefit } from '../../../contract/benefits.ts';
import {
  type PourOutcome,
  sendPour,
  sendUse,
  tooManyPoursText,
  type UseOutcome,
} from '../pours/record-pour.ts';
import { changeQueued, settleQueued } from './queue.ts';
import { queueStore } from './queue-store.ts';
import { isUse, type QueuedEntry, recordInput, takeInput } from './queued-pour.ts';

export interface FlushContext {
  /** The id of the signed-in user; null if none. Rejects if the server cannot be reached. */
  currentUserId: () => Promise<string | null>;
  voidPour: (pourId: string) => Promise<{ pours_balance: number }>;
  voidUse: (useId: string) => Promise<{ benefits: BarBenefit[] }>;
  onSent: (entry: QueuedEntry) => void;
  onRefused: (entry: QueuedEntry, reason: string) => void;
}

/** done: this user has nothing left to send. retry: some entry could not be sent. stopped: another user signed in. */
export type FlushResult = 'done' | 'retry' | 'stopped';

type Outcome = PourOutcome | UseOutcome;
type Recorded = Extract<Outcome, { kind: 'recorded' }>;

/** Sends this user's entries, oldest first (`docs/rules/pours.md`, "Offline queue"). */
export async function flushQueue(staffId: string, context: FlushContext): Promise<FlushResult> {
  let unsettled = false;
  for (const queued of queueStore.fresh().entries) {
    if (queued.staff_id !== staffId || queued.refused !== undefined) continue;
    // Checked before each: all tabs share one session, and an entry is recorded under the signed-in user.
    const userId = await context.currentUserId().catch(() => undefined);
    if (userId === undefined) return 'retry';
    if (userId !== staffId) return 'stopped';
    const entry = await changeQueued(queued.request_id, { attempted: true });
    if (!entry || entry.refused !== undefined) continue;
    const outcome: Outcome = await (isUse(entry) ? sendUse(takeInput(entry)) : sendPour(recordInput(entry)));
    if (outcome.kind === 'unsent' || (outcome.kind === 'refused' && outcome.forNow)) return 'retry';
    // A server error for this one must not hold up the others.
    if (outcome.kind === 'unanswered') unsettled = true;
    else if (outcome.kind !== 'recorded') await settleRefused(entry, outcome, context);
    else if (!(await settleRecorded(entry, outcome, context))) unsettled = true;
  }
  return unsettled ? 'retry' : 'done';
}

/** Stores on this device what the server says is left. */
function note(customerId: string, answer: { pours_balance: number } | { benefits: BarBenefit[] }): void {
  if ('benefits' in answer) queueStore.noteReport(customerId, { benefits: answer.benefits });
  else queueStore.noteBalance(customerId, answer.pours_balance);
}

/** Resolves to false if the entry has to stay in the queue. */
async function settleRecorded(
  entry: QueuedEntry,
  answer: Recorded,
  { voidPour, voidUse, onSent }: FlushContext,
): Promise<boolean> {
  note(entry.customer_id, answer);
  if ((await settleQueued(entry.request_id)) === 'removed') {
    onSent(entry);
    return true;
  }
  try {
    note(entry.customer_id, await ('use_id' in answer ? voidUse(answer.use_id) : voidPour(answer.pour.id)));
  } catch {
    return false;
  }
  queueStore.remove(entry.request_id);
  return true;
}

async function settleRefused(
  entry: QueuedEntry,
  answer: Extract<Outcome, { kind: 'too_many' | 'refused' }>,
  { onRefused }: FlushContext,
): Promise<void> {
  if (answer.kind === 'too_many') queueStore.noteBalance(entry.customer_id, answer.available);
  const reason =
    answer.kind === 'too_many'
      ? tooManyPoursText(answer.available)
      : (answer.reason ?? 'The server refused this.');
  const queued = await changeQueued(entry.request_id, { refused: reason });
  // Staff have already undone it, so there is nothing to report.
  if (queued?.withdrawn) queueStore.remove(entry.request_id);
  else if (queued) onRefused(entry, reason);
}
