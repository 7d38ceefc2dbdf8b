import type { ReaderOptions } from 'zxing-wasm/reader';
import { readBarcodes } from 'zxing-wasm/reader';
import type { Picture, Treatment } from './picture.ts';
import { treated } from './picture.ts';

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

// Looks at every row, which finds the small ones.
const thorough: ReaderOptions = { ...always, tryHarder: true, tryDenoise: true };

/** What is tried on a picture, one after the other until something is read. */
const options: Record<Effort, ReaderOptions[]> = {
  // Half the size as the second look: a third, as the reader would have it, loses more codes than it saves time.
  scan: [{ ...always, tryHarder: false, tryDenoise: false, downscaleFactor: 2 }],
  // Dark and light told apart for each place, then once for the whole picture: the stripes that a screen makes in a
  // camera mislead the first, uneven light the second.
  capture: [
    { ...thorough, binarizer: 'LocalAverage' },
    { ...thorough, binarizer: 'GlobalHistogram' },
  ],
};

/** The text of the code in the picture, or null. An empty code is no code. */
export async function readCode(
  picture: Picture,
  effort: Effort,
  treatment: Treatment,
): Promise<string | null> {
  const { data, width, height } = treated(picture, treatment);
  const frame = { data, width, height, colorSpace: 'srgb' } as ImageData;
  for (const look of options[effort]) {
    const [found] = await readBarcodes(frame, look);
    if (found?.text) return found.text;
  }
  return null;
}
