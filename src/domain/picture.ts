/** The maximum size of an upload: with base64 and JSON it stays below the limit of a request. */
export const MAX_PICTURE_BYTES = 45_000;
/** The same limit in base64. */
export const MAX_PICTURE_CHARACTERS = (MAX_PICTURE_BYTES / 3) * 4;
/** Width times height, read from the header before decoding: 16 MB of memory. */
export const MAX_PICTURE_PIXELS = 4_000_000;

/** A progressive JPEG decodes every pixel once a scan. Programs write about ten. */
const MAX_SCANS = 50;

const PICTURE_TYPES = ['jpeg', 'png', 'webp'] as const;
export type PictureType = (typeof PICTURE_TYPES)[number];

/** Why a picture is refused, with the message for its sender. */
export const PICTURE_PROBLEMS = {
  svg: 'SVG files can contain code. Please choose a JPEG, PNG or WebP.',
  type: 'Please choose a JPEG, PNG or WebP.',
  pixels: 'This picture has too many pixels. Please choose one of at most 4 million, such as 2000 by 2000.',
  scans: 'This picture is built up in too many steps. Please save it as another JPEG.',
  broken: 'This picture is damaged. Please choose another one.',
} as const;
export type PictureProblem = keyof typeof PICTURE_PROBLEMS;

/** How a picture is stored. 'cover' cuts off what does not fit, 'inside' makes it smaller. Sizes in pixels. */
export interface PictureShape {
  width: number;
  height: number;
  fit: 'cover' | 'inside';
  format: 'webp' | 'png' | 'jpeg';
}

export const PHOTO_SHAPE: PictureShape = { width: 256, height: 256, fit: 'cover', format: 'webp' };

/** A bottle or its label. */
export const WINE_PICTURE_SHAPE: PictureShape = { width: 240, height: 320, fit: 'inside', format: 'webp' };

/** The picture of the club's page. JPEG, because programs that preview links read no WebP. */
export const CLUB_PICTURE_SHAPE: PictureShape = { width: 1200, height: 630, fit: 'cover', format: 'jpeg' };

const startsWith = (bytes: Uint8Array, start: readonly number[], from = 0) =>
  start.every((byte, place) => bytes[from + place] === byte);
const ascii = (text: string) => [...text].map((letter) => letter.charCodeAt(0));

/** Characters searched for the element that makes a text an SVG. */
const TEXT_SEARCHED = 2000;

const isScan = (byte: number, place: number, bytes: Uint8Array) => byte === 0xff && bytes[place + 1] === 0xda;

/** The type of a picture by its content, whatever the sender claims; or the reason it is refused. */
export function pictureType(
  bytes: Uint8Array,
): { type: PictureType } | { problem: 'svg' | 'type' | 'scans' } {
  if (startsWith(bytes, [0xff, 0xd8, 0xff]))
    return bytes.filter(isScan).length > MAX_SCANS ? { problem: 'scans' } : { type: 'jpeg' };
  if (startsWith(bytes, [0x89, ...ascii('PNG\r\n'), 0x1a, 0x0a])) return { type: 'png' };
  if (startsWith(bytes, ascii('RIFF')) && startsWith(bytes, ascii('WEBP'), 8)) return { type: 'webp' };
  const text = String.fromCharCode(...bytes.subarray(0, TEXT_SEARCHED));
  return { problem: /<(?:\w+:)?svg[\s>]/i.test(text) ? 'svg' : 'type' };
}
