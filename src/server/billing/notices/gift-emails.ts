import { GIFT_HOUR } from '../../../domain/membership/gift.ts';
import { linkFragment } from '../../../domain/membership/link-fragment.ts';
import { formatAmount } from '../../../domain/money.ts';
import { emails, type Words } from '../../mail/email-text.ts';
import { type NoticeData, renewButton } from './billing-words.ts';

interface GiftForRecipient {
  from_name: string | null;
  message: string | null;
  tier: string;
  months: number;
  /** The code in the form people type. */
  code: string;
  recipient_email: string;
}

const giverOf = ({ from_name }: GiftForRecipient) => from_name ?? 'Someone';
const myGifts = ({ page }: Words) => ({ button: 'Open My Gifts', url: page('/gift') });
const paidValues = (
  { tier, amount_cents, currency }: { tier: string; amount_cents: number; currency: string },
  { label }: Words,
) => ({ tier: label(tier), amount: formatAmount(amount_cents, currency) });
const PAID = { tier: 'select', months: 3, amount_cents: 11_700, currency: 'usd' };
const LAST_DAY = new Date('2026-10-12T16:00:00Z');

export const giftEmails = emails<{
  gift_bought: NoticeData<'gift_bought'>;
  gift: GiftForRecipient;
  gift_refunded: NoticeData<'gift_refunded'>;
  gift_started: NoticeData<'gift_started'>;
  gift_ending: NoticeData<'gift_ending'>;
  gift_ended: NoticeData<'gift_ended'>;
}>('membership', {
  gift_bought: {
    topic: 'gift-buyer',
    subject: 'Your gift is ready',
    content: ({ tier, months, amount_cents, currency, send_on }, words) => [
      {
        facts: [
          ['Gift', `${words.label(tier)}, ${months} months`],
          ['Paid', formatAmount(amount_cents, currency)],
        ],
      },
      send_on
        ? `We'll email it on ${words.day(send_on)}, after ${GIFT_HOUR} AM. You can change their email until the gift is redeemed.`
        : 'Your card is ready to print.',
      "You won't be charged again. You can get a full refund until the gift is redeemed.",
      myGifts(words),
    ],
    values: paidValues,
    sample: { ...PAID, send_on: null },
  },

  gift: {
    topic: 'gift',
    subject: 'A gift for you',
    content: (gift, { venue, page }) => [
      `${giverOf(gift)} gave you ${gift.months} months of ${gift.tier} at ${venue.club_name}: wine to enjoy every month.`,
      ...(gift.message ? [`“${gift.message}”`] : []),
      { facts: [['Your code', gift.code]] },
      { button: 'Redeem My Gift', url: page('/redeem', linkFragment(gift.code, gift.recipient_email)) },
      "Your membership starts the day you redeem this code. The code never expires, you don't need a card, and nothing renews.",
      ...(venue.minimum_age > 0 ? [`You must be ${venue.minimum_age} or older.`] : []),
    ],
    values: (gift) => ({ giver: giverOf(gift), tier: gift.tier }),
    sample: {
      from_name: 'Ben',
      message: 'Enjoy!',
      tier: 'Select',
      months: 3,
      code: '0000-0000-0000-0000-0000',
      recipient_email: 'ada@club.example',
    },
  },

  gift_refunded: {
    topic: 'gift-buyer',
    subject: 'Your refund is on its way',
    content: ({ tier, months, amount_cents, currency }, words) => [
      `We refunded ${formatAmount(amount_cents, currency)} for your gift of ${words.label(tier)}, ${months} months. Its code no longer works.`,
      'It may take your bank a few days to show it.',
      myGifts(words),
    ],
    values: paidValues,
    sample: PAID,
  },

  gift_started: {
    subject: 'Welcome to our wine club',
    content: ({ tier, months, last_day }, { label, day, dashboard }) => [
      `Your ${months}-month ${label(tier)} gift starts today. Your pours are ready now and refill every month.`,
      `Your membership ends on ${day(last_day)}, and you won't be charged.`,
      dashboard,
    ],
    values: ({ tier, last_day }, { label, day }) => ({ tier: label(tier), date: day(last_day) }),
    sample: { tier: 'select', months: 3, last_day: LAST_DAY },
  },

  gift_ending: {
    subject: 'Your gift ends soon',
    content: ({ last_day }, { day, account }) => [
      `Your gift membership lasts through ${day(last_day)}, the last day to use your remaining pours.`,
      "It won't renew, and you won't be charged. To stay a member, add a card from the following day.",
      account(),
    ],
    values: ({ tier, last_day }, { label, day }) => ({ tier: label(tier), date: day(last_day) }),
    sample: { tier: 'select', last_day: LAST_DAY },
  },

  gift_ended: {
    subject: 'Thank you for being with us',
    content: ({ tier }, words) => [
      `Your gift of ${words.label(tier)} has ended. You weren't charged, and you won't be.`,
      "We'd love to keep pouring for you. You can rejoin with a card anytime:",
      renewButton(words, 'Continue with a Card'),
    ],
    values: ({ tier }, { label }) => ({ tier: label(tier) }),
    sample: { tier: 'select' },
  },
});
