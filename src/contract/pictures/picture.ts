import { z } from 'zod';
import { MAX_PICTURE_BYTES, MAX_PICTURE_CHARACTERS } from '../../domain/picture.ts';
import { text } from '../text.ts';

/** An upload in base64. The type is detected from the bytes. */
export const pictureContent = text(
  MAX_PICTURE_CHARACTERS,
  `A picture can have at most ${MAX_PICTURE_BYTES / 1000} KB.`,
)
  .min(1, 'Please choose a picture.')
  .regex(/^[A-Za-z0-9+/]+={0,2}$/, 'Send the picture in base64.');

/** Changes with the picture, so that a picture fetched by version can be cached. Null where there is no picture. */
export const pictureVersion = text(64);

/** A picture file with its cache duration; the route has `answersFile`. */
export const pictureFile = z.object({
  headers: z.object({ 'cache-control': z.string(), etag: z.string() }),
  body: z.file(),
});
export type PictureFile = z.infer<typeof pictureFile>;
