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

const options: Record<Effort, ReaderOptions> = {
  scan: { ...always, tryHarder: false, tryDenoise: false },
  // Looks at every row, which finds the small ones.
  capture: { ...always, tryHarder: true, tryDenoise: true },
};

/** The text of the code in the picture, or null. An empty code is no code. */
export async function readCode(
  picture: Picture,
  effort: Effort,
  treatment: Treatment,
): Promise<string | null> {
  const { data, width, height } = treated(picture, treatment);
  const frame = { data, width, height, colorSpace: 'srgb' } as ImageData;
  const [found] = await readBarcodes(frame, options[effort]);
  return found?.text || null;
}
