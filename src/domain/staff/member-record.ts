/** Staff records about a member: docs/rules/members.md, "What staff keep about a member". */

export const MAX_NOTE_LENGTH = 2000;
export const MAX_TAG_LENGTH = 30;
export const MAX_TAGS_OF_MEMBER = 20;
/** The maximum number of tags of a venue. Tags are made by typing, and a thousand would be useless. */
export const MAX_TAGS = 200;
export const MAX_ALLERGIES_LENGTH = 300;

/** A birthday, with or without its year. */
export interface Birthday {
  month: number;
  day: number;
  year: number | null;
}

const LONGEST_MONTHS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Whether the day exists: February 29 without a year, or in a leap year. */
export function isBirthday({ month, day, year }: Birthday): boolean {
  if (day < 1 || day > (LONGEST_MONTHS[month - 1] ?? 0)) return false;
  return year === null || new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day;
}

export const TIMELINE_KINDS = [
  'joined',
  'ended',
  'changed_tier',
  'paid',
  'dues_paid',
  'dues_voided',
  'paused',
  'refunded',
  'returned',
  'disputed',
  'dispute_won',
  'dispute_lost',
  'poured',
  'voided',
  'given',
  'benefit_taken',
  'benefit_undone',
  'gift_bought',
  'gift_redeemed',
  'gift_refunded',
  'month_granted',
  'advance_granted',
  'rest_granted',
  'rolled_over',
  'rollable_changed',
  'tier_known',
  'tier_raised',
  'month_end_moved',
  'emailed',
  'noted',
] as const;

/** A tag in comparable form: 'VIP' and ' vip ' are equal. */
export const tagKey = (label: string): string => label.trim().replace(/\s+/g, ' ').toLowerCase();
