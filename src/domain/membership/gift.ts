import { addDays, addMonths, type LocalDate, localDate, startOfDay } from '../calendar.ts';

/**
 * A membership bought for somebody else, paid once (docs/rules/gifts.md, "Gifts"). Glasses that staff give are another
 * thing: domain/glasses.ts.
 */
export const GIFT_MONTHS = [3, 6, 12] as const;
export type GiftMonths = (typeof GIFT_MONTHS)[number];

/** card: the buyer prints it. email: the club sends it on a day. */
export const GIFT_DELIVERIES = ['card', 'email'] as const;
export type GiftDelivery = (typeof GIFT_DELIVERIES)[number];

/**
 * ordered: its payment page may be open; one that is never paid is deleted. paid: its code works, unless the payment is
 * disputed. redeemed: it is somebody's membership, for good. refunding: its code is dead, and the money on its way back.
 * refunded: it is back. kept: Stripe never gives it back, so staff were told.
 */
export const GIFT_STATUSES = ['ordered', 'paid', 'redeemed', 'refunding', 'refunded', 'kept'] as const;
type GiftStatus = (typeof GIFT_STATUSES)[number];

/** How many characters names and message have. */
export const GIFT_NAME_LENGTH = 60;
export const GIFT_MESSAGE_LENGTH = 500;
/** How far ahead an email can be ordered, in days. */
const GIFT_DAYS_AHEAD = 365;
/** From how many days before its end a gift is reminded of. */
export const GIFT_REMINDER_DAYS = 14;
/** How long the address it was sent to is kept for sending it again, in days. */
export const GIFT_ADDRESS_DAYS = 90;
/** The hour of the venue's day at which emails go out. */
export const GIFT_HOUR = 9;

/** Crockford's alphabet: without I, L, O and U, which look like others or spell something. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** 100 bits. */
const GIFT_CODE_LENGTH = 20;

/** A code of the first 100 bits of at least 20 random bytes. */
export const giftCodeOf = (bytes: Uint8Array): string =>
  Array.from(bytes.subarray(0, GIFT_CODE_LENGTH), (byte) => LETTERS[byte % LETTERS.length]).join('');

/** For the eye: 'ABCD-EFGH-JKMN-PQRS-TVWX'. */
export const giftCodeText = (code: string): string => code.match(/.{1,4}/g)?.join('-') ?? '';

/**
 * Reads a typed code back into its original form, correcting letters that are easily misread. Null if it is
 * not a code.
 */
export function readGiftCode(typed: string): string | null {
  const code = typed.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1');
  const isCode = code.length === GIFT_CODE_LENGTH && [...code].every((letter) => LETTERS.includes(letter));
  return isCode ? code : null;
}

/** What a gift costs, in cents, before tax. */
export const giftPrice = (monthly_price_cents: number, months: number): number =>
  monthly_price_cents * months;

/** The first day without glasses of a gift that begins on this day. */
export const giftEndsOn = (begins: LocalDate, months: number): LocalDate => addMonths(begins, months);

/** Its last day with glasses. */
export const giftLastDay = (ends_on: LocalDate): LocalDate => addDays(ends_on, -1);

/** Whether a membership that ends on a day, if it does, is over. */
export const isGiftOver = (ends_on: LocalDate | null, now: Date, timeZone: string): boolean =>
  ends_on !== null && now >= startOfDay(ends_on, timeZone);

/** Whether an email can be ordered for that day: today to a year ahead, by the venue's calendar. */
export function canSendOn(day: LocalDate, now: Date, timeZone: string): boolean {
  const today = localDate(now, timeZone);
  return day >= today && day <= addDays(today, GIFT_DAYS_AHEAD);
}

/** Why a gift's money is not given back, or its code not taken. */
export const GIFT_OBSTACLES = ['redeemed', 'refunded', 'disputed', 'member', 'unpaid'] as const;
export type GiftObstacle = (typeof GIFT_OBSTACLES)[number];

/** What is to be known of a gift to decide on it. */
export interface GiftState {
  status: GiftStatus;
  /** The bank has taken the payment back, or may. */
  disputed: boolean;
}

/** Why it cannot be given back; null if it can, or is being given back already. */
export function refundObstacleOf({ status, disputed }: GiftState): GiftObstacle | null {
  if (status === 'redeemed') return 'redeemed';
  if (status === 'ordered') return 'unpaid';
  if (status === 'paid' && disputed) return 'disputed';
  return null;
}

/** Why its code cannot be redeemed; null if it can. `isMember`: whether whoever redeems it is a member. */
export function redeemObstacle({ status, disputed }: GiftState, isMember: boolean): GiftObstacle | null {
  if (status === 'redeemed') return 'redeemed';
  if (status !== 'paid') return status === 'ordered' ? 'unpaid' : 'refunded';
  if (disputed) return 'disputed';
  return isMember ? 'member' : null;
}
