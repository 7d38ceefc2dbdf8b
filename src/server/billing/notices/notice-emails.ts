import type { EmailMessage } from '../../mail/email-text.ts';
import type { BillingNotice } from '../billing-context.ts';
import { giftEmails } from './gift-emails.ts';
import { partnerEmails } from './partner-emails.ts';
import { paymentEmails } from './payment-emails.ts';
import { standingEmails } from './standing-emails.ts';
import { tierEmails } from './tier-emails.ts';

export function noticeEmail(notice: BillingNotice): EmailMessage {
  switch (notice.type) {
    case 'membership_started':
      return standingEmails[notice.renewed ? 'welcome_back' : 'welcome'].about(notice);
    case 'cancellation_scheduled':
      return standingEmails[notice.by_venue ? 'ending_by_staff' : notice.type].about(notice);
    case 'end_scheduled':
      return standingEmails.end_scheduled.about(notice);
    case 'cancellation_withdrawn':
      return standingEmails.cancellation_withdrawn.about(notice);
    case 'pause_scheduled':
      return standingEmails.pause_scheduled.about(notice);
    case 'pause_withdrawn':
      return standingEmails.pause_withdrawn.about(notice);
    case 'pause_ended':
      return standingEmails.pause_ended.about(notice);
    case 'return_reminder':
      return standingEmails.return_reminder.about(notice);
    case 'ending_reminder':
      return standingEmails.ending_reminder.about(notice);
    case 'annual_notice':
      return standingEmails.annual_notice.about(notice);
    case 'membership_suspended':
      return standingEmails.membership_suspended.about();
    case 'membership_ended':
      return endingEmail(notice.why);
    case 'payment_received':
      return paymentEmails.payment_received.about(notice);
    case 'payment_failed':
      return paymentEmails.payment_failed.about(notice);
    case 'payment_refused':
      return paymentEmails[notice.why === 'authentication' ? 'payment_to_confirm' : 'payment_refused'].about(
        notice,
      );
    case 'payment_returned':
      return paymentEmails.payment_returned.about(notice);
    case 'payment_refunded':
      return paymentEmails.payment_refunded.about(notice);
    case 'access_restored':
      return paymentEmails.access_restored.about(notice);
    case 'renewal_reminder':
      return paymentEmails.renewal_reminder.about(notice);
    case 'tier_changed':
      return tierEmails.tier_changed.about(notice);
    case 'tier_change_scheduled':
      return tierEmails.tier_change_scheduled.about(notice);
    case 'tier_change_withdrawn':
      return tierEmails.tier_change_withdrawn.about(notice);
    case 'price_move_announced':
      return tierEmails[notice.from === notice.to ? 'price_announced' : 'tier_move_announced'].about(notice);
    case 'price_move_withdrawn':
      return tierEmails.price_move_withdrawn.about(notice);
    case 'gift_bought':
      return giftEmails.gift_bought.about(notice);
    case 'gift_refunded':
      return giftEmails.gift_refunded.about(notice);
    case 'gift_started':
      return giftEmails.gift_started.about(notice);
    case 'gift_ending':
      return giftEmails.gift_ending.about(notice);
    case 'gift_ended':
      return giftEmails.gift_ended.about(notice);
  }
}

/** A farewell to a member who left would be wrong for one who did not pay or was asked to leave. */
function endingEmail(why: Extract<BillingNotice, { type: 'membership_ended' }>['why']): EmailMessage {
  if (why === null) return standingEmails.membership_ended.about();
  if (why === 'ended_by_staff') return standingEmails.membership_ended_by_staff.about();
  return standingEmails.membership_ended_unpaid.about({ why });
}

/** Makes the email to a household's partner from the holder's first name; null if the notice changes nothing for them. */
export function partnerNoticeEmail(notice: BillingNotice): ((holder: string) => EmailMessage) | null {
  switch (notice.type) {
    case 'membership_started':
    case 'gift_started':
    case 'access_restored':
    case 'pause_ended':
      return (holder) => partnerEmails.shared_active_again.about({ holder });
    case 'membership_suspended':
    case 'membership_ended':
    case 'gift_ended':
      return (holder) => partnerEmails.shared_not_active.about({ holder });
    case 'pause_scheduled':
      return (holder) => partnerEmails.shared_pause_scheduled.about({ ...notice, holder });
    case 'pause_withdrawn':
      return (holder) => partnerEmails.shared_pause_withdrawn.about({ holder });
    case 'cancellation_scheduled':
      return (holder) => partnerEmails.shared_ending.about({ ...notice, holder });
    case 'end_scheduled':
      return (holder) =>
        partnerEmails.shared_ending.about({
          ends_at: notice.ends_at,
          paused: false,
          by_venue: false,
          holder,
        });
    case 'cancellation_withdrawn':
      return (holder) => partnerEmails.shared_continues.about({ holder });
    default:
      return null;
  }
}
