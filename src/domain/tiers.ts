import { BENEFIT_LIST_OBSTACLES, type Benefit, benefitsObstacle } from './membership/benefit.ts';
import { MAX_GUEST_GLASSES } from './membership/guest-glass.ts';
import { MAX_PEOPLE, MIN_PEOPLE } from './membership/household.ts';
import { MAX_ROLLOVER } from './membership/rollover.ts';

export const DEFAULT_TIER = 'select';

const TIER_LOOKS = ['select', 'premier', 'elite', 'household'] as const;
export type TierLook = (typeof TIER_LOOKS)[number];

/** The card colors of a tier; tiers without their own look like Select. */
export const tierLook = (tier: string): TierLook => TIER_LOOKS.find((look) => look === tier) ?? 'select';

/** A tier's name in the database and in URLs, such as 'grand_cru'. It never changes; the displayed name can. */
export const TIER_NAME = /^[a-z][a-z0-9_]{0,29}$/;

/** Stripe charges nothing below about half a dollar. */
export const MIN_PRICE = 50;
const MAX_PRICE = 10_000_000;
/** Stripe's amounts have eight digits. */
const MAX_CHARGE = 99_999_999;
const MAX_MONTHLY_POURS = 500;

/**
 * Why a tier cannot be set up this way. members_have_it: members would get less than they pay for; move them to another
 * tier instead. last_on_offer: joining would be impossible. not_on_offer: only a tier on offer is featured.
 */
export const TIER_OBSTACLES = [
  'name_taken',
  'name_not_allowed',
  'price_not_allowed',
  'year_price_not_allowed',
  'glasses_not_allowed',
  'people_not_allowed',
  'guest_glasses_not_allowed',
  'rollover_not_allowed',
  ...BENEFIT_LIST_OBSTACLES,
  'words_missing',
  'members_have_it',
  'last_on_offer',
  'not_on_offer',
] as const;
export type TierObstacle = (typeof TIER_OBSTACLES)[number];

interface TierTerms {
  display_name: string;
  description: string;
  monthly_price_cents: number;
  /** The price of twelve months paid at once; null without one. */
  yearly_price_cents?: number | null;
  monthly_pours: number;
  people?: number;
  guest_glasses?: number;
  rollover_glasses?: number;
  benefits?: Benefit[];
}

const isBetween = (value: number | undefined, min: number, max: number) =>
  value === undefined || (Number.isInteger(value) && value >= min && value <= max);

/** The problem with a tier's price of a year: Stripe must be able to charge it, and it is no more than twelve months. */
export function yearPriceObstacle({
  monthly_price_cents: month = 0,
  yearly_price_cents: year,
}: Partial<TierTerms>): 'year_price_not_allowed' | null {
  if (year === null || isBetween(year, MIN_PRICE, Math.min(12 * month, MAX_CHARGE))) return null;
  return 'year_price_not_allowed';
}

/** The whole months that a year's price saves: $390 for months of $39 saves 2. */
function monthsFree(year: number, month: number): number {
  return month > 0 ? Math.max(0, 12 - Math.ceil(year / month)) : 0;
}

/** What a year's price saves in words, '2 months free'; '' for less than a month. */
export function monthsFreeText(year: number, month: number): string {
  const months = monthsFree(year, month);
  return months === 0 ? '' : `${months} ${months === 1 ? 'month' : 'months'} free`;
}

/** The problem with a tier's terms by themselves; null if there is none. */
export function tierTermsObstacle(terms: Partial<TierTerms>): TierObstacle | null {
  const { display_name, description, monthly_price_cents: price, monthly_pours: pours } = terms;
  if (display_name?.trim() === '' || description?.trim() === '') return 'words_missing';
  if (!isBetween(price, MIN_PRICE, MAX_PRICE)) return 'price_not_allowed';
  if (!isBetween(pours, 1, MAX_MONTHLY_POURS)) return 'glasses_not_allowed';
  if (!isBetween(terms.people, MIN_PEOPLE, MAX_PEOPLE)) return 'people_not_allowed';
  if (!isBetween(terms.guest_glasses, 0, MAX_GUEST_GLASSES)) return 'guest_glasses_not_allowed';
  if (!isBetween(terms.rollover_glasses, 0, MAX_ROLLOVER)) return 'rollover_not_allowed';
  return benefitsObstacle(terms.benefits ?? []);
}

/** A tier's name as a label, if the venue's own label is not available: 'grand_cru' -> 'Grand Cru' */
export function tierLabel(tier: string): string {
  return tier.replaceAll('_', ' ').replace(/(^| )\p{L}/gu, (it) => it.toUpperCase());
}
