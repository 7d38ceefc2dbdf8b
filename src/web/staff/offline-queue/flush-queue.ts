import type { PourOutcome } from '../pours/record-pour.ts';
import { sendPour, tooManyPours } from '../pours/record-pour.ts';
import { changeQueued, settleQueued } from './queue.ts';
import { queueStore } from './queue-store.ts';
import type { QueuedPour } from './queued-pour.ts';

export interface SendingEvents {
  /** Whose session the server sees now; null for nobody. Rejects when it cannot be asked. */
  signedIn: () => Promise<string | null>;
  /** Takes a pour back on the server. Rejects when that could not be done. */
  takeBack: (pourId: string) => Promise<{ pours_balance: number }>;
  onSent: (pour: QueuedPour, balance: number) => void;
  onRefused: (pour: QueuedPour, why: string) => void;
}

/** done: nothing of this person waits any more. again: the network is not back. stopped: somebody else is here. */
export type Round = 'done' | 'again' | 'stopped';

/** Sends what waits for this person, first poured first. Every pour keeps the request_id it was made with. */
export async function flushQueue(staffId: string, events: SendingEvents): Promise<Round> {
  let open = false;
  for (const queued of queueStore.fresh().pours) {
    if (queued.staff_id !== staffId || queued.refused !== undefined) continue;
    // Asked before each: the session is shared by all tabs, and a pour is recorded in the name it carries.
    const here = await events.signedIn().catch(() => undefined);
    if (here === undefined) return 'again';
    if (here !== staffId) return 'stopped';
    const pour = await changeQueued(queued.request_id, { attempted: true });
    if (!pour || pour.refused !== undefined) continue;
    const outcome = await sendPour(pour);
    if (outcome.kind === 'unsent') return 'again';
    // The server is there and stumbles over this one: it must not hold up the others.
    if (outcome.kind === 'unanswered' || !(await settle(pour, outcome, events))) open = true;
  }
  return open ? 'again' : 'done';
}

async function settle(
  pour: QueuedPour,
  outcome: Exclude<PourOutcome, { kind: 'unsent' | 'unanswered' }>,
  events: SendingEvents,
): Promise<boolean> {
  const { request_id, customer_id } = pour;
  if (outcome.kind === 'recorded') {
    queueStore.noteTold(customer_id, outcome.pours_balance);
    if ((await settleQueued(request_id)) === 'gone') {
      events.onSent(pour, outcome.pours_balance);
      return true;
    }
    try {
      const { pours_balance } = await events.takeBack(outcome.pour.id);
      queueStore.noteTold(customer_id, pours_balance);
    } catch {
      return false;
    }
    queueStore.drop(request_id);
    return true;
  }
  if (outcome.kind === 'too_many') queueStore.noteTold(customer_id, outcome.available);
  const why =
    outcome.kind === 'too_many'
      ? tooManyPours(outcome.available)
      : (outcome.why ?? 'The server refused this pour.');
  const stays = await changeQueued(request_id, { refused: why });
  // Nobody waits to hear of a pour that was taken back before.
  if (stays?.withdrawn) queueStore.drop(request_id);
  else if (stays) events.onRefused(pour, why);
  return true;
}
