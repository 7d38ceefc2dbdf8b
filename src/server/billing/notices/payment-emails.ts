import type { ReversalReason } from '../../../domain/billing.ts';
import { localDate, MONTH_NAMES } from '../../../domain/calendar.ts';
import { declineReason } from '../../../domain/membership/collection.ts';
import { amountWithTax, formatAmount } from '../../../domain/money.ts';
import { paymentMethodLabel } from '../../../domain/payment-method.ts';
import { pourCount } from '../../../domain/pour.ts';
import type { Facts } from '../../mail/email-content.ts';
import { emails, longDates, type Words } from '../../mail/email-text.ts';
import { type NoticeData, priceChange, renews, SAMPLE_NEXT_BILLING, SAMPLE_PRICE } from './billing-words.ts';

const REFUND_REASONS: Record<ReversalReason, string> = {
  second_subscription: 'You were charged twice for the same membership.',
  replaced: 'Your new membership replaced an earlier one that was still being charged.',
  venue_member: 'You already pay for your membership at the venue.',
  application_rejected: 'Your application was not approved.',
  payment_overdue: 'Your payment arrived after your membership had ended.',
  canceled_overdue: 'Your payment arrived after your membership had ended.',
  ended_by_staff: 'Your payment arrived after your membership had ended.',
  ended_at_stripe: 'Your payment arrived after your membership had ended.',
  closed: 'Your payment arrived after your membership had ended.',
  year_changed: 'Your year had changed before your payment for another tier arrived.',
};
const REFUND_TAKES_DAYS = 'It may take your bank a few days to show it.';

const amountValue = ({ amount_cents, currency }: { amount_cents: number; currency: string }) => ({
  amount: formatAmount(amount_cents, currency),
});

type Receipt = NoticeData<'payment_received'>;

function receiptFacts(notice: Receipt, { label, day, venue }: Words): Facts['facts'] {
  const { tier, period, invoice, currency, again } = notice;
  const facts: [string, string | null][] = [
    ['Membership', tier && label(tier)],
    ['Period', period && longDates(period.start, period.end, venue.time_zone)],
    ['Invoice', invoice],
    ['Paid', formatAmount(notice.amount_cents, currency)],
    ['Paid on', again ? day(again.paid_at) : null],
    ['Refunded', again && again.refunded_cents > 0 ? formatAmount(again.refunded_cents, currency) : null],
  ];
  return facts.filter((fact): fact is [string, string] => fact[1] !== null);
}

function failedFacts(
  { open_cents, currency, method, grace_until }: NoticeData<'payment_failed'>,
  day: Words['day'],
): Facts['facts'] {
  return [
    ...(open_cents === null ? [] : [['Amount due', formatAmount(open_cents, currency)] as [string, string]]),
    ...(method ? [['Payment method', paymentMethodLabel(method)] as [string, string]] : []),
    ['Pay by', day(grace_until)],
  ];
}

const unpaidUntil = ({ grace_until }: NoticeData<'payment_refused'>, day: Words['day']) =>
  grace_until
    ? `If we haven't received the payment by ${day(grace_until)}, your membership will end that day, and we'll cancel the open invoice.`
    : 'Your membership is on hold until the payment goes through.';

/** How to skip the month of a renewal; empty if that is not possible. */
function skipping({ renews_at, skip_until }: NoticeData<'renewal_reminder'>, { day, page, venue }: Words) {
  if (!skip_until) return [];
  const month = MONTH_NAMES[Number(localDate(renews_at, venue.time_zone).slice(5, 7)) - 1];
  return [
    `Won't be here? You can skip ${month}: you won't be charged until ${day(skip_until)}, and have no pours in between.`,
    page('/account?skip=true'),
  ];
}

const SAMPLE_REFUSED: NoticeData<'payment_refused'> = {
  tier: 'select',
  open_cents: 3900,
  currency: 'usd',
  method: { type: 'card', brand: 'visa', last4: '4242', wallet: null },
  why: 'declined',
  code: 'insufficient_funds',
  invoice_url: null,
  grace_until: new Date('2026-07-20T16:00:00Z'),
};

/** Emails about charges: made, failed or coming. */
export const paymentEmails = emails<{
  payment_received: Receipt;
  payment_failed: NoticeData<'payment_failed'>;
  payment_refused: NoticeData<'payment_refused'>;
  payment_to_confirm: NoticeData<'payment_refused'>;
  payment_returned: NoticeData<'payment_returned'>;
  payment_refunded: NoticeData<'payment_refunded'>;
  access_restored: NoticeData<'access_restored'>;
  renewal_reminder: NoticeData<'renewal_reminder'>;
}>('membership', {
  payment_received: {
    subject: 'Receipt',
    content: (notice, words) => [
      `We received your payment of ${formatAmount(notice.amount_cents, notice.currency)}. Thank you.`,
      { facts: receiptFacts(notice, words) },
      notice.invoice_url ? { button: 'View Invoice', url: notice.invoice_url } : words.account(),
    ],
    values: amountValue,
    sample: {
      invoice: 'A1B2-0001',
      invoice_url: null,
      tier: 'select',
      period: { start: new Date('2026-07-13T16:00:00Z'), end: SAMPLE_NEXT_BILLING },
      amount_cents: 3900,
      currency: 'usd',
    },
  },

  payment_failed: {
    subject: 'Your payment failed',
    content: (notice, { label, day, account }) => [
      notice.is_paid
        ? `We couldn't collect a payment for a change to your ${label(notice.tier)} membership. This month itself is paid.`
        : `We couldn't collect this month's payment for your ${label(notice.tier)} membership.`,
      { facts: failedFacts(notice, day) },
      `If we haven't received the payment by ${day(notice.grace_until)}, your membership will end that day, and we'll cancel the open invoice.`,
      `Until the payment goes through, you can use ${notice.available_pours} of this month's ${pourCount(notice.period_pours)}.`,
      ...(notice.is_sent
        ? ['To keep your membership, please pay the invoice that we sent you.', account()]
        : [
            'To keep your membership, update your payment method. We charge the new one right away:',
            account('Update My Payment Method'),
          ]),
    ],
    values: ({ grace_until }, { day }) => ({ date: day(grace_until) }),
    sample: {
      tier: 'select',
      open_cents: 3900,
      is_paid: false,
      is_sent: false,
      currency: 'usd',
      method: { type: 'card', brand: 'visa', last4: '4242', wallet: null },
      grace_until: new Date('2026-07-20T16:00:00Z'),
      available_pours: 1,
      period_pours: 4,
    },
  },

  payment_refused: {
    subject: 'Your new payment method was declined',
    content: (notice, { day, account }) => [
      `We tried to collect the ${formatAmount(notice.open_cents, notice.currency)} you owe with your new payment method.`,
      `${paymentMethodLabel(notice.method)} was declined: ${declineReason(notice.code)}.`,
      unpaidUntil(notice, day),
      'To keep your membership, add another payment method. We charge it right away:',
      account('Update My Payment Method'),
    ],
    values: ({ open_cents, currency }) => ({ amount: formatAmount(open_cents, currency) }),
    sample: SAMPLE_REFUSED,
  },

  payment_to_confirm: {
    subject: 'Please confirm your payment',
    content: (notice, { day, account }) => [
      `Your bank asks you to confirm the payment of ${formatAmount(notice.open_cents, notice.currency)} with ${paymentMethodLabel(notice.method)}.`,
      unpaidUntil(notice, day),
      notice.invoice_url ? { button: 'Confirm My Payment', url: notice.invoice_url } : account(),
    ],
    values: ({ open_cents, currency }) => ({ amount: formatAmount(open_cents, currency) }),
    sample: { ...SAMPLE_REFUSED, why: 'authentication', code: null },
  },

  payment_returned: {
    subject: 'Your refund is on its way',
    content: (notice, { account }) => [
      `${REFUND_REASONS[notice.reason]} We refunded ${formatAmount(notice.amount_cents, notice.currency)} to your payment method.`,
      REFUND_TAKES_DAYS,
      account(),
    ],
    values: amountValue,
    sample: { reason: 'second_subscription', amount_cents: 3900, currency: 'usd' },
  },

  payment_refunded: {
    subject: 'Your refund is on its way',
    content: (notice, { day, account }) => [
      `We refunded ${formatAmount(notice.amount_cents, notice.currency)} of the ${formatAmount(notice.paid_cents, notice.currency)} you paid on ${day(notice.paid_at)} to your payment method.`,
      REFUND_TAKES_DAYS,
      account(),
    ],
    values: amountValue,
    sample: {
      amount_cents: 1000,
      paid_cents: 3900,
      paid_at: new Date('2026-07-13T16:00:00Z'),
      currency: 'usd',
    },
  },

  access_restored: {
    subject: ({ is_paid }) => (is_paid ? 'Your payment went through' : 'Your membership is active again'),
    content: ({ is_paid }, { dashboard }) => [
      is_paid
        ? 'Thank you. Your membership is active again.'
        : 'Nothing is due any more, and your membership is active again.',
      dashboard,
    ],
    values: ({ tier }, { label }) => ({ tier: label(tier) }),
    sample: { tier: 'select', is_paid: true },
  },

  renewal_reminder: {
    subject: 'Your membership renews soon',
    content: (notice, words) => [
      `On ${words.day(notice.renews_at)}, your membership will renew, and we'll charge your card ${amountWithTax(notice.amount_cents, notice.currency, notice.tax_behavior)}.`,
      renews(notice, words),
      ...priceChange(notice.price_change, words),
      ...skipping(notice, words),
      ...words.club,
      words.account(),
    ],
    values: (notice, { label, day }) => ({
      tier: label(notice.tier),
      date: day(notice.renews_at),
      amount: amountWithTax(notice.amount_cents, notice.currency, notice.tax_behavior),
    }),
    sample: {
      ...SAMPLE_PRICE,
      renews_at: SAMPLE_NEXT_BILLING,
      skip_until: new Date('2026-09-13T16:00:00Z'),
    },
  },
});
