import { createHash } from 'node:crypto';
import {
  MAX_PICTURE_PIXELS,
  PICTURE_PROBLEMS,
  type PictureProblem,
  type PictureShape,
  pictureType,
} from '../../domain/picture.ts';
import { Refusal } from '../../domain/refusal.ts';
import { createWorkQueue, QueueFullError } from '../platform/work-queue.ts';

export interface EncodedPicture {
  content: Uint8Array;
  version: string;
}

const MAX_SECONDS = 5;
const RETRY_AFTER_SECONDS = 5;
/** One at a time in this process: many accounts together must not take the processors from the bar. */
const inTurn = createWorkQueue(1, 20);
/** All that the decoder may be asked to read, by content and from memory. */
const LOADERS = ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'];

/** A byte for each pixel and a list of 256 colors: never more than width times height and 2 KB. */
export const PNG = { palette: true, compressionLevel: 9 } as const;

/** Loaded with the first upload, so that no start waits for it. */
async function loadDecoder() {
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  // One upload takes one core.
  sharp.concurrency(1);
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: LOADERS });
  return sharp;
}
let decoder: ReturnType<typeof loadDecoder> | undefined;

/** sharp as this room uses it. What it is given unwatched must have been encoded here. */
export function openDecoder(): ReturnType<typeof loadDecoder> {
  decoder ??= loadDecoder();
  return decoder;
}

function rethrow(error: unknown): never {
  if (!(error instanceof QueueFullError)) throw error;
  throw new Refusal('TOO_MANY_ATTEMPTS', { retry_after_seconds: RETRY_AFTER_SECONDS });
}

const refused = (problem: PictureProblem, cause?: unknown) =>
  Object.assign(new Refusal('PICTURE_REFUSED', { why: PICTURE_PROBLEMS[problem] }), { cause });

/**
 * Makes a new picture of an upload in base64: decoded, turned upright, cut to shape and encoded again. Nothing but its
 * pixels is left, so no place, no name and nothing that hides in the file; of a moving picture, its first. Throws Refusal
 * PICTURE_REFUSED, and TOO_MANY_ATTEMPTS where too many wait for their turn.
 */
export async function encodePicture(upload: string, shape: PictureShape): Promise<EncodedPicture> {
  const bytes = Buffer.from(upload, 'base64');
  const found = pictureType(bytes);
  if ('problem' in found) throw refused(found.problem);
  return inTurn(() => encode(bytes, shape)).catch(rethrow);
}

async function encode(bytes: Buffer, { width, height, fit, format }: PictureShape): Promise<EncodedPicture> {
  const sharp = await openDecoder();
  try {
    const size = await sharp(bytes, { limitInputPixels: false }).metadata();
    if (size.width * size.height > MAX_PICTURE_PIXELS) throw refused('pixels');
    const shaped = sharp(bytes, { limitInputPixels: MAX_PICTURE_PIXELS, failOn: 'error' })
      .timeout({ seconds: MAX_SECONDS })
      .autoOrient()
      .resize({ width, height, fit, withoutEnlargement: fit === 'inside' });
    const content = await (format === 'webp' ? shaped.webp({ quality: 80 }) : shaped.png(PNG)).toBuffer();
    return { content: new Uint8Array(content), version: versionOf(content) };
  } catch (error) {
    throw error instanceof Refusal ? error : refused('broken', error);
  }
}

const versionOf = (content: Uint8Array) =>
  createHash('sha256').update(content).digest('base64url').slice(0, 22);
