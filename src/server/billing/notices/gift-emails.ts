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

const giverOf = ({ from_name }: GiftForRecipient) => from_name ?? 'Somebody';
const myGifts = ({ page }: Words) => ({ button: 'Open My Gifts', url: page('/gift') });
const paidValues = (
  { tier, amount_cents, currency }: { tier: string; amount_cents: number; currency: string },
  { label }: Words,
) => ({ tier: label(tier), amount: formatAmount(amount_cents, currency) });
const PAID = { tier: 'select', months: 3, amount_cents: 11_700, currency: 'usd' };
const LAST_DAY = new Date('2026-10-12T16:00:00Z');

/** Emails to a gift's buyer and to its recipient. */
export const giftEmails = emails<{
  gift_bought: NoticeData<'gift_bought'>;
  gift: GiftForRecipient;
  gift_refunded: NoticeData<'gift_refunded'>;
  gift_started: NoticeData<'gift_started'>;
  gift_ending: NoticeData<'gift_ending'>;
  gift_ended: NoticeData<'gift_ended'>;
}>('membership', {
  gift_bought: {
    subject: 'Your gift is ready',
    content: ({ tier, months, amount_cents, currency, send_on }, words) => [
      {
        facts: [
          ['Gift', `${words.label(tier)}, ${months} months`],
          ['Paid', formatAmount(amount_cents, currency)],
        ],
      },
      send_on
        ? `We send it by email on ${words.day(send_on)} at ${GIFT_HOUR} AM. Until it is redeemed you can correct the address.`
        : 'Your card is ready to print.',
      'You will not be charged again. You can get a full refund until it is redeemed.',
      myGifts(words),
    ],
    values: paidValues,
    sample: { ...PAID, send_on: null },
  },

  gift: {
    topic: 'gift',
    subject: 'A gift for you',
    content: (gift, { venue, page }) => [
      `${giverOf(gift)} gives you ${gift.months} months of ${gift.tier} at ${venue.club_name}: glasses of wine to enjoy every month.`,
      ...(gift.message ? [`“${gift.message}”`] : []),
      { facts: [['Your code', gift.code]] },
      { button: 'Redeem My Gift', url: page('/redeem', linkFragment(gift.code, gift.recipient_email)) },
      'It begins on the day you redeem it, and the code does not expire. No card is needed, and nothing renews.',
      ...(venue.minimum_age > 0 ? [`Members are at least ${venue.minimum_age} years old.`] : []),
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
    subject: 'Your refund is on its way',
    content: ({ tier, months, amount_cents, currency }, words) => [
      `We refunded ${formatAmount(amount_cents, currency)} for your gift of ${words.label(tier)}, ${months} months. Its code no longer works.`,
      'Your bank may take a few days to show it.',
      myGifts(words),
    ],
    values: paidValues,
    sample: PAID,
  },

  gift_started: {
    subject: 'Welcome to our wine club',
    content: ({ tier, months, last_day }, { label, day, dashboard }) => [
      `Your gift of ${months} months of ${label(tier)} begins today. Your glasses are ready, and come again each month.`,
      `It ends by itself after ${day(last_day)}. You are charged nothing.`,
      dashboard,
    ],
    values: ({ tier, last_day }, { label, day }) => ({ tier: label(tier), date: day(last_day) }),
    sample: { tier: 'select', months: 3, last_day: LAST_DAY },
  },

  gift_ending: {
    subject: 'Your gift ends soon',
    content: ({ last_day }, { day, account }) => [
      `Your gift membership lasts through ${day(last_day)}, the last day for the glasses you have left.`,
      'Nothing renews and nothing is charged. If you would like to stay, you can go on by card from the next day.',
      account(),
    ],
    values: ({ tier, last_day }, { label, day }) => ({ tier: label(tier), date: day(last_day) }),
    sample: { tier: 'select', last_day: LAST_DAY },
  },

  gift_ended: {
    subject: 'Thank you for being with us',
    content: ({ tier }, words) => [
      `Your gift of ${words.label(tier)} has ended. Nothing was charged, and nothing will be.`,
      'We would be glad to keep pouring for you: you can go on by card whenever you like.',
      renewButton(words, 'Go On by Card'),
    ],
    values: ({ tier }, { label }) => ({ tier: label(tier) }),
    sample: { tier: 'select' },
  },
});
