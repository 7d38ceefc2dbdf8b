import { GIFT_HOUR } from '../../../domain/membership/gift.ts';
import { linkFragment } from '../../../domain/membership/link-fragment.ts';
import { formatAmount } from '../../../domain/money.ts';
import { composeEmail, type Email, type Venue } from '../../mail/email.ts';
import { type LetterWriters, letter } from './letter-words.ts';

/** To buyers, and to those whose membership is a gift. */
export const giftLetters: LetterWriters<
  'gift_bought' | 'gift_refunded' | 'gift_started' | 'gift_ending' | 'gift_ended'
> = {
  gift_bought: ({ tier, months, amount_cents, currency, send_on }, { label, day, gifts }) =>
    letter(
      'Your gift is ready',
      {
        facts: [
          ['Gift', `${label(tier)}, ${months} months`],
          ['Paid', formatAmount(amount_cents, currency)],
        ],
      },
      send_on
        ? `We send it by email on ${day(send_on)} at ${GIFT_HOUR} AM. Until it is redeemed you can correct the address.`
        : 'Your card is ready to print.',
      'You will not be charged again. You can get a full refund until it is redeemed.',
      gifts,
    ),

  gift_refunded: ({ tier, months, amount_cents, currency }, { label, gifts }) =>
    letter(
      'Your refund is on its way',
      `We refunded ${formatAmount(amount_cents, currency)} for your gift of ${label(tier)}, ${months} months. Its code no longer works.`,
      'Your bank may take a few days to show it.',
      gifts,
    ),

  gift_started: ({ tier, months, last_day }, { label, day, dashboard }) =>
    letter(
      'Welcome to our wine club',
      `Your gift of ${months} months of ${label(tier)} begins today. Your glasses are ready, and come again each month.`,
      `It ends by itself after ${day(last_day)}. You are charged nothing.`,
      dashboard,
    ),

  gift_ending: ({ last_day }, { day, account }) =>
    letter(
      'Your gift ends soon',
      `Your gift membership lasts through ${day(last_day)}, the last day for the glasses you have left.`,
      'Nothing renews and nothing is charged. If you would like to stay, you can go on by card from the next day.',
      account(),
    ),

  gift_ended: ({ tier }, { label, renew }) =>
    letter(
      'Thank you for being with us',
      `Your gift of ${label(tier)} has ended. Nothing was charged, and nothing will be.`,
      'We would be glad to keep pouring for you: you can go on by card whenever you like.',
      { ...renew, button: 'Go On by Card' },
    ),
};

export interface GiftWords {
  from_name: string | null;
  to_name: string | null;
  message: string | null;
  tier: string;
  months: number;
  /** As it is typed. */
  code: string;
}

/** The gift itself, to the email of its recipient. The code stands after the #, which keeps it out of logs. */
export function giftEmail(venue: Venue, gift: GiftWords, to: string): Email {
  const { from_name, to_name, message, tier, months, code } = gift;
  const giver = from_name ?? 'Somebody';
  return composeEmail(
    venue,
    { letter: 'gift', first_name: to_name, values: { giver, tier } },
    'A gift for you',
    [
      `${giver} gives you ${months} months of ${tier} at ${venue.club_name}: glasses of wine to enjoy every month.`,
      ...(message ? [`“${message}”`] : []),
      { facts: [['Your code', code]] },
      { button: 'Redeem My Gift', url: `${venue.public_url}/redeem#${linkFragment(code, to)}` },
      'It begins on the day you redeem it, and the code does not expire. No card is needed, and nothing renews.',
      ...(venue.minimum_age > 0 ? [`Members are at least ${venue.minimum_age} years old.`] : []),
    ],
    'gift',
  );
}
