import { MAX_PICTURE_BYTES, type PictureShape } from '../../../domain/picture.ts';

/** This browser cannot read the file as a picture. Recognized by class name: api/pictures/picture-failure.ts. */
class UnreadablePicture extends Error {
  constructor(cause?: unknown) {
    super('We couldn’t read this file as a picture. Please choose a JPEG, PNG or WebP.', { cause });
    this.name = 'UnreadablePicture';
  }
}

/** The quality of a JPEG, and the scale of a PNG: tried in this order until the picture is small enough. */
const TRIES = [
  { quality: 0.9, size: 1 },
  { quality: 0.75, size: 0.75 },
  { quality: 0.6, size: 0.55 },
  { quality: 0.4, size: 0.4 },
];

/** A JPEG or PNG in base64, small enough for a request. An SVG becomes pixels. Throws UnreadablePicture. */
export async function shrinkPicture(file: Blob, shape: PictureShape): Promise<string> {
  const picture = await openPicture(file);
  try {
    const isPng = shape.format === 'png';
    const whole = draw(picture, shape, 1);
    for (const { quality, size } of TRIES) {
      const canvas = isPng && size < 1 ? draw(picture, shape, size) : whole;
      const type = isPng ? 'image/png' : 'image/jpeg';
      const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, type, quality));
      if (blob && blob.size <= MAX_PICTURE_BYTES) return base64(blob);
    }
  } finally {
    picture.close();
  }
  throw new UnreadablePicture();
}

interface OpenPicture {
  source: CanvasImageSource;
  width: number;
  height: number;
  /** Equally sharp at any size. */
  isDrawing: boolean;
  close(): void;
}

async function openPicture(file: Blob): Promise<OpenPicture> {
  try {
    const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' });
    const { width, height } = bitmap;
    return { source: bitmap, width, height, isDrawing: false, close: () => bitmap.close() };
  } catch (error) {
    if (file.type === 'image/svg+xml') return openDrawing(file);
    throw new UnreadablePicture(error);
  }
}

/** Opens an SVG in an <img>, where it runs no scripts and loads nothing. */
async function openDrawing(file: Blob): Promise<OpenPicture> {
  const image = new Image();
  const url = URL.createObjectURL(file);
  const close = () => URL.revokeObjectURL(url);
  image.src = url;
  try {
    await image.decode();
    const { naturalWidth: width, naturalHeight: height } = image;
    if (width === 0 || height === 0) throw new Error('Its size is unknown.');
    return { source: image, width, height, isDrawing: true, close };
  } catch (error) {
    close();
    throw new UnreadablePicture(error);
  }
}

function draw(picture: OpenPicture, shape: PictureShape, size: number): HTMLCanvasElement {
  const [width, height] = [shape.width * size, shape.height * size];
  const scales = [width / picture.width, height / picture.height];
  const fitting = Math.min(picture.isDrawing ? Number.POSITIVE_INFINITY : 1, ...scales);
  const scale = shape.fit === 'cover' ? Math.max(...scales) : fitting;
  const drawn = { width: picture.width * scale, height: picture.height * scale };
  const canvas = document.createElement('canvas');
  canvas.width = shape.fit === 'cover' ? width : Math.max(1, Math.round(drawn.width));
  canvas.height = shape.fit === 'cover' ? height : Math.max(1, Math.round(drawn.height));
  const pen = canvas.getContext('2d');
  if (!pen) throw new UnreadablePicture();
  pen.imageSmoothingQuality = 'high';
  const [left, top] = [(canvas.width - drawn.width) / 2, (canvas.height - drawn.height) / 2];
  pen.drawImage(picture.source, left, top, drawn.width, drawn.height);
  return canvas;
}

const base64 = async (blob: Blob): Promise<string> => {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
};
