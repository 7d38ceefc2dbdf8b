import type { EndingReason } from '../../../domain/billing.ts';
import { amountWithTax } from '../../../domain/money.ts';
import { pourCount } from '../../../domain/pour.ts';
import type { Content } from '../../mail/email-content.ts';
import { emails, type Words } from '../../mail/email-text.ts';
import type { NamedCharge } from '../billing-context.ts';
import {
  endTerms,
  type NoticeData,
  noMoreCharges,
  priceChange,
  renewButton,
  renews,
  SAMPLE_NEXT_BILLING,
  SAMPLE_PRICE,
  UNEXPECTED,
} from './billing-words.ts';

const ENDED_BECAUSE: Record<EndingReason, string> = {
  payment_overdue:
    "We couldn't collect your last payment, so your membership has ended. We canceled the open invoice, and you won't be charged again.",
  canceled_overdue:
    "You canceled your membership while a payment was due, so it ended right away. We canceled the open invoice, and you won't be charged again.",
  ended_at_stripe: "Your membership has ended. We canceled the open invoice, and you won't be charged again.",
  ended_by_staff:
    "We ended your membership today, and you won't be charged again. You can no longer use your pours.",
};
const COME_BACK = "We'd love to have you back. You can renew anytime:";

type Started = NoticeData<'membership_started'>;

const startingTerms = (notice: Started, words: Words) => [
  `${renews(notice, words)} Your next billing date is ${words.day(notice.next_billing)}.`,
  ...words.club,
];
const showCard = ({ page }: Words): Content[] => [
  'Your membership card is ready. Show it at the bar when you visit:',
  { button: 'Open My Card', url: page('/qr-code') },
];
const startedValues = ({ tier, next_billing }: Started, { label, day }: Words) => ({
  tier: label(tier),
  date: day(next_billing),
});
const STARTED = { ...SAMPLE_PRICE, next_billing: SAMPLE_NEXT_BILLING, monthly_pours: 4, carried_pours: 0 };

/** Emails about how a membership begins, continues and ends. */
export const standingEmails = emails<{
  welcome: Started;
  welcome_back: Started;
  cancellation_scheduled: NoticeData<'cancellation_scheduled'>;
  end_scheduled: NoticeData<'end_scheduled'>;
  ending_by_staff: NoticeData<'cancellation_scheduled'>;
  cancellation_withdrawn: NoticeData<'cancellation_withdrawn'>;
  pause_scheduled: NoticeData<'pause_scheduled'>;
  pause_withdrawn: NoticeData<'pause_withdrawn'>;
  pause_ended: NoticeData<'pause_ended'>;
  return_reminder: NoticeData<'return_reminder'>;
  ending_reminder: NoticeData<'ending_reminder'>;
  membership_ended: { last_charge: NamedCharge | null };
  membership_ended_unpaid: { why: EndingReason };
  membership_ended_by_staff: null;
  membership_suspended: null;
  annual_notice: NoticeData<'annual_notice'>;
}>('membership', {
  welcome: {
    subject: 'Welcome to our wine club',
    content: (notice, words) => [
      `Your membership is now active, with ${pourCount(notice.monthly_pours)} each month.`,
      ...showCard(words),
      ...startingTerms(notice, words),
    ],
    values: startedValues,
    sample: { ...STARTED, renewed: false },
  },

  welcome_back: {
    subject: 'Welcome back',
    content: (notice, words) => [
      `Your membership is active again, with ${pourCount(notice.monthly_pours)} each month.`,
      ...(notice.carried_pours > 0
        ? [`${pourCount(notice.carried_pours)} from an unpaid month counted toward your first month.`]
        : []),
      ...showCard(words),
      ...startingTerms(notice, words),
    ],
    values: startedValues,
    sample: { ...STARTED, renewed: true },
  },

  cancellation_scheduled: {
    subject: 'Your cancellation is confirmed',
    content: (notice, words) => [
      endTerms(notice, words),
      'Changed your mind? You can keep your membership until then.',
      words.account(),
    ],
    values: ({ ends_at }, { day }) => ({ date: day(ends_at) }),
    sample: { ends_at: SAMPLE_NEXT_BILLING, paused: false, by_venue: false, last_charge: null },
  },

  end_scheduled: {
    subject: 'Your membership will end',
    content: ({ ends_at, charged_at, amount_cents, currency, tax_behavior }, { day, account }) => [
      `Your membership will end on ${day(ends_at)}. Until then it renews as before: on ${day(charged_at)}, we'll charge ${amountWithTax(amount_cents, currency, tax_behavior)}.`,
      'You can cancel it sooner, or keep it, in your account.',
      account(),
    ],
    values: ({ ends_at }, { day }) => ({ date: day(ends_at) }),
    sample: {
      ends_at: new Date('2026-12-13T16:00:00Z'),
      charged_at: SAMPLE_NEXT_BILLING,
      amount_cents: 3900,
      currency: 'usd',
      tax_behavior: 'unspecified',
    },
  },

  ending_by_staff: {
    subject: 'Your membership will end',
    content: (notice, words) => [
      `We're ending your membership. ${endTerms(notice, words)}`,
      UNEXPECTED,
      words.account(),
    ],
    values: ({ ends_at }, { day }) => ({ date: day(ends_at) }),
    sample: { ends_at: SAMPLE_NEXT_BILLING, paused: false, by_venue: true, last_charge: null },
  },

  cancellation_withdrawn: {
    subject: 'Your membership continues',
    content: ({ price_change }, words) => [
      'Your membership continues and renews as before.',
      ...priceChange(price_change, words),
      words.dashboard,
    ],
    sample: { price_change: null },
  },

  pause_scheduled: {
    subject: ({ begun }) => (begun ? 'Your membership is paused' : 'Your membership will pause'),
    content: ({ from, until, begun, paid_until }, { day, account }) => [
      begun
        ? `Your membership has been paused since ${day(from)}. You won't be charged, and you have no pours for now.`
        : `Your membership will pause on ${day(from)}. From then on you won't be charged and won't have pours. Until then, nothing changes.`,
      ...(until
        ? [
            paid_until
              ? `On ${day(until)}, your membership will start again, with all your pours. ${paid_until > until ? `It is paid until ${day(paid_until)}.` : 'Please pay for the month at the bar by then.'}`
              : `On ${day(until)}, your membership will start again: we'll charge your card, and you'll have all your pours.`,
            'Changed your mind? You can come back sooner in your account.',
          ]
        : ["We'll let you know when your membership starts again."]),
      account(),
    ],
    values: ({ from }, { day }) => ({ date: day(from) }),
    sample: { from: SAMPLE_NEXT_BILLING, until: new Date('2026-10-13T16:00:00Z'), begun: false },
  },

  pause_withdrawn: {
    subject: "Your membership won't pause",
    content: ({ next_billing, price_change, paid_until }, words) => [
      `The pause won't happen. ${paid_until ? `Your membership is paid until ${words.day(paid_until)}.` : `Your membership will renew on ${words.day(next_billing)}, as before.`}`,
      ...priceChange(price_change, words),
      words.dashboard,
    ],
    values: ({ next_billing }, { day }) => ({ date: day(next_billing) }),
    sample: { next_billing: SAMPLE_NEXT_BILLING, price_change: null },
  },

  pause_ended: {
    subject: 'Welcome back',
    content: ({ next_billing, price_change, paid_until }, words) => [
      'Your pause is over, and your membership is active again with all its pours.',
      paid_until
        ? `It is paid until ${words.day(paid_until)}.`
        : `Your next billing date is ${words.day(next_billing)}.`,
      ...priceChange(price_change, words),
      words.dashboard,
    ],
    values: ({ tier, next_billing }, { label, day }) => ({ tier: label(tier), date: day(next_billing) }),
    sample: { tier: 'select', next_billing: SAMPLE_NEXT_BILLING, price_change: null },
  },

  return_reminder: {
    subject: 'Your pause ends soon',
    content: (notice, words) => [
      `On ${words.day(notice.returns_at)}, your membership will start again, and we'll charge your card ${amountWithTax(notice.amount_cents, notice.currency, notice.tax_behavior)}.`,
      renews(notice, words),
      ...priceChange(notice.price_change, words),
      ...words.club,
      'Not ready yet? You can cancel your membership until that day.',
      words.account(),
    ],
    values: ({ tier, returns_at }, { label, day }) => ({ tier: label(tier), date: day(returns_at) }),
    sample: { ...SAMPLE_PRICE, returns_at: SAMPLE_NEXT_BILLING },
  },

  ending_reminder: {
    subject: 'Your membership ends soon',
    content: ({ tier, ends_at, last_charge, by_venue }, { label, day, account }) => [
      `Your ${label(tier)} membership ends on ${day(ends_at)}${noMoreCharges(last_charge)} Your remaining pours are yours until then.`,
      by_venue ? UNEXPECTED : 'Changed your mind? You can keep your membership until that day.',
      account(),
    ],
    values: ({ tier, ends_at }, { label, day }) => ({ tier: label(tier), date: day(ends_at) }),
    sample: { tier: 'select', ends_at: SAMPLE_NEXT_BILLING, last_charge: null },
  },

  membership_ended: {
    subject: 'Your membership has ended',
    content: ({ last_charge: last }, words) => [
      last
        ? `Your membership has ended. The last charge is ${amountWithTax(last.amount_cents, last.currency, last.tax_behavior)}, for changes to it before the end.`
        : "Your membership has ended, and you won't be charged again.",
      COME_BACK,
      renewButton(words),
    ],
    sample: { last_charge: null },
  },

  membership_ended_unpaid: {
    subject: 'Your membership has ended',
    content: ({ why }, words) => [ENDED_BECAUSE[why], COME_BACK, renewButton(words)],
    sample: { why: 'payment_overdue' },
  },

  membership_ended_by_staff: {
    subject: 'Your membership has ended',
    content: () => [ENDED_BECAUSE.ended_by_staff, UNEXPECTED],
  },

  membership_suspended: {
    subject: 'Your membership is on hold',
    content: (_, { account }) => [
      "There is a problem with your payment, so you can't use your pours for now. Your membership will be active again as soon as the payment goes through.",
      'To end it instead, cancel your subscription in your account.',
      account(),
    ],
  },

  annual_notice: {
    subject: 'Your membership at a glance',
    content: (notice, words) => [
      `This is your yearly reminder about your membership. You've had this subscription since ${words.day(notice.since)}.`,
      `${renews(notice, words)} Your next billing date is ${words.day(notice.next_billing)}, when we'll charge your card ${amountWithTax(notice.amount_cents, notice.currency, notice.tax_behavior)}.`,
      ...priceChange(notice.price_change, words),
      ...words.club,
      words.account(),
    ],
    values: ({ tier }, { label }) => ({ tier: label(tier) }),
    sample: {
      ...SAMPLE_PRICE,
      since: new Date('2025-07-13T16:00:00Z'),
      next_billing: SAMPLE_NEXT_BILLING,
    },
  },
});
