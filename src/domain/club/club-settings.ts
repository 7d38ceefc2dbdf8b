import { GRACE_DAYS } from '../standing.ts';
import { describePlaces, type Place } from './places.ts';
import {
  CLUB_PAGE_FIELDS,
  type ClubPageSettings,
  isPublicText,
  LEGAL_FIELDS,
  type LegalSettings,
} from './public-pages.ts';

/** A whole-number setting: its default and its allowed range. */
export interface NumberRange {
  preset: number;
  min: number;
  max: number;
  /** 0 is allowed too, and turns it off. */
  orZero?: true;
}

/**
 * The club's numeric settings. A new one needs a row here, in CLUB_LABELS and in docs/rules/club.md; if an environment
 * variable sets it too, also a line in clubDefaults.
 */
export const CLUB_NUMBERS = {
  /** Glasses within two hours from which staff see a warning. */
  service_amber: { preset: 3, min: 1, max: 20 },
  /** Glasses within two hours from which staff are reminded of water. */
  service_water: { preset: 4, min: 1, max: 20 },
  /** Glasses on the house. */
  birthday_glasses: { preset: 0, min: 0, max: 5 },
  anniversary_glasses: { preset: 0, min: 0, max: 5 },
  hundredth_glasses: { preset: 0, min: 0, max: 5 },
  /** Days of access after a failed renewal. Shorter than the shortest billing period. */
  grace_days: { preset: GRACE_DAYS, min: 1, max: 21 },
  /** Months for which members may pause by themselves; 0 for none. */
  pause_months: { preset: 3, min: 0, max: 3 },
  /** Months that members may pause in any twelve. */
  pause_months_a_year: { preset: 3, min: 1, max: 12 },
  /** Days before a renewal at which members get an email about it; 0 for none. */
  renewal_reminder_days: { preset: 0, min: 0, max: 27 },
  /** Months without use after which an account without a membership is deleted; 0 for never. */
  retention_months: { preset: 0, min: 6, max: 120, orZero: true },
} as const satisfies Record<string, NumberRange>;
export type ClubNumber = keyof typeof CLUB_NUMBERS;
const CLUB_NUMBER_FIELDS = Object.keys(CLUB_NUMBERS) as ClubNumber[];

export const isClubNumber = (field: ClubField): field is ClubNumber => field in CLUB_NUMBERS;

export const isInRange = ({ min, max, orZero }: NumberRange, value: number): boolean =>
  (value >= min && value <= max) || (orZero === true && value === 0);

export const numberRangeText = ({ min, max, orZero }: NumberRange): string =>
  `Enter ${orZero ? '0, or ' : ''}${min} to ${max}.`;

export const CLUB_NUMBER_PRESETS = Object.fromEntries(
  CLUB_NUMBER_FIELDS.map((field) => [field, CLUB_NUMBERS[field].preset]),
) as Record<ClubNumber, number>;

/** The club's description of itself and its rules for members, each with a default. */
export interface ClubSettings extends Record<ClubNumber, number>, ClubPageSettings, LegalSettings {
  club_name: string;
  support_email: string;
  /** IANA name of the zone in which the venue's days begin. */
  time_zone: string;
  /** The minimum age of members, in years; 0 for none. */
  minimum_age: number;
  /** The URL of the club's terms; null if it has none. */
  terms_url: string | null;
  /** Where the venue is, as readCoordinates() reads it; null if passes need not know. */
  coordinates: string | null;
  /** The places with pours, in the order of the pour form. */
  places: Place[];
  /** Once a year, members get an email with their price and how to cancel. */
  annual_notice: boolean;
  /** '#rrggbb', as seen on parchment; null for the product's own. */
  accent: string | null;
}

export type BillingRules = Pick<
  ClubSettings,
  'grace_days' | 'pause_months' | 'pause_months_a_year' | 'renewal_reminder_days' | 'annual_notice'
>;

export const CLUB_FIELDS = [
  'club_name',
  'support_email',
  'time_zone',
  'minimum_age',
  'terms_url',
  'coordinates',
  ...CLUB_NUMBER_FIELDS,
  'places',
  'annual_notice',
  'accent',
  ...CLUB_PAGE_FIELDS,
  ...LEGAL_FIELDS,
] as const satisfies (keyof ClubSettings)[];
export type ClubField = (typeof CLUB_FIELDS)[number];

/** A change of one setting, as stored in the audit: both values as text. */
export interface ClubChange {
  field: ClubField;
  before: string;
  after: string;
}

function asText(field: ClubField, value: ClubSettings[ClubField]): string {
  if (Array.isArray(value)) return describePlaces(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (value === null) return isPublicText(field) ? 'the default text' : 'none';
  return String(value);
}

/** The differences between two states of the settings, in the order of CLUB_FIELDS. */
export function clubChanges(before: ClubSettings, after: ClubSettings): ClubChange[] {
  return CLUB_FIELDS.map((field) => ({
    field,
    before: asText(field, before[field]),
    after: asText(field, after[field]),
  })).filter((it) => it.before !== it.after);
}
