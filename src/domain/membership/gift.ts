import { addDays, addMonths, type LocalDate, localDate } from '../calendar.ts';

/** A membership bought for another person, paid once (docs/rules/gifts.md, "Gifts"). */
export const GIFT_MONTHS = [3, 6, 12] as const;
export type GiftMonths = (typeof GIFT_MONTHS)[number];

/** card: the buyer prints it. email: the club sends it on a chosen day. */
export const GIFT_DELIVERIES = ['card', 'email'] as const;
export type GiftDelivery = (typeof GIFT_DELIVERIES)[number];

/**
 * ordered: its payment page may be open; one that is never paid is deleted. paid: its code works, unless the payment is
 * disputed. redeemed: it has become a membership, for good. refunding: its code no longer works, and the money is on its
 * way back. refunded: the money is back. kept: Stripe never returned it, and staff were notified.
 */
export const GIFT_STATUSES = ['ordered', 'paid', 'redeemed', 'refunding', 'refunded', 'kept'] as const;
type GiftStatus = (typeof GIFT_STATUSES)[number];

/** The maximum lengths of names and message, in characters. */
export const GIFT_NAME_LENGTH = 60;
export const GIFT_MESSAGE_LENGTH = 500;
const GIFT_DAYS_AHEAD = 365;
/** Days before a gift's end at which the reminder is sent. */
export const GIFT_REMINDER_DAYS = 14;
/** The number of days the recipient's email is stored for sending the gift again. */
export const GIFT_ADDRESS_DAYS = 90;
/** The hour at the venue from which emails go out. */
export const GIFT_HOUR = 9;

/** Crockford's alphabet: no I, L, O or U, which look like other characters or spell something. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** 100 bits. */
const GIFT_CODE_LENGTH = 20;

/** A gift code from at least 20 random bytes: five bits of each of the first 20. */
export const giftCodeOf = (bytes: Uint8Array): string =>
  Array.from(bytes.subarray(0, GIFT_CODE_LENGTH), (byte) => LETTERS[byte % LETTERS.length]).join('');

/** The code in groups for reading: 'ABCD-EFGH-JKMN-PQRS-TVWX'. */
export const giftCodeText = (code: string): string => code.match(/.{1,4}/g)?.join('-') ?? '';

/** A typed code as it was made, with easily misread characters corrected; null if the text is not a code. */
export function readGiftCode(text: string): string | null {
  const code = text.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1');
  const isCode = code.length === GIFT_CODE_LENGTH && [...code].every((letter) => LETTERS.includes(letter));
  return isCode ? code : null;
}

/** The price of a gift, in cents, before tax. */
export const giftPrice = (monthly_price_cents: number, months: number): number =>
  monthly_price_cents * months;

/** The first day without glasses of a gift that begins on this day. */
export const giftEndsOn = (begins: LocalDate, months: number): LocalDate => addMonths(begins, months);

export const giftLastDay = (ends_on: LocalDate): LocalDate => addDays(ends_on, -1);

/** Whether an email can be ordered for that day: from today to a year ahead, in the venue's calendar. */
export function canSendOn(day: LocalDate, now: Date, timeZone: string): boolean {
  const today = localDate(now, timeZone);
  return day >= today && day <= addDays(today, GIFT_DAYS_AHEAD);
}

/** Why a gift cannot be refunded or its code cannot be redeemed. */
export const GIFT_OBSTACLES = ['redeemed', 'refunded', 'disputed', 'member', 'unpaid'] as const;
export type GiftObstacle = (typeof GIFT_OBSTACLES)[number];

export interface GiftState {
  status: GiftStatus;
  /** The bank has taken the payment back, or may. */
  disputed: boolean;
}

/** The reason a gift cannot be refunded; null if it can, or is already being refunded. */
export function refundObstacleOf({ status, disputed }: GiftState): GiftObstacle | null {
  if (status === 'redeemed') return 'redeemed';
  if (status === 'ordered') return 'unpaid';
  if (status === 'paid' && disputed) return 'disputed';
  return null;
}

/** The reason why its code cannot be redeemed; null if it can. `isMember`: the person redeeming it is a member. */
export function redeemObstacle({ status, disputed }: GiftState, isMember: boolean): GiftObstacle | null {
  if (status === 'redeemed') return 'redeemed';
  if (status !== 'paid') return status === 'ordered' ? 'unpaid' : 'refunded';
  if (disputed) return 'disputed';
  return isMember ? 'member' : null;
}
