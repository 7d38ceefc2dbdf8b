import { MAX_PICTURE_BYTES, type PictureShape } from '../../../domain/pictures/picture.ts';

/** This browser cannot read the file as a picture. Known by its name: api/pictures/picture-failure.ts. */
class UnreadablePicture extends Error {
  constructor(cause?: unknown) {
    super('This file could not be read as a picture. Please choose a JPEG, PNG or WebP.', { cause });
    this.name = 'UnreadablePicture';
  }
}

/** Tried in this order, until the picture is small enough. */
const QUALITIES = [0.9, 0.75, 0.6, 0.4];

/**
 * Draws a picture of any size in the shape in which it is kept, so that it fits a request: JPEG in base64, or PNG where
 * the shape is PNG. Throws UnreadablePicture.
 */
export async function shrinkPicture(
  file: Blob,
  { width, height, fit, format }: PictureShape,
): Promise<string> {
  const picture = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch((error) => {
    throw new UnreadablePicture(error);
  });
  const canvas = document.createElement('canvas');
  const scales = [width / picture.width, height / picture.height];
  const scale = fit === 'cover' ? Math.max(...scales) : Math.min(1, ...scales);
  const drawn = { width: picture.width * scale, height: picture.height * scale };
  canvas.width = fit === 'cover' ? width : Math.max(1, Math.round(drawn.width));
  canvas.height = fit === 'cover' ? height : Math.max(1, Math.round(drawn.height));
  const pen = canvas.getContext('2d');
  if (!pen) throw new UnreadablePicture();
  pen.imageSmoothingQuality = 'high';
  const left = (canvas.width - drawn.width) / 2;
  pen.drawImage(picture, left, (canvas.height - drawn.height) / 2, drawn.width, drawn.height);
  picture.close();
  const type = format === 'png' ? 'image/png' : 'image/jpeg';
  for (const quality of QUALITIES) {
    const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, type, quality));
    if (blob && blob.size <= MAX_PICTURE_BYTES) return base64(blob);
  }
  throw new UnreadablePicture();
}

const base64 = async (blob: Blob): Promise<string> => {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
};
