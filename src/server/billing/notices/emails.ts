import { tierLabel } from '../../../domain/tiers.ts';
import { composeEmail, dollars, type Email, longDate, type Venue } from '../../mail/email.ts';
import type { BillingNotice } from '../context.ts';

/**
 * What a member is told of a change of their money or access; null for changes that they made on the spot and
 * saw happen. `notice.cause` is the mail's cause, so one change is told once.
 */
export function billingEmail(notice: BillingNotice, firstName: string, venue: Venue): Email | null {
  const write = (subject: string, ...paragraphs: string[]) =>
    composeEmail(venue, firstName, subject, paragraphs);
  const day = (date: Date) => longDate(date, venue.time_zone);
  const account = `Your account: ${venue.public_url}/account`;
  const dashboard = `Your dashboard and card: ${venue.public_url}/dashboard`;

  switch (notice.type) {
    case 'membership_started': {
      const terms = `${tierLabel(notice.tier)}, ${dollars(notice.amount_cents)} a month. Your next billing date is ${day(notice.next_billing)}.`;
      return notice.renewed
        ? write('Welcome back', 'Your membership is active again.', terms, dashboard)
        : write('Welcome to our wine club', 'Your membership is now active.', terms, dashboard);
    }
    case 'payment_received':
      return write(
        'Receipt',
        `We received your payment of ${dollars(notice.amount_cents)}. Thank you.`,
        `Invoice ${notice.invoice}.`,
        account,
      );
    case 'payment_failed':
      return write(
        'Your payment did not go through',
        'We could not charge your card for this month.',
        `You keep your glasses until ${day(notice.grace_until)}. Please update your card before then.`,
        account,
      );
    case 'cancellation_scheduled':
      return write(
        'Your cancellation',
        `Your membership is cancelled. You keep access until ${day(notice.ends_at)}, and nothing more is charged.`,
        `If you change your mind before then, you can take it back. ${account}`,
      );
    case 'membership_ended':
      return write(
        'Your membership has ended',
        'Your membership has ended, and nothing more is charged. We would be glad to see you again.',
        `Renew at any time: ${venue.public_url}/apply`,
      );
    case 'payment_returned':
      return write(
        'Your payment is on its way back',
        `A payment of ${dollars(notice.amount_cents)} was made that gave you nothing you did not have already.`,
        'We have sent it back to your card; banks take a few days to show it.',
        account,
      );
    case 'access_restored':
      return write('Your payment went through', 'Thank you: your membership goes on as before.', dashboard);
    case 'tier_changed':
      return write(
        'Your new tier',
        `You changed from ${tierLabel(notice.from)} to ${tierLabel(notice.to)}.`,
        dashboard,
      );
    case 'tier_change_scheduled':
      return write(
        'Your tier changes soon',
        `From ${day(notice.effective_at)} you are on ${tierLabel(notice.to)}, ${dollars(notice.amount_cents)} a month. Until then nothing changes.`,
        `If you change your mind before then, you can take it back. ${account}`,
      );
    case 'tier_change_withdrawn':
      return write('Your tier stays', `You stay on ${tierLabel(notice.tier)}.`, dashboard);
    case 'cancellation_withdrawn':
      return write(
        'Your membership goes on',
        'You took your cancellation back. Nothing changes for you.',
        dashboard,
      );
    default:
      return null;
  }
}
