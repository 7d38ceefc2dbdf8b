import type { ClubSettingsView } from '../../../contract/staff/club.ts';
import { CLUB_PICTURE_SHAPE } from '../../../domain/picture.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import type { Db, Tx } from '../../db/client.ts';
import { club_logo, club_picture } from '../../db/schema.ts';
import { encodeLogo } from '../../pictures/encode-logo.ts';
import { type EncodedPicture, encodePicture } from '../../pictures/encode-picture.ts';
import { type ClubContext, getClubSettings, holdClub, storeClub } from './club-settings.ts';
import { readLogoFacts, readPictureVersion } from './stored-logo.ts';

// Rules: docs/rules/club.md, "Logo" and "Public pages".

export async function readClubPicture(db: Db | Tx): Promise<EncodedPicture | null> {
  const [picture] = await db.select().from(club_picture);
  return picture ?? null;
}

/** Replaces the club page's picture; repeating it changes nothing. Throws Refusal PICTURE_REFUSED, TOO_MANY_ATTEMPTS. */
export async function saveClubPicture(
  ctx: ClubContext,
  { content }: { content: string },
): Promise<ClubSettingsView> {
  const picture = await encodePicture(content, CLUB_PICTURE_SHAPE);
  return changePicture(ctx, async (tx) => {
    if ((await readPictureVersion(tx)) === picture.version) return false;
    await tx
      .insert(club_picture)
      .values(picture)
      .onConflictDoUpdate({ target: club_picture.only_row, set: picture });
    await recordAudit(tx, ctx, { act: 'page_picture_saved', subject_id: null, facts: {} });
    return true;
  });
}

export const removeClubPicture = (ctx: ClubContext) =>
  removePicture(ctx, club_picture, 'page_picture_removed');

/** Replaces the club's logo; repeating it changes nothing. Throws Refusal PICTURE_REFUSED, TOO_MANY_ATTEMPTS. */
export async function saveClubLogo(
  ctx: ClubContext,
  { content }: { content: string },
): Promise<ClubSettingsView> {
  const logo = await encodeLogo(content);
  return changePicture(ctx, async (tx) => {
    if ((await readLogoFacts(tx))?.version === logo.version) return false;
    await tx.insert(club_logo).values(logo).onConflictDoUpdate({ target: club_logo.only_row, set: logo });
    await recordAudit(tx, ctx, { act: 'logo_saved', subject_id: null, facts: {} });
    return true;
  });
}

export const removeClubLogo = (ctx: ClubContext) => removePicture(ctx, club_logo, 'logo_removed');

/** Changes a picture like a setting: at once in this process, in others when they are notified of the commit. */
async function changePicture(
  ctx: ClubContext,
  change: (tx: Tx) => Promise<boolean>,
): Promise<ClubSettingsView> {
  await ctx.db.transaction(async (tx) => {
    const { overrides, version } = await holdClub(tx, ctx);
    if (await change(tx)) await storeClub(tx, ctx, { overrides, version: version + 1 });
  });
  await ctx.club.refresh();
  return getClubSettings(ctx);
}

function removePicture(
  ctx: ClubContext,
  table: typeof club_logo | typeof club_picture,
  act: 'logo_removed' | 'page_picture_removed',
): Promise<ClubSettingsView> {
  return changePicture(ctx, async (tx) => {
    const rows = await tx.delete(table).returning({ version: table.version });
    if (rows.length === 0) return false;
    await recordAudit(tx, ctx, { act, subject_id: null, facts: {} });
    return true;
  });
}
