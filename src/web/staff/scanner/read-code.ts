import { type ReaderOptions, readBarcodes } from 'zxing-wasm/reader';
import { applyTreatment, type Frame, type Treatment } from './frame.ts';

/** scan: ten times a second, only to mark a code. capture: staff are waiting for the result. */
export type Effort = 'scan' | 'capture';

const COMMON: ReaderOptions = {
  formats: ['QRCode'],
  maxNumberOfSymbols: 1,
  tryInvert: true,
  // Only bar codes need rotation: QR codes are found at any angle.
  tryRotate: false,
  // Averages out the grain of a dark room, at no cost to other frames.
  tryDownscale: true,
};

// Half size also averages out the stripes of a screen; a third, the default, does not.
const QUICK: ReaderOptions = { ...COMMON, tryHarder: false, tryDenoise: false, downscaleFactor: 2 };

// Scans every row, which finds small codes.
const THOROUGH: ReaderOptions = { ...COMMON, tryHarder: true, tryDenoise: true };

/** Tried in this order until one reads a code. */
const ATTEMPTS: Record<Effort, ReaderOptions[]> = {
  scan: [QUICK],
  // The quick one first, because it reads whatever a scan has marked. Then two ways of separating dark from light: locally,
  // which stripes confuse, and globally, which uneven light confuses.
  capture: [QUICK, { ...THOROUGH, binarizer: 'LocalAverage' }, { ...THOROUGH, binarizer: 'GlobalHistogram' }],
};

/** The text of the code in the frame, or null. An empty code counts as none. */
export async function readCode(frame: Frame, effort: Effort, treatment: Treatment): Promise<string | null> {
  const { data, width, height } = applyTreatment(frame, treatment);
  const image = { data, width, height, colorSpace: 'srgb' } as ImageData;
  for (const options of ATTEMPTS[effort]) {
    const [found] = await readBarcodes(image, options);
    if (found?.text) return found.text;
  }
  return null;
}
