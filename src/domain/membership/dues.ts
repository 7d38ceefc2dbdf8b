import { addDays, addMonths, type LocalDate, monthsSince } from '../calendar.ts';

// Dues are what members pay at the venue, by the month (docs/rules/dues.md). Days are the venue's.

/** The numbers of months that one payment can be for. */
export const DUES_MONTHS = [1, 3, 6, 12] as const;
export type DuesMonths = (typeof DUES_MONTHS)[number];

/** The months of a year, which a tier can have a price for. */
export const YEAR_MONTHS = 12 satisfies DuesMonths;

/** The months of a year that have not begun: 'the month left', 'the 7 months left'. */
export const monthsLeftText = (months: number): string =>
  months === 1 ? 'the month left' : `the ${months} months left`;

/** Days before the first unpaid one from which members hear that a year ends, besides DUES_DUE_DAYS. */
export const YEAR_ENDING_DAYS = 30;

/** What months of a membership cost at the venue, in cents. */
export interface DuesPrices {
  price_cents: number;
  /** Twelve months at once; null if they cost twelve times one. */
  year_cents: number | null;
}

/** The prices of a membership, whose own price of a month may be lower than its tier's. `year_cents`: the tier's. */
export const duesPrices = (price_cents: number, year_cents: number | null): DuesPrices => ({
  price_cents,
  year_cents: year_cents !== null && year_cents <= YEAR_MONTHS * price_cents ? year_cents : null,
});

/** The price of months, in cents. */
export const duesAmount = ({ price_cents, year_cents }: DuesPrices, months: number): number =>
  (months === YEAR_MONTHS ? year_cents : null) ?? months * price_cents;

/** How dues were paid. card_machine: by card, without Stripe. */
export const DUES_METHODS = ['cash', 'card_machine', 'transfer'] as const;
export type DuesMethod = (typeof DUES_METHODS)[number];

/** As stored. online: a year that the member paid by Stripe's page. */
export const PAID_METHODS = [...DUES_METHODS, 'online'] as const;
export type PaidMethod = (typeof PAID_METHODS)[number];

/**
 * payment: money received. difference: the same, for a dearer tier in the months that are left of a year. start: staff began
 * to count the dues of an older membership from a day. pause: months that are not used up, or fewer of them once the member
 * came back.
 */
export const DUES_KINDS = ['payment', 'difference', 'start', 'pause'] as const;

/** Days before the first unpaid one on which a payment is due. */
export const DUES_DUE_DAYS = 7;

/** The longest ago that a payment can have been received, in months. */
const MOST_MONTHS_AGO = 12;

/** The most that one payment can be, in months of the tier's price. */
const MOST_MONTHS = 120;

/** not_counted: dues are not counted. due: its last paid days. overdue: unpaid, during the days of grace. */
export const DUES_STATES = ['not_counted', 'paid', 'due', 'overdue', 'ended'] as const;
export type DuesState = (typeof DUES_STATES)[number];

/** Until when a membership at the venue is paid. */
export interface PaidUntil {
  /** The first day that is not paid; null if dues are not counted. */
  paid_until: LocalDate | null;
  /** The first day without access while that is not paid. */
  grace_until: LocalDate | null;
  /** The first day without membership; nothing is due for one that ends with what is paid. */
  ends_on: LocalDate | null;
}

/** The state of a membership's dues on a day. */
export function duesState({ paid_until, grace_until, ends_on }: PaidUntil, today: LocalDate): DuesState {
  if (paid_until === null) return 'not_counted';
  if (ends_on !== null && ends_on <= paid_until) return 'paid';
  if (today < addDays(paid_until, -DUES_DUE_DAYS)) return 'paid';
  if (today < paid_until) return 'due';
  return grace_until !== null && today < grace_until ? 'overdue' : 'ended';
}

/** A membership's price, and that of another tier that begins on a day; null if none does. */
export interface DuesPrice {
  paid_until: LocalDate | null;
  monthly_price_cents: number;
  pending_from: LocalDate | null;
  pending_price_cents: number | null;
}

/** Whether another tier begins with the next month that is paid. */
const isTierNext = ({ paid_until, pending_from }: Pick<DuesPrice, 'paid_until' | 'pending_from'>) =>
  paid_until !== null && pending_from !== null && pending_from <= paid_until;

/** The price of the next month that is paid, in cents: that of another tier which begins with it. */
export const nextMonthCents = (membership: DuesPrice): number =>
  (isTierNext(membership) ? membership.pending_price_cents : null) ?? membership.monthly_price_cents;

/** The tier of the next month that is paid. */
export const nextMonthTier = (
  membership: Pick<DuesPrice, 'paid_until' | 'pending_from'> & { tier: string; pending_tier: string | null },
): string => (isTierNext(membership) ? membership.pending_tier : null) ?? membership.tier;

/** The day from which another tier counts: the first unpaid one, or today if that is over or dues are not counted. */
export const tierFrom = (paid_until: LocalDate | null, today: LocalDate): LocalDate =>
  paid_until !== null && paid_until > today ? paid_until : today;

/** The start of a membership's month that contains a day. Months count from the day it began: 31 Jan, 28 Feb, 31 Mar. */
export const monthStart = (start: LocalDate, day: LocalDate): LocalDate =>
  addMonths(start, monthsSince(start, day));

/** The end of so many months from the start of one of the membership's months. */
export const duesUntil = (start: LocalDate, from: LocalDate, months: number): LocalDate =>
  addMonths(start, monthsSince(start, from) + months);

/** The first boundary of the membership's months on a day or after it. */
export function monthBoundary(start: LocalDate, day: LocalDate): LocalDate {
  const boundary = monthStart(start, day);
  return boundary < day ? duesUntil(start, day, 1) : boundary;
}

/**
 * Why dues cannot be recorded or voided. not_active: the membership has ended. by_card: it is paid by card, a gift, or on the
 * house. amount: below 0, or more than 120 months of the tier's price. day: received on a day ahead of today, or more than
 * twelve months ago. too_early: counted from a month that is over. counted: payments are recorded, so the day follows from
 * them. voided: it was voided before. online: paid by Stripe's page, so that it is refunded. paid_ahead: more than twelve
 * months are paid, so that another year can wait; for a card, two years. ending: the membership ends before the last day that
 * would be paid. paused: a card can follow once the pause is over.
 * difference: one to a dearer tier was paid for the rest of the year, and is refunded or voided first.
 */
export const DUES_OBSTACLES = [
  'not_active',
  'by_card',
  'amount',
  'day',
  'too_early',
  'counted',
  'voided',
  'online',
  'paid_ahead',
  'ending',
  'paused',
  'difference',
] as const;
export type DuesObstacle = (typeof DUES_OBSTACLES)[number];

/** Why a payment is refused; null if it is not. `price_cents` is the membership's monthly price. */
export function duesObstacle(
  { amount_cents, paid_on }: { amount_cents: number; paid_on: LocalDate },
  price_cents: number,
  today: LocalDate,
): 'amount' | 'day' | null {
  if (paid_on > today || paid_on < addMonths(today, -MOST_MONTHS_AGO)) return 'day';
  return amount_cents < 0 || amount_cents > MOST_MONTHS * price_cents ? 'amount' : null;
}
