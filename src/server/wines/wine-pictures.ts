import type { PictureFile } from '../../contract/pictures/picture.ts';
import { Refusal } from '../../contract/refusals.ts';
import type { StaffWine } from '../../contract/wine/wines.ts';
import { WINE_PICTURE_SHAPE } from '../../domain/picture.ts';
import { wineTitle } from '../../domain/wine/wine.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Tx } from '../db/client.ts';
import { eq } from '../db/orm.ts';
import { wine, wine_picture } from '../db/schema.ts';
import { encodePicture } from '../pictures/encode-picture.ts';
import { KEPT_A_YEAR, pictureFile } from '../pictures/picture-file.ts';
import type { WinesContext } from './wine-list.ts';
import { readWine } from './wine-list.ts';

// Rules: docs/rules/wines.md, "Wines".

const SERVED = { name: 'wine.webp', type: 'image/webp', kept: KEPT_A_YEAR } as const;

/** A wine's picture, for every signed-in user. Throws Refusal NOT_FOUND. */
export async function getWinePicture(
  { db }: Pick<WinesContext, 'db'>,
  { id, v }: { id: string; v?: string | undefined },
): Promise<PictureFile> {
  const [picture] = await db.select().from(wine_picture).where(eq(wine_picture.wine_id, id));
  if (!picture) throw new Refusal('NOT_FOUND', { what: 'picture' });
  return pictureFile(picture, v, SERVED);
}

/** Locks a wine, so that changes of its picture happen one after the other. Throws Refusal NOT_FOUND. */
async function holdWine(tx: Tx, id: string) {
  const [row] = await tx.select().from(wine).where(eq(wine.id, id)).for('update');
  if (!row) throw new Refusal('NOT_FOUND', { what: 'wine' });
  return { wine_id: id, wine: wineTitle(row), fields: 'picture' };
}

/**
 * Replaces a wine's picture; repeating it changes nothing. Throws Refusal NOT_FOUND, PICTURE_REFUSED, TOO_MANY_ATTEMPTS.
 */
export async function saveWinePicture(
  ctx: WinesContext,
  { id, content }: { id: string; content: string },
): Promise<StaffWine> {
  const picture = await encodePicture(content, WINE_PICTURE_SHAPE);
  return ctx.db.transaction(async (tx) => {
    const facts = await holdWine(tx, id);
    const before = await readWine(ctx, tx, id);
    if (before.picture === picture.version) return before;
    await tx
      .insert(wine_picture)
      .values({ wine_id: id, ...picture })
      .onConflictDoUpdate({ target: wine_picture.wine_id, set: picture });
    await recordAudit(tx, ctx, { act: 'wine_changed', subject_id: null, facts });
    return readWine(ctx, tx, id);
  });
}

/** Removes a wine's picture; repeating it changes nothing. Throws Refusal NOT_FOUND. */
export async function removeWinePicture(ctx: WinesContext, { id }: { id: string }): Promise<StaffWine> {
  return ctx.db.transaction(async (tx) => {
    const facts = await holdWine(tx, id);
    const rows = await tx
      .delete(wine_picture)
      .where(eq(wine_picture.wine_id, id))
      .returning({ wine_id: wine_picture.wine_id });
    if (rows.length > 0) await recordAudit(tx, ctx, { act: 'wine_changed', subject_id: null, facts });
    return readWine(ctx, tx, id);
  });
}
