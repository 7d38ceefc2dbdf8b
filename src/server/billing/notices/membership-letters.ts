import type { EndingReason } from '../../../domain/billing.ts';
import { amountWithTax } from '../../../domain/money.ts';
import { pourCount } from '../../../domain/pour.ts';
import { type LetterWriters, letter } from './letter-words.ts';

const ENDED_BECAUSE: Record<EndingReason, string> = {
  payment_overdue:
    "We couldn't collect your last payment, so your membership has ended. We canceled the open invoice, and you won't be charged again.",
  canceled_overdue:
    "You canceled your membership while a payment was due, so it ended right away. We canceled the open invoice, and you won't be charged again.",
  ended_by_staff:
    "We ended your membership today, and you won't be charged again. You can't use your glasses any more.",
};

/** How a membership begins, continues and ends. */
export const membershipLetters: LetterWriters<
  | 'membership_started'
  | 'cancellation_scheduled'
  | 'cancellation_withdrawn'
  | 'pause_scheduled'
  | 'pause_withdrawn'
  | 'pause_ended'
  | 'return_reminder'
  | 'ending_reminder'
  | 'membership_ended'
  | 'membership_suspended'
  | 'annual_notice'
> = {
  membership_started(notice, { renews, day, club, dashboard }) {
    const terms = [`${renews(notice)} Your next billing date is ${day(notice.next_billing)}.`, ...club];
    if (!notice.renewed) {
      return letter('Welcome to our wine club', 'Your membership is now active.', ...terms, dashboard);
    }
    const { carried_pours } = notice;
    const carried = `${pourCount(carried_pours)} from a month that was never paid counted toward your first month.`;
    return letter(
      'Welcome back',
      'Your membership is active again.',
      ...terms,
      ...(carried_pours > 0 ? [carried] : []),
      dashboard,
    );
  },

  cancellation_scheduled({ ends_at, paused, by_venue }, { day, account }) {
    if (by_venue) {
      return letter(
        'Your membership will end',
        paused
          ? `We are ending your membership. It stays paused until it ends on ${day(ends_at)}, and you won't be charged again.`
          : `We are ending your membership. You keep access until ${day(ends_at)}, and you won't be charged again.`,
        'If you did not expect this, please write to us.',
        account(),
      );
    }
    return letter(
      'Your cancellation is confirmed',
      paused
        ? `Your membership stays paused until it ends on ${day(ends_at)}, and you won't be charged again.`
        : `You keep access until ${day(ends_at)}, and you won't be charged again.`,
      'Changed your mind? You can keep your membership until then.',
      account(),
    );
  },

  cancellation_withdrawn: ({ price_change }, { changes, dashboard }) =>
    letter(
      'Your membership continues',
      'Your membership continues and renews as before.',
      ...changes(price_change),
      dashboard,
    ),

  pause_scheduled: ({ from, until, begun }, { day, account }) =>
    letter(
      'Your membership is paused',
      begun
        ? `Since ${day(from)} you aren't charged, and you have no glasses.`
        : `From ${day(from)} you aren't charged, and you have no glasses. Until then nothing changes.`,
      ...(until
        ? [
            `On ${day(until)} your membership starts again: your card is charged, and you have all of your glasses.`,
            'Changed your mind? You can come back earlier in your account.',
          ]
        : ['We let you know when your membership starts again.']),
      account(),
    ),

  pause_withdrawn: ({ next_billing, price_change }, { day, changes, dashboard }) =>
    letter(
      'Your membership is not paused',
      `The pause won't happen. Your membership renews on ${day(next_billing)}, as before.`,
      ...changes(price_change),
      dashboard,
    ),

  pause_ended: ({ next_billing, price_change }, { day, changes, dashboard }) =>
    letter(
      'Welcome back',
      'Your pause is over, and your membership is active again with all of its glasses.',
      `Your next billing date is ${day(next_billing)}.`,
      ...changes(price_change),
      dashboard,
    ),

  return_reminder: (notice, { renews, changes, day, club, account }) =>
    letter(
      'Your pause ends soon',
      `On ${day(notice.returns_at)} your membership starts again, and your card is charged ${amountWithTax(notice.amount_cents, notice.currency, notice.tax_behavior)}.`,
      renews(notice),
      ...changes(notice.price_change),
      ...club,
      'Not ready yet? You can cancel your membership until that day.',
      account(),
    ),

  ending_reminder: ({ tier, ends_at }, { label, day, account }) =>
    letter(
      'Your membership ends soon',
      `Your ${label(tier)} membership ends on ${day(ends_at)}, and you won't be charged again. Glasses you have left are yours until then.`,
      'Changed your mind? You can keep your membership until that day.',
      account(),
    ),

  membership_ended({ why }, { renew }) {
    if (why === 'ended_by_staff') {
      const what = 'If you did not expect this, please write to us.';
      return letter('Your membership has ended', ENDED_BECAUSE[why], what);
    }
    return letter(
      'Your membership has ended',
      why ? ENDED_BECAUSE[why] : "Your membership has ended, and you won't be charged again.",
      "We'd love to have you back. You can renew anytime:",
      renew,
    );
  },

  membership_suspended: (_, { account }) =>
    letter(
      'Your membership is on hold',
      "There is a problem with your payment, so you can't use your glasses for now. Your membership is active again as soon as the payment goes through.",
      'To end it instead, cancel it in your account.',
      account(),
    ),

  annual_notice: (notice, { renews, changes, day, club, account }) =>
    letter(
      'Your membership at a glance',
      `Once a year we remind you of your membership. You have had this subscription since ${day(notice.since)}.`,
      `${renews(notice)} Your next billing date is ${day(notice.next_billing)}, when your card is charged ${amountWithTax(notice.amount_cents, notice.currency, notice.tax_behavior)}.`,
      ...changes(notice.price_change),
      ...club,
      account(),
    ),
};
