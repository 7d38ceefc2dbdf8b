import type { ClubSettingsView } from '../../../contract/staff/club.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import type { Tx } from '../../db/client.ts';
import { club_logo } from '../../db/schema.ts';
import { encodeLogo } from '../../pictures/encode-logo.ts';
import { type ClubContext, getClubSettings, holdClub, storeClub } from './club-settings.ts';
import { readLogoFacts } from './stored-logo.ts';

// Rules: docs/rules/club.md, "Logo".

/** Replaces the club's logo; repeating it changes nothing. Throws Refusal PICTURE_REFUSED, TOO_MANY_ATTEMPTS. */
export async function saveClubLogo(
  ctx: ClubContext,
  { content }: { content: string },
): Promise<ClubSettingsView> {
  const logo = await encodeLogo(content);
  return changeLook(ctx, async (tx) => {
    if ((await readLogoFacts(tx))?.version === logo.version) return false;
    await tx.insert(club_logo).values(logo).onConflictDoUpdate({ target: club_logo.only_row, set: logo });
    await recordAudit(tx, ctx, { act: 'logo_saved', subject_id: null, facts: {} });
    return true;
  });
}

/** Removes the club's logo; repeating it changes nothing. */
export async function removeClubLogo(ctx: ClubContext): Promise<ClubSettingsView> {
  return changeLook(ctx, async (tx) => {
    const gone = await tx.delete(club_logo).returning({ version: club_logo.version });
    if (gone.length === 0) return false;
    await recordAudit(tx, ctx, { act: 'logo_removed', subject_id: null, facts: {} });
    return true;
  });
}

/** Changes a picture like a setting: at once in this process, in others when they are notified of the commit. */
export async function changeLook(
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
