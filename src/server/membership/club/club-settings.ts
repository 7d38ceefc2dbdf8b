import { isDeepStrictEqual } from 'node:util';
import { Refusal } from '../../../contract/refusals.ts';
import type { ClubSettingsView } from '../../../contract/staff/club.ts';
import {
  CLUB_FIELDS,
  type ClubField,
  type ClubSettings,
  clubChanges,
} from '../../../domain/club/club-settings.ts';
import { DEFAULT_PLACES, mergePlaces, type PlaceDraft, placesProblem } from '../../../domain/club/places.ts';
import { type AuditContext, recordAudit } from '../../audit/record-audit.ts';
import type { Db, Tx } from '../../db/client.ts';
import { sql } from '../../db/orm.ts';
import { rowsOf } from '../../db/results.ts';
import { club_settings } from '../../db/schema.ts';
import { type Club, type ClubOverrides, readStoredClub, type StoredClub, withOverrides } from './club.ts';
import { readLogoFacts, readPictureVersion } from './stored-logo.ts';

/** Counts the members in grace, those paused, and those of a year or longer. */
export async function countTouched(db: Db | Tx, now: Date): Promise<ClubSettingsView['now']> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const [row] = await rowsOf<ClubSettingsView['now']>(
    db,
    sql`select count(*) filter (where s.status = 'past_due' and s.grace_until > ${at})::integer as in_grace,
               count(*) filter (where s.status in ('active', 'trialing') and s.paused_from <= ${at}
                                  and (s.paused_until is null or s.paused_until > ${at}))::integer as paused,
               count(*) filter (where s.status in ('active', 'trialing')
                                  and s.created_at <= ${at} - interval '1 year')::integer as a_year
          from billing_subscription s
          join memberships m on m.stripe_subscription_id = s.stripe_subscription_id and m.status = 'active'`,
  );
  return row ?? { in_grace: 0, paused: 0, a_year: 0 };
}

export interface ClubContext extends AuditContext {
  db: Db;
  club: Club;
}

type Drafts = Omit<ClubSettings, 'places'> & { places: PlaceDraft[] };

export interface ClubChangeRequest {
  /** The settings version the form was loaded with. */
  version: number;
  changes: { [Field in ClubField]?: Drafts[Field] | undefined };
  reset: ClubField[];
}

export async function getClubSettings({ db, club, now }: ClubContext): Promise<ClubSettingsView> {
  const { overrides, version } = await readStoredClub(db);
  return {
    version,
    values: withOverrides(club.defaults, overrides),
    defaults: club.defaults,
    changed: CLUB_FIELDS.filter((field) => field in overrides),
    logo: await readLogoFacts(db),
    picture: await readPictureVersion(db),
    now: await countTouched(db, now()),
  };
}

/**
 * Changes apply at once in this process, and in the others when they are notified of the commit
 * (db/functions/announcements.sql). Each difference has an audit entry. Throws Refusal SETTING_REFUSED, or SETTINGS_CHANGED
 * if someone was faster.
 */
export async function updateClubSettings(
  ctx: ClubContext,
  input: ClubChangeRequest,
): Promise<ClubSettingsView> {
  await ctx.db.transaction((tx) => changeClub(tx, ctx, input));
  await ctx.club.refresh();
  return getClubSettings(ctx);
}

export async function listPlaces({
  club,
}: Pick<ClubContext, 'club'>): Promise<{ id: string; name: string }[]> {
  const offers = club.current().places.filter(({ retired }) => !retired);
  return offers.map(({ id, name }) => ({ id, name }));
}

/** The overrides to store after a change. Throws Refusal SETTING_REFUSED. */
function overridesAfter(
  current: ClubSettings,
  base: ClubOverrides,
  { changes, reset }: Pick<ClubChangeRequest, 'changes' | 'reset'>,
): ClubOverrides {
  const entries = Object.entries(changes).filter(([, value]) => value !== undefined);
  const overrides: ClubOverrides = { ...base, ...Object.fromEntries(entries) };
  for (const field of reset) delete overrides[field];
  const drafts = reset.includes('places') ? DEFAULT_PLACES : changes.places;
  if (!drafts) return overrides;
  // Added places stay known even after a reset: a queued pour may name one.
  const places = mergePlaces(current.places, drafts);
  const why = placesProblem(places);
  if (why) throw new Refusal('SETTING_REFUSED', { why });
  if (isDeepStrictEqual(places, DEFAULT_PLACES)) delete overrides.places;
  else overrides.places = places;
  return overrides;
}

/**
 * Stores a change of the settings; the caller then calls `club.refresh()`, after the commit. Without a version, none is
 * compared. Throws Refusal SETTINGS_CHANGED, SETTING_REFUSED.
 */
export async function changeClub(
  tx: Tx,
  ctx: Omit<ClubContext, 'db'>,
  input: Omit<ClubChangeRequest, 'version'> & { version?: number },
): Promise<void> {
  const { club } = ctx;
  const before = await holdClub(tx, ctx);
  if (input.version !== undefined && before.version !== input.version) throw new Refusal('SETTINGS_CHANGED');
  const current = withOverrides(club.defaults, before.overrides);
  const overrides = overridesAfter(current, before.overrides, input);
  if (isDeepStrictEqual(overrides, before.overrides)) return;
  await storeClub(tx, ctx, { overrides, version: before.version + 1 });
  for (const facts of clubChanges(current, withOverrides(club.defaults, overrides))) {
    await recordAudit(tx, ctx, { act: 'club_changed', subject_id: null, facts: { ...facts } });
  }
}

/** Locks the settings: a second change waits here, and then finds another version. */
export async function holdClub(tx: Tx, { now }: { now(): Date }): Promise<StoredClub> {
  await tx
    .insert(club_settings)
    .values({ overrides: {}, version: 0, changed_at: now() })
    .onConflictDoNothing();
  await tx.select().from(club_settings).for('update');
  return readStoredClub(tx);
}

/** Stores what differs from the configuration, in the row that holdClub locked, and so notifies every process. */
export async function storeClub(tx: Tx, { now }: { now(): Date }, club: StoredClub): Promise<void> {
  await tx.update(club_settings).set({ ...club, changed_at: now() });
}
