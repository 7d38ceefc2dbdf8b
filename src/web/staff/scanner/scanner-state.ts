import type { CameraProblem } from './camera.ts';

export interface ScannerState {
  phase: 'starting' | 'scanning' | 'capturing' | 'done' | 'denied';
  /** The text of the code in view, which is only marked: staff have to press the button. */
  detected: string | null;
  /** Consecutive scans without a code since the last marked one. */
  misses: number;
  /** Capture was pressed before the camera had started. */
  pressed: boolean;
  unreadable: boolean;
  /** Two codes are equally near to the middle of the frame. */
  several: boolean;
  /** Why the camera could not start; null unless `denied`. */
  problem: CameraProblem | null;
}

export type ScannerEvent =
  | { type: 'opened' }
  | { type: 'denied'; problem: CameraProblem }
  /** The camera was away: what it saw before is forgotten. */
  | { type: 'interrupted' }
  | { type: 'scanned'; text: string | null; several?: boolean }
  | { type: 'capture' }
  | { type: 'captured'; text: string | null; several?: boolean }
  | { type: 'errorShown' }
  | { type: 'retry' };

/** Two seconds of scans: the mark survives a shaky hand, but disappears when the phone is put away. */
export const MISSES_TO_FORGET = 20;

export const INITIAL_STATE: ScannerState = {
  phase: 'starting',
  detected: null,
  misses: 0,
  pressed: false,
  unreadable: false,
  several: false,
  problem: null,
};

export function nextScannerState(state: ScannerState, event: ScannerEvent): ScannerState {
  switch (event.type) {
    case 'opened':
      return { ...INITIAL_STATE, phase: state.pressed ? 'capturing' : 'scanning' };
    case 'denied':
      return { ...INITIAL_STATE, phase: 'denied', problem: event.problem };
    case 'interrupted':
      return { ...state, detected: null, misses: 0, several: false };
    case 'retry':
      return INITIAL_STATE;
    case 'scanned': {
      if (state.phase !== 'scanning') return state;
      if (event.several) return { ...state, detected: null, misses: 0, several: true };
      if (event.text) return { ...state, detected: event.text, misses: 0, several: false };
      if (state.detected === null && !state.several) return state;
      const misses = state.misses + 1;
      if (misses < MISSES_TO_FORGET) return { ...state, misses };
      return { ...state, detected: null, misses: 0, several: false };
    }
    case 'capture':
      if (state.phase === 'starting') return { ...state, pressed: true };
      return state.phase === 'scanning' ? { ...state, phase: 'capturing', unreadable: false } : state;
    case 'captured':
      if (state.phase !== 'capturing') return state;
      if (event.text) return { ...state, phase: 'done', detected: event.text, several: false };
      if (event.several)
        return { ...state, phase: 'scanning', unreadable: true, detected: null, several: true };
      return { ...state, phase: 'scanning', unreadable: true };
    case 'errorShown':
      return { ...state, unreadable: false };
  }
}

/** The first and last eight characters of a code: enough to compare, too little to copy. A text of up to 16 stays whole. */
export function tokenPreview(text: string): string {
  return text.length > 16 ? `${text.slice(0, 8)}...${text.slice(-8)}` : text;
}
