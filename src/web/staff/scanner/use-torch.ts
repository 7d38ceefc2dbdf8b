import { useState } from 'react';
import { logFailure } from '../../api/log-failure.ts';

/** Older browsers report true, newer ones list the values. TypeScript has no type for either. */
export function hasTorch(track: MediaStreamTrack): boolean {
  const { torch } = (track.getCapabilities?.() ?? {}) as { torch?: boolean | boolean[] };
  return Array.isArray(torch) ? torch.includes(true) : torch === true;
}

/** The camera's light; null if it has none. Turns off with the camera. */
export function useTorch(track: MediaStreamTrack | null): { on: boolean; toggle: () => void } | null {
  const [lit, setLit] = useState<MediaStreamTrack | null>(null);
  if (!track || !hasTorch(track)) return null;
  const on = lit === track;
  const toggle = () => {
    track.applyConstraints({ advanced: [{ torch: !on } as MediaTrackConstraintSet] }).then(
      () => setLit(on ? null : track),
      (error) => logFailure('Switching the light', error),
    );
  };
  return { on, toggle };
}
