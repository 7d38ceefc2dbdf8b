import { LOGO_PATH, type LogoFacts, PLATE_EDGE_PIXELS, PLATED_LOGO_PATH } from '../../../domain/club/logo.ts';
import type { Db, Tx } from '../../db/client.ts';
import { club_logo, club_picture } from '../../db/schema.ts';
import type { VenueLogo } from '../../mail/email.ts';
import type { EncodedLogo } from '../../pictures/encode-logo.ts';

export async function readLogo(db: Db | Tx): Promise<EncodedLogo | null> {
  const [logo] = await db.select().from(club_logo);
  if (!logo) return null;
  const { version, width, height, plate, content, plated } = logo;
  // Copied, to release the driver's buffers.
  const pixels = { content: new Uint8Array(content), plated: plated && new Uint8Array(plated) };
  return { version, width, height, plate, ...pixels };
}

export async function readLogoFacts(db: Db | Tx): Promise<LogoFacts | null> {
  const { version, width, height, plate } = club_logo;
  const [facts] = await db.select({ version, width, height, plate }).from(club_logo);
  return facts ?? null;
}

export async function readPictureVersion(db: Db | Tx): Promise<string | null> {
  const [picture] = await db.select({ version: club_picture.version }).from(club_picture);
  return picture?.version ?? null;
}

/** The logo's URL for readers that cannot draw its plate, and its size there. */
export function logoOfVenue(public_url: string, { version, width, height, plate }: LogoFacts): VenueLogo {
  const edges = plate ? 2 * PLATE_EDGE_PIXELS : 0;
  return {
    url: `${public_url}${plate ? PLATED_LOGO_PATH : LOGO_PATH}?v=${version}`,
    width: width + edges,
    height: height + edges,
  };
}
