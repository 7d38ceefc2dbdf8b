/** What staff keep about a member: docs/rules/members.md, "What staff keep about a member". */

export const MAX_NOTE_LENGTH = 2000;
export const MAX_TAG_LENGTH = 30;
export const MAX_TAGS_OF_MEMBER = 20;
/** Of the venue. Tags are made by typing, and a thousand of them would help nobody. */
export const MAX_TAGS = 200;
export const MAX_ALLERGIES_LENGTH = 300;

/** A birthday; the year is said or not. */
export interface Birthday {
  month: number;
  day: number;
  year: number | null;
}

const LONGEST_MONTHS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Whether there is such a day: February 29 in any year that is not said, and in leap years. */
export function isBirthday({ month, day, year }: Birthday): boolean {
  if (day < 1 || day > (LONGEST_MONTHS[month - 1] ?? 0)) return false;
  return year === null || new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day;
}

/** What happened to a member, in their timeline. */
export const TIMELINE_KINDS = [
  'joined',
  'ended',
  'changed_tier',
  'paid',
  'refunded',
  'disputed',
  'dispute_won',
  'dispute_lost',
  'poured',
  'voided',
  'given',
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

/** A tag as it is compared: 'VIP' and ' vip ' are one. */
export const tagKey = (label: string): string => label.trim().replace(/\s+/g, ' ').toLowerCase();
