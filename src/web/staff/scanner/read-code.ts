import type { ReaderOptions } from 'zxing-wasm/reader';
import { readBarcodes } from 'zxing-wasm/reader';
import type { Frame, Treatment } from './frame.ts';
import { treated } from './frame.ts';

/** scan: ten times a second, only to mark; capture: staff wait for this one. */
export type Effort = 'scan' | 'capture';

const always: ReaderOptions = {
  formats: ['QRCode'],
  maxNumberOfSymbols: 1,
  tryInvert: true,
  // For bars only: a QR code is found at any angle.
  tryRotate: false,
  // Averages the grain of a dark room away: unreadable dim frames become readable, at no cost to the others.
  tryDownscale: true,
};

// Half the size averages the stripes of a screen away as well; a third, as the reader would have it, does not.
const quick: ReaderOptions = { ...always, tryHarder: false, tryDenoise: false, downscaleFactor: 2 };

// Looks at every row, which finds the small ones.
const thorough: ReaderOptions = { ...always, tryHarder: true, tryDenoise: true };

/** Looks at a picture, in this order, until something is read. */
const looks: Record<Effort, ReaderOptions[]> = {
  scan: [quick],
  // The quick one first, so that what was marked is read. Then dark and light told apart place by place, then once
  // for the whole picture: stripes mislead the former, uneven light the latter.
  capture: [quick, { ...thorough, binarizer: 'LocalAverage' }, { ...thorough, binarizer: 'GlobalHistogram' }],
};

/** The text of the code in the picture, or null. An empty code is no code. */
export async function readCode(picture: Frame, effort: Effort, treatment: Treatment): Promise<string | null> {
  const { data, width, height } = treated(picture, treatment);
  const frame = { data, width, height, colorSpace: 'srgb' } as ImageData;
  for (const options of looks[effort]) {
    const [found] = await readBarcodes(frame, options);
    if (found?.text) return found.text;
  }
  return null;
}
