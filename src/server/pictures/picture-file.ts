import type { PictureFile } from '../../contract/pictures/picture.ts';
import type { EncodedPicture } from './encode-picture.ts';

interface Served {
  name: string;
  type: 'image/webp' | 'image/png';
  /** The Cache-Control for a request by version. */
  kept: string;
}

/** Photos show people: devices cache them no longer than other data about members, a day. */
export const KEPT_A_DAY = 'private, max-age=86400, immutable';

/** Pictures without people: cached until there is a new version. */
export const KEPT_A_YEAR = 'private, max-age=31536000, immutable';

/** A picture as a call's answer. Only a request by its current version may be cached. */
export function pictureFile(
  { content, version }: EncodedPicture,
  query: string | undefined,
  { name, type, kept }: Served,
): PictureFile {
  return {
    headers: { 'cache-control': query === version ? kept : 'private, no-cache', etag: `"${version}"` },
    body: new File([content as Uint8Array<ArrayBuffer>], name, { type }),
  };
}
