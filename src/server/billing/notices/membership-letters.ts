import type { OverdueReason } from '../../../domain/billing.ts';
import { pourCount } from '../../../domain/pour.ts';
import { type LetterWriters, letter } from './letter-words.ts';

const ENDED_BECAUSE: Record<OverdueReason, string> = {
  payment_overdue:
    "We couldn't collect your last payment, so your membership has ended. We canceled the open invoice, and you won't be charged again.",
  canceled_overdue:
    "You canceled your membership while a payment was due, so it ended right away. We canceled the open invoice, and you won't be charged again.",
};

/** How a membership begins, goes on and ends. */
export const membershipLetters: LetterWriters<
  | 'membership_started'
  | 'cancellation_scheduled'
  | 'cancellation_withdrawn'
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

  cancellation_scheduled: ({ ends_at }, { day, account }) =>
    letter(
      'Your cancellation is confirmed',
      `You keep access until ${day(ends_at)}, and you won't be charged again.`,
      'Changed your mind? You can keep your membership until then.',
      account(),
    ),

  cancellation_withdrawn: (_, { dashboard }) =>
    letter('Your membership continues', 'Your membership continues and renews as before.', dashboard),

  ending_reminder: ({ tier, ends_at }, { label, day, account }) =>
    letter(
      'Your membership ends soon',
      `Your ${label(tier)} membership ends on ${day(ends_at)}, and you won't be charged again. Glasses you have left are yours until then.`,
      'Changed your mind? You can keep your membership until that day.',
      account(),
    ),

  membership_ended: ({ why }, { renew }) =>
    letter(
      'Your membership has ended',
      why ? ENDED_BECAUSE[why] : "Your membership has ended, and you won't be charged again.",
      "We'd love to have you back. You can renew anytime:",
      renew,
    ),

  membership_suspended: (_, { account }) =>
    letter(
      'Your membership is on hold',
      "There is a problem with your payment, so you can't use your glasses for now. Your membership is active again as soon as the payment goes through.",
      'To end it instead, cancel it in your account.',
      account(),
    ),

  annual_notice: (notice, { renews, day, club, account }) =>
    letter(
      'Your membership at a glance',
      `Once a year we remind you of your membership. You have had this subscription since ${day(notice.since)}.`,
      `${renews(notice)} Your next billing date is ${day(notice.next_billing)}.`,
      ...club,
      account(),
    ),
};
