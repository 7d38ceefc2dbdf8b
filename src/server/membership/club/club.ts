import type { Logger } from 'pino';
import { clubValues } from '../../../contract/staff/club.ts';
import {
  CLUB_FIELDS,
  CLUB_NUMBER_PRESETS,
  type ClubField,
  type ClubSettings,
} from '../../../domain/club/club-settings.ts';
import { readCoordinates } from '../../../domain/club/coordinates.ts';
import { DEFAULT_PLACES } from '../../../domain/club/places.ts';
import { acceptedTerms, PUBLIC_PAGE_PRESETS } from '../../../domain/club/public-pages.ts';
import type { EnvSettings } from '../../config/settings.ts';
import type { Db, Tx } from '../../db/client.ts';
import { club_settings } from '../../db/schema.ts';
import type { Venue } from '../../mail/email.ts';
import { logoOfVenue, readLogo } from './stored-logo.ts';
import { openWordings } from './stored-wordings.ts';

/** Settings that differ from the configuration. */
export type ClubOverrides = Partial<ClubSettings>;

export interface StoredClub {
  overrides: ClubOverrides;
  /** 0 before the first change. */
  version: number;
}

export type Club = Awaited<ReturnType<typeof openClub>>;

/** The configuration's settings, with presets where it has none; staff override them. */
export const clubDefaults = (settings: EnvSettings): ClubSettings => ({
  club_name: settings.clubName,
  support_email: settings.supportEmail,
  time_zone: settings.timeZone,
  minimum_age: settings.minimumAge,
  terms_url: settings.termsUrl,
  coordinates: null,
  places: DEFAULT_PLACES,
  accent: null,
  ...CLUB_NUMBER_PRESETS,
  pause_months: settings.pauseMonths,
  renewal_reminder_days: settings.reminders.renewalDays,
  annual_notice: settings.reminders.annual,
  ...PUBLIC_PAGE_PRESETS,
});

export const withOverrides = (defaults: ClubSettings, overrides: ClubOverrides): ClubSettings => ({
  ...defaults,
  ...overrides,
});

/** The stored settings. Values that the contract would refuse, as from a later version, count as absent. */
export async function readStoredClub(db: Db | Tx): Promise<StoredClub> {
  const [row] = await db.select().from(club_settings);
  if (!row) return { overrides: {}, version: 0 };
  const entries = CLUB_FIELDS.map((field) => [field, readValue(field, row.overrides[field])] as const);
  const overrides = Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as ClubOverrides;
  return { overrides, version: row.version };
}

const readValue = (field: ClubField, value: unknown): unknown =>
  value === undefined ? undefined : clubValues[field].safeParse(value).data;

/** Reads and caches the settings. Throws the database's errors. */
export async function openClub(db: Db, defaults: ClubSettings, log?: Logger) {
  const wordings = await openWordings(db, log);
  let current = await readStoredClub(db);
  let logo = await readLogo(db);
  let settings = withOverrides(defaults, current.overrides);
  return {
    defaults,
    /** Cached, as the logo and the wordings; at most as old as the last announcement. */
    current: () => settings,
    version: () => current.version,
    /** Null if there is none. */
    logo: () => logo,
    /** The venue's wording of an email; null if it adds nothing. */
    wordingOf: wordings.of,
    /** Reads the database again. Throws the database's errors, leaving the cache unchanged. */
    async refresh(): Promise<void> {
      await wordings.refresh();
      const latest = await readStoredClub(db);
      // Read after the version, which every change of the logo raises: an outdated logo never stays.
      const readNow = await readLogo(db);
      // Reads can overtake each other.
      if (latest.version < current.version) return;
      current = latest;
      logo = readNow;
      settings = withOverrides(defaults, latest.overrides);
    },
  };
}

export function refreshSoon(club: Club, log: Logger): void {
  club.refresh().catch((err: unknown) => log.warn({ err }, 'the club’s settings could not be read again'));
}

/** The venue for emails and passes, always with the current settings. */
export function venueOf(club: Club, public_url: string): Venue {
  return {
    public_url,
    wordingOf: club.wordingOf,
    get club_name() {
      return club.current().club_name;
    },
    get support_email() {
      return club.current().support_email;
    },
    get time_zone() {
      return club.current().time_zone;
    },
    get minimum_age() {
      return club.current().minimum_age;
    },
    get terms_url() {
      return acceptedTerms(club.current(), public_url);
    },
    get place() {
      const { coordinates } = club.current();
      return coordinates === null ? null : readCoordinates(coordinates);
    },
    get accent() {
      return club.current().accent;
    },
    get logo() {
      const logo = club.logo();
      return logo && logoOfVenue(public_url, logo);
    },
  };
}
