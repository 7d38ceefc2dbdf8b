import type { ReversalReason } from '../../../domain/billing.ts';
import { amountWithTax, formatAmount } from '../../../domain/money.ts';
import { pourCount } from '../../../domain/pour.ts';
import { type Facts, longDates } from '../../mail/email.ts';
import { type LetterWriters, letter } from './letter-words.ts';

const REFUND_REASONS: Record<ReversalReason, string> = {
  second_subscription: 'You were charged twice for the same membership.',
  replaced: 'Your new membership replaced an earlier one that was still being charged.',
  venue_member: 'You already pay for your membership at the venue.',
  application_rejected: 'Your application was not approved.',
  payment_overdue: 'Your payment arrived after your membership had ended.',
  canceled_overdue: 'Your payment arrived after your membership had ended.',
  ended_by_staff: 'Your payment arrived after your membership had ended.',
};

/** Money that was charged, was not, or will be. */
export const paymentLetters: LetterWriters<
  | 'payment_received'
  | 'payment_failed'
  | 'payment_returned'
  | 'payment_refunded'
  | 'access_restored'
  | 'renewal_reminder'
> = {
  payment_received(notice, { label, time_zone, day, account }) {
    const { tier, period, invoice, invoice_url, again } = notice;
    const refunded = again?.refunded_cents ?? 0;
    const amount = formatAmount(notice.amount_cents, notice.currency);
    const facts: Facts['facts'] = [
      ...(tier ? [['Membership', label(tier)] as [string, string]] : []),
      ...(period ? [['Period', longDates(period.start, period.end, time_zone)] as [string, string]] : []),
      ['Invoice', invoice],
      ['Paid', amount],
      ...(again ? [['Paid on', day(again.paid_at)] as [string, string]] : []),
      ...(refunded > 0 ? [['Refunded', formatAmount(refunded, notice.currency)] as [string, string]] : []),
    ];
    return letter(
      'Receipt',
      `We received your payment of ${amount}. Thank you.`,
      { facts },
      invoice_url ? { button: 'View Invoice', url: invoice_url } : account(),
    );
  },

  payment_failed: (notice, { day, account }) =>
    letter(
      'Your payment failed',
      "We couldn't charge your payment method for this month.",
      `Your membership stays active until ${day(notice.grace_until)}. Update your payment method before then to keep it. Otherwise your membership ends that day, and we cancel the open invoice.`,
      `Until the payment goes through, ${notice.available_pours} of this month's ${pourCount(notice.period_pours)} are available.`,
      account('Update My Payment Method'),
    ),

  payment_returned: (notice, { account }) =>
    letter(
      'Your refund is on its way',
      `${REFUND_REASONS[notice.reason]} We refunded ${formatAmount(notice.amount_cents, notice.currency)} to your payment method.`,
      'Your bank may take a few days to show it.',
      account(),
    ),

  payment_refunded: (notice, { day, account }) =>
    letter(
      'Your refund is on its way',
      `We refunded ${formatAmount(notice.amount_cents, notice.currency)} of the ${formatAmount(notice.paid_cents, notice.currency)} you paid on ${day(notice.paid_at)} to your payment method.`,
      'Your bank may take a few days to show it.',
      account(),
    ),

  access_restored: (_, { dashboard }) =>
    letter('Your payment went through', 'Thank you. Your membership is active again.', dashboard),

  renewal_reminder: (notice, { day, renews, changes, club, account }) =>
    letter(
      'Your membership renews soon',
      `On ${day(notice.renews_at)}, your membership renews and your card is charged ${amountWithTax(notice.amount_cents, notice.currency, notice.tax_behavior)}.`,
      renews(notice),
      ...changes(notice.price_change),
      ...club,
      account(),
    ),
};
