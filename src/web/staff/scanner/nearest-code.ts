import type { ReadResult } from 'zxing-wasm/reader';

/** What one look at a frame gave. */
export interface Reading {
  /** Null without a code, and with `several`. */
  text: string | null;
  /** Two different codes are equally near to the middle of the frame. */
  several: boolean;
  /** The nearest code, read or not, is within the square that the panel marks. */
  central: boolean;
}

export const NO_CODE: Reading = { text: null, several: false, central: false };

/** Shares of the frame's shorter side. */
const TOLERANCE = 0.04;
/** Half of the marked square's side: `h-[78%]` in scanner-panel.tsx. */
const MARKED = 0.39;

type Symbol = Pick<ReadResult, 'text' | 'isValid' | 'position'>;

/**
 * The code nearest to the middle of the frame: another member's card may lie at its edge. A code that was located but not
 * read hides those farther out.
 */
export function nearestCode(symbols: readonly Symbol[], width: number, height: number): Reading {
  const side = Math.min(width, height);
  const placed = symbols
    .map(({ text, isValid, position }) => {
      const corners = [position.topLeft, position.topRight, position.bottomRight, position.bottomLeft];
      const x = corners.reduce((sum, corner) => sum + corner.x, 0) / 4 - width / 2;
      const y = corners.reduce((sum, corner) => sum + corner.y, 0) / 4 - height / 2;
      return {
        text: isValid && text.trim() ? text : null,
        distance: Math.hypot(x, y) / side,
        central: Math.max(Math.abs(x), Math.abs(y)) / side <= MARKED,
      };
    })
    .sort((a, b) => a.distance - b.distance);
  const [nearest] = placed;
  if (!nearest) return NO_CODE;
  const rivals = placed.filter(({ distance }) => distance - nearest.distance <= TOLERANCE);
  // A code is sometimes located twice, and read once.
  const texts = new Set(rivals.flatMap(({ text }) => text ?? []));
  if (texts.size > 1) return { ...NO_CODE, several: true };
  const [text] = texts;
  return { text: text ?? null, several: false, central: nearest.central };
}

/**
 * Looks in turn until one reads a code within the marked square, or sees two. Otherwise the first code off it, unless a code
 * was located within it.
 */
export async function lookInTurn<Try>(
  tries: readonly Try[],
  look: (attempt: Try) => Promise<Reading>,
): Promise<Reading> {
  let best = NO_CODE;
  for (const attempt of tries) {
    const reading = await look(attempt);
    if (reading.several || (reading.text && reading.central)) return reading;
    if (reading.central || (reading.text && best === NO_CODE)) best = reading;
  }
  return best;
}
