import {
  PLATE_EDGE_PIXELS as EDGE,
  LOGO_SHAPE,
  type LogoFacts,
  plateColor,
  plateOf,
} from '../../domain/club/logo.ts';
import { encodePicture, openDecoder, PNG } from './encode-picture.ts';

export interface EncodedLogo extends LogoFacts {
  /** PNG. */
  content: Uint8Array;
  /** The logo on its plate; null if it needs none. */
  plated: Uint8Array | null;
}

/**
 * Makes the club's logo from an upload in base64, like encodePicture, and checks its pixels for the plate it needs. Throws
 * Refusal PICTURE_REFUSED and TOO_MANY_ATTEMPTS.
 */
export async function encodeLogo(upload: string): Promise<EncodedLogo> {
  const { content, version } = await encodePicture(upload, LOGO_SHAPE);
  const sharp = await openDecoder();
  const { data, info } = await sharp(content).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const plate = plateOf(data);
  const background = plate && plateColor(plate);
  const plateImage =
    background &&
    (await sharp(content)
      .flatten({ background })
      .extend({ top: EDGE, bottom: EDGE, left: EDGE, right: EDGE, background })
      .png(PNG)
      .toBuffer());
  const { width, height } = info;
  return { version, width, height, plate, content, plated: plateImage ? new Uint8Array(plateImage) : null };
}
