import type { PictureFile } from '../../contract/pictures/picture.ts';
import type { EncodedPicture } from './encode-picture.ts';

interface Served {
  name: string;
  type: 'image/webp' | 'image/png';
  /** What a browser may keep it for, and for whom, when it asks by version. */
  kept: string;
}

/** A photo is of a person: a device keeps it no longer than the other things it knows of members, a day. */
export const KEPT_A_DAY = 'private, max-age=86400, immutable';

/** Of nobody: kept until there is another version. */
export const KEPT_A_YEAR = 'private, max-age=31536000, immutable';

/** A picture as the answer of a call. Only one that was asked for by its current version can be kept. */
export function pictureFile(
  { content, version }: EncodedPicture,
  asked: string | undefined,
  { name, type, kept }: Served,
): PictureFile {
  return {
    headers: { 'cache-control': asked === version ? kept : 'private, no-cache', etag: `"${version}"` },
    body: new File([content as Uint8Array<ArrayBuffer>], name, { type }),
  };
}
