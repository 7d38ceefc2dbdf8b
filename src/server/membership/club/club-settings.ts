import { isDeepStrictEqual } from 'node:util';
import type { ClubSettingsView } from '../../../contract/staff/club.ts';
import {
  CLUB_FIELDS,
  type ClubField,
  type ClubSettings,
  clubChanges,
} from '../../../domain/club/club-settings.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { type AuditContext, recordAudit } from '../../audit/record-audit.ts';
import type { Db, Tx } from '../../db/client.ts';
import { club_settings } from '../../db/schema.ts';
import { type Club, type ClubOverrides, readStoredClub, type StoredClub, withOverrides } from './club.ts';

export interface ClubContext extends AuditContext {
  db: Db;
  club: Club;
}

export interface ClubChangeRequest {
  /** The one that was looked at. */
  version: number;
  changes: { [Field in ClubField]?: ClubSettings[Field] | undefined };
  reset: ClubField[];
}

function viewOf(defaults: ClubSettings, { overrides, version }: StoredClub): ClubSettingsView {
  return {
    version,
    values: withOverrides(defaults, overrides),
    defaults,
    changed: CLUB_FIELDS.filter((field) => field in overrides),
  };
}

/** The settings as they are stored now, with their defaults. */
export async function getClubSettings({
  db,
  club,
}: Pick<ClubContext, 'db' | 'club'>): Promise<ClubSettingsView> {
  return viewOf(club.defaults, await readStoredClub(db));
}

/**
 * Sets some settings and resets others to the configuration's, with an entry of the audit for each that differs. `version`
 * is the one that was looked at. It counts in this process at once, and in the others when they hear of the commit
 * (db/functions/announcements.sql). Throws Refusal SETTINGS_CHANGED where someone was faster.
 */
export async function updateClubSettings(
  ctx: ClubContext,
  input: ClubChangeRequest,
): Promise<ClubSettingsView> {
  const { db, club } = ctx;
  const after = await db.transaction((tx) => changeClub(tx, ctx, input));
  await club.refresh();
  return viewOf(club.defaults, after);
}

/**
 * The same in the caller's transaction; what is in memory follows with `club.refresh()` after the commit. Without a
 * version, whatever is stored is changed. Throws Refusal SETTINGS_CHANGED.
 */
export async function changeClub(
  tx: Tx,
  ctx: Omit<ClubContext, 'db'>,
  input: Omit<ClubChangeRequest, 'version'> & { version?: number },
): Promise<StoredClub> {
  const { club, now } = ctx;
  await tx
    .insert(club_settings)
    .values({ overrides: {}, version: 0, changed_at: now() })
    .onConflictDoNothing();
  // Whoever comes second waits here, and then finds another version.
  await tx.select().from(club_settings).for('update');
  const before = await readStoredClub(tx);
  if (input.version !== undefined && before.version !== input.version) throw new Refusal('SETTINGS_CHANGED');
  const named = Object.entries(input.changes).filter(([, value]) => value !== undefined);
  const overrides: ClubOverrides = { ...before.overrides, ...Object.fromEntries(named) };
  for (const field of input.reset) delete overrides[field];
  if (isDeepStrictEqual(overrides, before.overrides)) return before;
  const stored = { overrides, version: before.version + 1 };
  await tx.update(club_settings).set({ ...stored, changed_at: now() });
  const changes = clubChanges(
    withOverrides(club.defaults, before.overrides),
    withOverrides(club.defaults, overrides),
  );
  for (const facts of changes) {
    await recordAudit(tx, ctx, { act: 'club_changed', subject_id: null, facts: { ...facts } });
  }
  return stored;
}
