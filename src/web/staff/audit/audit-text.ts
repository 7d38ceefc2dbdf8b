import type { AuditEntry } from '../../../contract/staff/audit.ts';
import { EMAIL_KINDS } from '../../../domain/club/emails.ts';
import { LEAVING_REASON_BRIEF } from '../../../domain/reports/leaving-reason.ts';
import { RISK_ACTS } from '../../../domain/reports/members-at-risk.ts';
import type { AuditAct, AuditFacts } from '../../../domain/staff/audit.ts';
import type { StaffPermission } from '../../../domain/staff/staff-permission.ts';
import { CLUB_LABELS } from '../settings/club-labels.ts';
import { PERMISSION_TEXT } from '../team/permission-text.ts';

export const AUDIT_LABELS: Record<AuditAct, string> = {
  application_approved: 'Application approved',
  application_rejected: 'Application rejected',
  member_signed_up: 'Signed up at the bar',
  pour_voided: 'Colleague’s pour voided',
  staff_invited: 'Staff invited',
  invitation_withdrawn: 'Invitation withdrawn',
  staff_joined: 'Invitation accepted',
  glasses_given: 'Pours given or taken back',
  outreach_sent: 'Email to a member at risk',
  note_added: 'Note added',
  note_edited: 'Note edited',
  note_removed: 'Note removed',
  tag_added: 'Tag added',
  tag_removed: 'Tag removed',
  member_changed: 'Member changed',
  photo_saved: 'Photo of a member saved',
  photo_removed: 'Photo of a member removed',
  member_email_changed: 'Member’s email changed',
  letter_sent: 'Email sent again',
  unused_account_deleted: 'Unused account deleted',
  account_deleted: 'Account deleted for a member',
  refund_ordered: 'Refund ordered',
  gift_refunded: 'Gift refunded',
  membership_paused: 'Membership paused',
  pause_withdrawn: 'Pause taken back',
  membership_ended: 'Membership ended',
  membership_kept: 'Membership kept',
  list_exported: 'List exported',
  members_imported: 'Members imported',
  import_undone: 'Import undone',
  import_emailed: 'Imported members emailed',
  subscriptions_adopted: 'Subscriptions taken over',
  adoption_undone: 'Subscriptions given back',
  members_exported: 'Members exported',
  staff_added: 'Staff added',
  staff_removed: 'Staff removed',
  permission_given: 'Permission given',
  permission_taken: 'Permission taken back',
  signed_out_everywhere: 'Signed out everywhere',
  two_factor_reset: 'Two-step sign-in reset',
  tablet_opened: 'Tablet opened',
  tablet_ended: 'Tablet ended',
  pin_removed: 'PIN removed',
  tier_added: 'Tier added',
  tier_changed: 'Tier changed',
  tier_offered: 'Tier offered',
  tier_retired: 'Tier retired',
  tiers_ordered: 'Tiers reordered',
  tier_recommended: 'Tier recommended',
  price_move_announced: 'New price announced',
  price_move_withdrawn: 'New price withdrawn',
  payments_set_up: 'Payments set up at Stripe',
  joining_tried: 'Joining by card tried out',
  club_changed: 'Settings of the club changed',
  logo_saved: 'Logo of the club saved',
  logo_removed: 'Logo of the club removed',
  page_picture_saved: 'Picture of the club’s page saved',
  page_picture_removed: 'Picture of the club’s page removed',
  email_worded: 'Email text changed',
  wine_added: 'Wine added',
  wine_changed: 'Wine changed',
  wines_ordered: 'Wines reordered',
  wine_put_away: 'Wine taken off the bar',
  bottle_opened: 'Bottle opened',
  bottle_finished: 'Bottle finished',
  webhook_added: 'Webhook added',
  webhook_changed: 'Webhook changed',
  webhook_secret_replaced: 'Secret of a webhook replaced',
  webhook_removed: 'Webhook removed',
};

const brief = (text: string) => (text.length > 120 ? `${text.slice(0, 120).trimEnd()}…` : text);

const count = (n: number, noun: string) => `${n} ${n === 1 ? noun : `${noun}s`}`;

const ACCOUNTS = {
  made: 'New account',
  taken_over: 'Existing account, which lost all access set up before',
  promoted: 'Existing account',
  found: 'Existing account',
};

const SENT_EMAILS: Record<AuditFacts['letter_sent']['letter'], string> = {
  password: 'first password',
  confirmation: 'confirmation of the email',
  receipt: 'last receipt',
  welcome: 'welcome',
};

interface Terms {
  money(cents: number): string;
  tierLabel(tier: string): string;
}

/** Acts with nothing but ids in their facts: their label says it all. */
type Brief = { [Act in AuditAct]: keyof AuditFacts[Act] extends `${string}_id` ? Act : never }[AuditAct];
type Texts = { [Act in Exclude<AuditAct, Brief>]: (facts: AuditFacts[Act], terms: Terms) => string };

const tierMove = (from: string, to: string, tierLabel: Terms['tierLabel']) =>
  from === to ? tierLabel(to) : `${tierLabel(from)} to ${tierLabel(to)}`;

const DETAILS: Texts = {
  application_approved: ({ tier }, { tierLabel }) => tierLabel(tier),
  member_signed_up: ({ tier, paid, account }, { tierLabel }) =>
    `${tierLabel(tier)}, ${paid === 'by phone' ? 'to be paid by phone' : 'paid at the venue'}: ${ACCOUNTS[account]}`,
  pour_voided: ({ glasses }) => count(glasses, 'pour'),
  staff_invited: ({ permissions }) =>
    permissions
      .split(', ')
      .map((it) => PERMISSION_TEXT[it as StaffPermission]?.label)
      .filter(Boolean)
      .join(', '),
  staff_joined: ({ account }) => ACCOUNTS[account],
  glasses_given: ({ kind, glasses }) =>
    `${kind === 'comp' ? 'On the house' : 'Correction'}: ${glasses < 0 ? '−' : '+'}${count(Math.abs(glasses), 'pour')}`,
  outreach_sent: ({ kind }) => RISK_ACTS[kind],
  member_changed: ({ fields }) => fields.replaceAll(' ', ', ').replaceAll('_', ' '),
  member_email_changed: ({ how }) => how,
  letter_sent: ({ letter: kind }) => SENT_EMAILS[kind],
  refund_ordered: ({ amount_cents }, { money }) => money(amount_cents),
  gift_refunded: ({ amount_cents }, { money }) => money(amount_cents),
  membership_paused: ({ months }) => count(months, 'month'),
  membership_ended: ({ when, reason }) =>
    `${when === 'now' ? 'Right away' : 'At the end of the paid month'}: ${LEAVING_REASON_BRIEF[reason]}`,
  list_exported: ({ list }) => list,
  members_imported: ({ rows }) => count(rows, 'member'),
  import_undone: ({ rows }) => count(rows, 'member'),
  import_emailed: ({ emails }) => count(emails, 'email'),
  subscriptions_adopted: ({ rows }) => count(rows, 'subscription'),
  adoption_undone: ({ rows }) => `up to ${count(rows, 'subscription')}`,
  staff_added: ({ account }) => ACCOUNTS[account],
  permission_given: ({ permission }) => PERMISSION_TEXT[permission].label,
  permission_taken: ({ permission }) => PERMISSION_TEXT[permission].label,
  signed_out_everywhere: ({ sessions, api_clients }) =>
    `${count(sessions, 'device')}, ${count(api_clients, 'API client')}`,
  tablet_opened: ({ name }) => name,
  tablet_ended: ({ name }) => name,
  tier_added: ({ tier, price_cents, glasses }, { money, tierLabel }) =>
    `${tierLabel(tier)}: ${money(price_cents)}, ${count(glasses, 'pour')}`,
  tier_changed: (
    { tier, price_cents, price_cents_before, glasses, glasses_before, words, ...more },
    { money, tierLabel },
  ) => {
    const changes = [
      price_cents !== undefined && `${money(price_cents_before ?? 0)} to ${money(price_cents)}`,
      glasses !== undefined && `${glasses_before ?? 0} to ${count(glasses, 'pour')}`,
      more.people !== undefined && (more.people > 1 ? 'for two' : 'for one'),
      more.guest_glasses !== undefined && `${count(more.guest_glasses, 'pour')} for guests`,
      more.rollover !== undefined && `${more.rollover_before ?? 0} to ${more.rollover} roll over`,
      words && 'words',
    ];
    return `${tierLabel(tier)}: ${changes.filter(Boolean).join(', ')}`;
  },
  tier_offered: ({ tier }, { tierLabel }) => tierLabel(tier),
  tier_retired: ({ tier }, { tierLabel }) => tierLabel(tier),
  tiers_ordered: ({ tiers }, { tierLabel }) => tiers.split(', ').map(tierLabel).join(', '),
  tier_recommended: ({ tier }, { tierLabel }) => (tier ? tierLabel(tier) : 'none'),
  price_move_announced: ({ from, to, price_cents }, { money, tierLabel }) =>
    `${tierMove(from, to, tierLabel)}, ${money(price_cents)}`,
  payments_set_up: ({ mode, made, changed }) => `${mode}: ${made} to make, ${changed} to change`,
  joining_tried: ({ mode, joining }) => `${mode}: joining is ${joining}`,
  club_changed: ({ field, before, after }) => `${CLUB_LABELS[field]}: ${brief(before)} to ${brief(after)}`,
  email_worded: ({ letter: kind, field, before, after }) =>
    `${EMAIL_KINDS[kind]?.about ?? kind}, ${field}: ${before || 'default'} to ${after || 'default'}`,
  price_move_withdrawn: ({ from, to }, { tierLabel }) => tierMove(from, to, tierLabel),
  wine_added: ({ wine }) => wine,
  wine_changed: ({ wine, fields }) => `${wine}: ${fields.replaceAll(' ', ', ').replaceAll('_', ' ')}`,
  wines_ordered: ({ wines }) => count(wines, 'wine'),
  wine_put_away: ({ wine, state }) => `${wine}, ${state}`,
  bottle_opened: ({ wine }) => wine,
  bottle_finished: ({ wine, glasses_left }) =>
    glasses_left < 0
      ? `${wine}: ${count(-glasses_left, 'pour')} more than it holds`
      : `${wine}: ${count(glasses_left, 'pour')} left`,
  webhook_added: ({ events }) => events.split(' ').join(', '),
  webhook_changed: ({ fields }) => fields.split(' ').join(', '),
};

export function auditDetail({ act, facts }: Pick<AuditEntry, 'act' | 'facts'>, terms: Terms): string {
  const detail = DETAILS[act as keyof Texts] as
    | ((facts: AuditEntry['facts'], terms: Terms) => string)
    | undefined;
  return detail?.(facts, terms) ?? '';
}

/** Entries outlive deleted accounts. */
export const nameOf = ({ name }: { name: string | null }): string => name || 'Deleted account';
