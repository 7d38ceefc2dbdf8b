import { formatAmount } from '../../../domain/money.ts';
import { pourCount } from '../../../domain/pour.ts';
import { emails } from '../../mail/email-text.ts';
import { type NoticeData, renewButton, renews, SAMPLE_NEXT_BILLING, SAMPLE_PRICE } from './billing-words.ts';

const amountValue = ({ amount_cents, currency }: { amount_cents: number; currency: string }) => ({
  amount: formatAmount(amount_cents, currency),
});
const SAMPLE = { tier: 'select', amount_cents: 3900, currency: 'usd' };

/** Emails about memberships that are billed at the venue or on the house. */
export const duesEmails = emails<{
  dues_reminder: NoticeData<'dues_reminder'>;
  dues_overdue: NoticeData<'dues_overdue'>;
  dues_ended: NoticeData<'dues_ended'>;
  year_started: NoticeData<'year_started'>;
  year_ending: NoticeData<'year_ending'>;
  year_ordered: NoticeData<'year_ordered'>;
  house_ending: NoticeData<'house_ending'>;
  card_ordered: NoticeData<'card_ordered'>;
}>('membership', {
  dues_reminder: {
    subject: 'Your membership is paid for another week',
    content: ({ tier, amount_cents, currency, paid_until }, { label, day, dashboard }) => [
      `Your ${label(tier)} membership is paid until ${day(paid_until)}. To keep it, pay ${formatAmount(amount_cents, currency)} a month at the bar when you next visit.`,
      'Nothing is charged by itself.',
      dashboard,
    ],
    values: (notice, { day }) => ({ ...amountValue(notice), date: day(notice.paid_until) }),
    sample: { ...SAMPLE, paid_until: SAMPLE_NEXT_BILLING },
  },

  dues_overdue: {
    subject: 'Your membership is due',
    content: (
      { tier, amount_cents, currency, paid_until, grace_until, available_pours },
      { label, day, dashboard },
    ) => [
      `Your ${label(tier)} membership was paid until ${day(paid_until)}. Please pay ${formatAmount(amount_cents, currency)} at the bar by ${day(grace_until)}, or it ends.`,
      `Until then you can use ${pourCount(available_pours)}. The rest of the month’s pours come with the payment.`,
      dashboard,
    ],
    values: (notice, { day }) => ({ ...amountValue(notice), date: day(notice.grace_until) }),
    sample: {
      ...SAMPLE,
      paid_until: SAMPLE_NEXT_BILLING,
      grace_until: new Date('2026-08-20T16:00:00Z'),
      available_pours: 2,
    },
  },

  dues_ended: {
    subject: 'Your membership has ended',
    content: ({ tier, paid_until }, words) => [
      `Your ${words.label(tier)} membership was paid until ${words.day(paid_until)}, and has ended.`,
      'We’d love to have you back. Pay at the bar on your next visit, or renew online:',
      renewButton(words),
    ],
    values: ({ tier }, { label }) => ({ tier: label(tier) }),
    sample: { tier: 'select', paid_until: SAMPLE_NEXT_BILLING },
  },

  year_started: {
    subject: 'Welcome to our wine club',
    content: ({ tier, monthly_pours, last_day }, { label, day, dashboard }) => [
      `Your ${label(tier)} membership is paid for a year. You have ${pourCount(monthly_pours)} a month, and the first are ready now.`,
      `Its last day is ${day(last_day)}. It ends by itself, and nothing more is charged.`,
      dashboard,
    ],
    values: ({ tier, last_day }, { label, day }) => ({ tier: label(tier), date: day(last_day) }),
    sample: { tier: 'select', monthly_pours: 4, last_day: SAMPLE_NEXT_BILLING },
  },

  year_ordered: {
    subject: 'Your year is paid',
    content: ({ tier, begins_at }, { label, day, account }) => [
      `Your year of ${label(tier)} begins on ${day(begins_at)}, when the month that you have paid for is over. Your card isn’t charged again.`,
      'Changed your mind? Until that day you can go on by the month in your account, and we refund the year.',
      account(),
    ],
    values: ({ tier, begins_at }, { label, day }) => ({ tier: label(tier), date: day(begins_at) }),
    sample: { tier: 'select', begins_at: SAMPLE_NEXT_BILLING },
  },

  year_ending: {
    subject: 'Your year ends soon',
    content: ({ tier, amount_cents, year_cents, currency, last_day }, { label, day, account }) => [
      `The last day of your ${label(tier)} year is ${day(last_day)}. Nothing renews by itself, and nothing is charged.`,
      {
        facts: [
          ...(year_cents === null
            ? []
            : [['Another year', formatAmount(year_cents, currency)] satisfies [string, string]]),
          ['By the month', `${formatAmount(amount_cents, currency)} a month`],
        ],
      },
      'To go on, pay at the bar on your next visit, or look in your account:',
      account('Go On'),
    ],
    values: ({ tier, last_day }, { label, day }) => ({ tier: label(tier), date: day(last_day) }),
    sample: { ...SAMPLE, year_cents: 39_000, last_day: SAMPLE_NEXT_BILLING },
  },

  card_ordered: {
    subject: 'Your membership continues by card',
    content: (notice, words) => [
      `What you paid at the venue counts: your card is charged for the first time on ${words.day(notice.first_charge)}. Nothing is due at the bar.`,
      renews(notice, words),
      'Until that day you can stay with paying at the bar, in your account.',
      words.account(),
    ],
    values: ({ tier, first_charge }, { label, day }) => ({ tier: label(tier), date: day(first_charge) }),
    sample: { ...SAMPLE_PRICE, first_charge: SAMPLE_NEXT_BILLING },
  },

  house_ending: {
    subject: 'Your membership ends soon',
    content: ({ tier, last_day }, words) => [
      `Your ${words.label(tier)} membership was on the house, and its last day is ${words.day(last_day)}. Nothing renews by itself.`,
      'We’d love to keep you. Ask at the bar, or go on by card once it has ended:',
      renewButton(words),
    ],
    values: ({ tier, last_day }, { label, day }) => ({ tier: label(tier), date: day(last_day) }),
    sample: { tier: 'select', last_day: SAMPLE_NEXT_BILLING },
  },
});
