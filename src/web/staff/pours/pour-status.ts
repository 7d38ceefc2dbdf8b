import { useRef } from 'react';
import type { QueuedPour } from '../offline-queue/queued-pour.ts';
import { useQueue } from '../offline-queue/use-queue.ts';
import type { FinishedPour } from './pour-state.ts';

export type PourStatus =
  | { kind: 'recorded' }
  | { kind: 'queued' }
  | { kind: 'refused'; reason: string }
  | { kind: 'undone' }
  /** The pour was queued when this page loaded and no longer is: either sent, or refused and dismissed. */
  | { kind: 'unknown' };

/** `previous` is the last status this page saw. */
function pourStatus(
  pour: FinishedPour,
  queued: QueuedPour | undefined,
  previous: PourStatus | null,
): PourStatus {
  if (pour.undone || queued?.withdrawn) return { kind: 'undone' };
  if (pour.pour_id !== null) return { kind: 'recorded' };
  if (queued?.refused !== undefined) return { kind: 'refused', reason: queued.refused };
  if (queued) return { kind: 'queued' };
  // Staff can dismiss only a refused pour, so a pour that just left the queue was sent.
  if (previous?.kind === 'queued') return { kind: 'recorded' };
  return previous ?? { kind: 'unknown' };
}

export function usePourStatus(pour: FinishedPour, requestId: string): PourStatus {
  const { pours } = useQueue();
  const previous = useRef<PourStatus>(null);
  const queued = pours.find(({ request_id }) => request_id === requestId);
  const status = pourStatus(pour, queued, previous.current);
  previous.current = status;
  return status;
}
