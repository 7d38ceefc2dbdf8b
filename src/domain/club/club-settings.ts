/** What the club says of itself and asks of its members. Each has a default from the configuration. */
export interface ClubSettings {
  club_name: string;
  support_email: string;
  /** IANA name of the zone in which the venue's days begin. */
  time_zone: string;
  /** Of members, in years; 0 for none. */
  minimum_age: number;
  /** Where the club's terms can be read; null where it has none. */
  terms_url: string | null;
}

export const CLUB_FIELDS = [
  'club_name',
  'support_email',
  'time_zone',
  'minimum_age',
  'terms_url',
] as const satisfies (keyof ClubSettings)[];
export type ClubField = (typeof CLUB_FIELDS)[number];

/** A change of one setting, as the audit keeps it: both values as text. */
export interface ClubChange {
  field: ClubField;
  before: string;
  after: string;
}

const asText = (value: ClubSettings[ClubField]): string => (value === null ? 'none' : String(value));

/** What differs between two states of the settings, in the order of CLUB_FIELDS. */
export function clubChanges(before: ClubSettings, after: ClubSettings): ClubChange[] {
  return CLUB_FIELDS.map((field) => ({
    field,
    before: asText(before[field]),
    after: asText(after[field]),
  })).filter((it) => it.before !== it.after);
}
