import { useRef } from 'react';
import type { QueuedPour } from '../offline-queue/queued-pour.ts';
import { useQueue } from '../offline-queue/use-queue.ts';
import type { PouredGlass } from './pour-state.ts';

export type PourStatus =
  | { kind: 'recorded' }
  | { kind: 'waiting' }
  | { kind: 'refused'; why: string }
  | { kind: 'undone' }
  /** It waited before this page was loaded, and does not any more: sent, or refused and read. */
  | { kind: 'gone' };

/** What has become of a glass. `before`: its last fate that this page saw. */
function pourStatus(
  glass: PouredGlass,
  queued: QueuedPour | undefined,
  before: PourStatus | null,
): PourStatus {
  if (glass.undone || queued?.withdrawn) return { kind: 'undone' };
  if (glass.pour_id !== null) return { kind: 'recorded' };
  if (queued?.refused !== undefined) return { kind: 'refused', why: queued.refused };
  if (queued) return { kind: 'waiting' };
  // Only a refusal is taken away by hand; what was waiting a moment ago was sent.
  if (before?.kind === 'waiting') return { kind: 'recorded' };
  return before ?? { kind: 'gone' };
}

export function usePourStatus(glass: PouredGlass, requestId: string): PourStatus {
  const { pours } = useQueue();
  const before = useRef<PourStatus>(null);
  const queued = pours.find((pour) => pour.request_id === requestId);
  const fate = pourStatus(glass, queued, before.current);
  before.current = fate;
  return fate;
}
