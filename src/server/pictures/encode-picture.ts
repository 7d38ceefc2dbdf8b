import { createHash } from 'node:crypto';
import { Refusal } from '../../contract/refusals.ts';
import {
  MAX_PICTURE_PIXELS,
  PICTURE_PROBLEMS,
  type PictureProblem,
  type PictureShape,
  pictureType,
} from '../../domain/picture.ts';
import { createWorkQueue } from '../platform/work-queue.ts';

export interface EncodedPicture {
  content: Uint8Array;
  version: string;
}

const MAX_SECONDS = 5;
const RETRY_AFTER_SECONDS = 5;
/** One at a time in this process: many accounts together must not slow down the bar. */
const inTurn = createWorkQueue(1, 20, RETRY_AFTER_SECONDS);
/** The only formats the decoder may read, by content and from memory. */
const LOADERS = ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'];

/** A byte per pixel and a palette of 256 colors: at most width times height and 2 KB. */
export const PNG = { palette: true, compressionLevel: 9 } as const;

async function loadDecoder() {
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  // Limits an upload to one core.
  sharp.concurrency(1);
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: LOADERS });
  return sharp;
}
let decoder: ReturnType<typeof loadDecoder> | undefined;

/** Loads sharp, for this folder alone: input from elsewhere must go through encodePicture. */
export function openDecoder(): ReturnType<typeof loadDecoder> {
  decoder ??= loadDecoder();
  return decoder;
}

const refused = (problem: PictureProblem, cause?: unknown) =>
  Object.assign(new Refusal('PICTURE_REFUSED', { why: PICTURE_PROBLEMS[problem] }), { cause });

/**
 * Makes a new picture from an upload in base64: decoded, turned upright, cropped and encoded again. Only the pixels remain,
 * without location, names or anything hidden in the file; of an animation, the first frame. Throws Refusal PICTURE_REFUSED,
 * and TOO_MANY_ATTEMPTS if too many wait.
 */
export async function encodePicture(upload: string, shape: PictureShape): Promise<EncodedPicture> {
  const bytes = Buffer.from(upload, 'base64');
  const result = pictureType(bytes);
  if ('problem' in result) throw refused(result.problem);
  return inTurn(() => encode(bytes, shape));
}

async function encode(bytes: Buffer, { width, height, fit, format }: PictureShape): Promise<EncodedPicture> {
  const sharp = await openDecoder();
  try {
    const size = await sharp(bytes, { limitInputPixels: false }).metadata();
    if (size.width * size.height > MAX_PICTURE_PIXELS) throw refused('pixels');
    const image = sharp(bytes, { limitInputPixels: MAX_PICTURE_PIXELS, failOn: 'error' })
      .timeout({ seconds: MAX_SECONDS })
      .autoOrient()
      .resize({ width, height, fit, withoutEnlargement: fit === 'inside' });
    const encoders = {
      webp: () => image.webp({ quality: 80 }),
      jpeg: () => image.jpeg({ quality: 80, progressive: true }),
      png: () => image.png(PNG),
    };
    const content = await encoders[format]().toBuffer();
    return { content: new Uint8Array(content), version: versionOf(content) };
  } catch (error) {
    throw error instanceof Refusal ? error : refused('broken', error);
  }
}

const versionOf = (content: Uint8Array) =>
  createHash('sha256').update(content).digest('base64url').slice(0, 22);
