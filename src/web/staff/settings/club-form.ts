import {
  CLUB_FIELDS,
  CLUB_NUMBERS,
  type ClubField,
  type ClubSettings,
  isClubNumber,
  isInRange,
  numberRangeText,
} from '../../../domain/club/club-settings.ts';
import { isPublicField, type PublicField } from '../../../domain/club/public-pages.ts';

/** The settings with one field each; the others have their own cards. */
export type LineField = Exclude<ClubField, 'places' | 'accent' | PublicField>;
const LINE_FIELDS = CLUB_FIELDS.filter(
  (field): field is LineField => field !== 'places' && field !== 'accent' && !isPublicField(field),
);
export const RULE_LINES = [
  'grace_days',
  'pause_months',
  'renewal_reminder_days',
  'annual_notice',
] as const satisfies LineField[];
export const BAR_LINES = [
  'service_amber',
  'service_water',
  'birthday_glasses',
  'anniversary_glasses',
  'hundredth_glasses',
] as const satisfies LineField[];
const ELSEWHERE: readonly string[] = [...RULE_LINES, ...BAR_LINES];
export const CLUB_LINES = LINE_FIELDS.filter((field) => !ELSEWHERE.includes(field));

export type ClubTexts = Record<LineField, string>;

export function textsOf(values: ClubSettings): ClubTexts {
  const entries = LINE_FIELDS.map((field) => [field, String(values[field] ?? '')] as const);
  return Object.fromEntries(entries) as ClubTexts;
}

export function valueText(field: LineField, text: string): string {
  if (field === 'annual_notice') return text === 'true' ? 'Yes' : 'No';
  return text === '' ? 'none' : text;
}

type Read = { changes: Partial<ClubSettings> } | { field: LineField; text: string };

const errorAt = (field: LineField, text: string): Read => ({ field, text });

/** The typed values that differ from `base`, as input of the call, or the first field with an error. */
export function readClubForm(typed: Partial<ClubTexts>, base: ClubSettings): Read {
  const before = textsOf(base);
  const changes: Partial<ClubSettings> = {};
  for (const field of LINE_FIELDS) {
    const text = typed[field]?.trim();
    if (text === undefined || text === before[field]) continue;
    if (isClubNumber(field)) {
      const range = CLUB_NUMBERS[field];
      const value = /^\d{1,3}$/.test(text) ? Number(text) : -1;
      if (!isInRange(range, value)) return errorAt(field, numberRangeText(range));
      changes[field] = value;
      continue;
    }
    switch (field) {
      case 'club_name':
        if (text === '') return errorAt(field, 'Enter a name.');
        changes.club_name = text;
        break;
      case 'support_email':
        if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text)) return errorAt(field, 'Enter an email.');
        changes.support_email = text;
        break;
      case 'time_zone':
        changes.time_zone = text;
        break;
      case 'minimum_age':
        if (!/^\d{1,2}$/.test(text)) return errorAt(field, 'Enter 0 to 99.');
        changes.minimum_age = Number(text);
        break;
      case 'annual_notice':
        changes.annual_notice = text === 'true';
        break;
      case 'terms_url':
        if (text !== '' && !/^https?:\/\/\S+$/.test(text)) {
          return errorAt(field, 'Enter an address that begins with https://');
        }
        changes.terms_url = text || null;
        break;
    }
  }
  return { changes };
}
