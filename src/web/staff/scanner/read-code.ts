import { type ReaderOptions, readBarcodes } from 'zxing-wasm/reader';
import { applyTreatment, type Frame, type Treatment } from './frame.ts';
import { lookInTurn, nearestCode, type Reading } from './nearest-code.ts';

/** scan: ten times a second, only to mark a code. capture: staff are waiting for the result. */
export type Effort = 'scan' | 'capture';

const COMMON: ReaderOptions = {
  formats: ['QRCode'],
  // A card at the edge of the frame may be found first, or be the only one that can be read.
  maxNumberOfSymbols: 8,
  returnErrors: true,
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

/** The code nearest to the middle of the frame. An empty or blank code counts as none. */
export async function readCode(frame: Frame, effort: Effort, treatment: Treatment): Promise<Reading> {
  const { data, width, height } = applyTreatment(frame, treatment);
  const image = { data, width, height, colorSpace: 'srgb' } as ImageData;
  return lookInTurn(ATTEMPTS[effort], async (options) =>
    nearestCode(await readBarcodes(image, options), width, height),
  );
}
