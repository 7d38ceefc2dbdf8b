import type { ClubSettingsView } from '../../../contract/staff/club.ts';
import { CLUB_PICTURE_SHAPE } from '../../../domain/picture.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import type { Db, Tx } from '../../db/client.ts';
import { club_picture } from '../../db/schema.ts';
import { type EncodedPicture, encodePicture } from '../../pictures/encode-picture.ts';
import { changeLook } from './club-logo.ts';
import type { ClubContext } from './club-settings.ts';
import { readPictureVersion } from './stored-logo.ts';

// Rules: docs/rules/club.md, "Public pages".

/** The picture of the club's page; null without one. */
export async function readClubPicture(db: Db | Tx): Promise<EncodedPicture | null> {
  const [picture] = await db.select().from(club_picture);
  return picture ?? null;
}

/** Replaces the picture of the club's page; repeating it changes nothing. Throws Refusal PICTURE_REFUSED, TOO_MANY_ATTEMPTS. */
export async function saveClubPicture(
  ctx: ClubContext,
  { content }: { content: string },
): Promise<ClubSettingsView> {
  const picture = await encodePicture(content, CLUB_PICTURE_SHAPE);
  return changeLook(ctx, async (tx) => {
    if ((await readPictureVersion(tx)) === picture.version) return false;
    await tx
      .insert(club_picture)
      .values(picture)
      .onConflictDoUpdate({ target: club_picture.only_row, set: picture });
    await recordAudit(tx, ctx, { act: 'page_picture_saved', subject_id: null, facts: {} });
    return true;
  });
}

/** Removes the picture of the club's page; repeating it changes nothing. */
export async function removeClubPicture(ctx: ClubContext): Promise<ClubSettingsView> {
  return changeLook(ctx, async (tx) => {
    const gone = await tx.delete(club_picture).returning({ version: club_picture.version });
    if (gone.length === 0) return false;
    await recordAudit(tx, ctx, { act: 'page_picture_removed', subject_id: null, facts: {} });
    return true;
  });
}
