import { useRef } from 'react';
import type { WaitingPour } from '../offline-queue/queued-pour.ts';
import { useDevice } from '../offline-queue/use-queue.ts';
import type { PouredGlass } from './pour-state.ts';

export type GlassFate =
  | { kind: 'recorded' }
  | { kind: 'waiting' }
  | { kind: 'refused'; why: string }
  | { kind: 'undone' }
  /** It waited before this page was loaded, and does not any more: sent, or refused and read. */
  | { kind: 'gone' };

/** What has become of a glass. `before`: its last fate that this page saw. */
export function glassFate(
  glass: PouredGlass,
  queued: WaitingPour | undefined,
  before: GlassFate | null,
): GlassFate {
  if (glass.undone || queued?.withdrawn) return { kind: 'undone' };
  if (glass.pour_id !== null) return { kind: 'recorded' };
  if (queued?.refused !== undefined) return { kind: 'refused', why: queued.refused };
  if (queued) return { kind: 'waiting' };
  // Only a refusal is taken away by hand; what was waiting a moment ago was sent.
  if (before?.kind === 'waiting') return { kind: 'recorded' };
  return before ?? { kind: 'gone' };
}

export function useGlassFate(glass: PouredGlass, requestId: string): GlassFate {
  const { pours } = useDevice();
  const before = useRef<GlassFate>(null);
  const queued = pours.find((pour) => pour.request_id === requestId);
  const fate = glassFate(glass, queued, before.current);
  before.current = fate;
  return fate;
}
