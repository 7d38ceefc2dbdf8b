import type { EmailMessage } from '../../mail/email-text.ts';
import type { BillingNotice } from '../billing-context.ts';
import { duesEmails } from './dues-emails.ts';
import { giftEmails } from './gift-emails.ts';
import { partnerEmails } from './partner-emails.ts';
import { paymentEmails } from './payment-emails.ts';
import { standingEmails } from './standing-emails.ts';
import { tierEmails } from './tier-emails.ts';

type NoticeType = BillingNotice['type'];
type Notice<Type extends NoticeType> = Extract<BillingNotice, { type: Type }>;

const aboutOf = <Table extends Record<string, { about: unknown }>>(table: Table) =>
  Object.fromEntries(Object.entries(table).map(([kind, { about }]) => [kind, about])) as {
    [Kind in keyof Table]: Table[Kind]['about'];
  };

/** Most notices have an email of their own name. */
const NOTICE_EMAILS: { [Type in NoticeType]: (notice: Notice<Type>) => EmailMessage } = {
  ...aboutOf(standingEmails),
  ...aboutOf(paymentEmails),
  ...aboutOf(tierEmails),
  ...aboutOf(giftEmails),
  ...aboutOf(duesEmails),
  membership_started: (notice) => standingEmails[notice.renewed ? 'welcome_back' : 'welcome'].about(notice),
  cancellation_scheduled: (notice) =>
    standingEmails[notice.by_venue ? 'ending_by_staff' : 'cancellation_scheduled'].about(notice),
  membership_ended: (notice) => {
    // A farewell to a member who left would be wrong for one who did not pay or was asked to leave.
    if (notice.why === null) return standingEmails.membership_ended.about(notice);
    if (notice.why === 'ended_by_staff') return standingEmails.membership_ended_by_staff.about();
    return standingEmails.membership_ended_unpaid.about({ why: notice.why });
  },
  payment_refused: (notice) =>
    paymentEmails[notice.why === 'authentication' ? 'payment_to_confirm' : 'payment_refused'].about(notice),
  price_move_announced: (notice) =>
    tierEmails[notice.from === notice.to ? 'price_announced' : 'tier_move_announced'].about(notice),
};

/** `holder`: the first name of the household's holder. */
type PartnerEmail<Type extends NoticeType> = (holder: string, notice: Notice<Type>) => EmailMessage;
const activeAgain = (holder: string) => partnerEmails.shared_active_again.about({ holder });
const notActive = (holder: string) => partnerEmails.shared_not_active.about({ holder });

/** The notices that change something for a household's partner. */
const PARTNER_EMAILS: { [Type in NoticeType]?: PartnerEmail<Type> } = {
  membership_started: activeAgain,
  gift_started: activeAgain,
  year_started: activeAgain,
  access_restored: activeAgain,
  pause_ended: activeAgain,
  membership_suspended: notActive,
  membership_ended: notActive,
  gift_ended: notActive,
  dues_ended: notActive,
  pause_scheduled: (holder, notice) => partnerEmails.shared_pause_scheduled.about({ ...notice, holder }),
  pause_withdrawn: (holder) => partnerEmails.shared_pause_withdrawn.about({ holder }),
  cancellation_scheduled: (holder, notice) => partnerEmails.shared_ending.about({ ...notice, holder }),
  end_scheduled: (holder, { ends_at }) =>
    partnerEmails.shared_ending.about({ ends_at, paused: false, holder }),
  cancellation_withdrawn: (holder) => partnerEmails.shared_continues.about({ holder }),
};

export const noticeEmail = (notice: BillingNotice): EmailMessage =>
  (NOTICE_EMAILS[notice.type] as (notice: BillingNotice) => EmailMessage)(notice);

/** Makes the email to a household's partner from the holder's first name; null if the notice changes nothing for them. */
export function partnerNoticeEmail(notice: BillingNotice): ((holder: string) => EmailMessage) | null {
  const email = PARTNER_EMAILS[notice.type] as PartnerEmail<NoticeType> | undefined;
  return email ? (holder) => email(holder, notice) : null;
}
