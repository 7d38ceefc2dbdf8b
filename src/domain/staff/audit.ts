import type { ClubChange, ClubField } from '../club/club-settings.ts';
import { EMAIL_KINDS, type EmailKind } from '../club/emails.ts';
import type { EndTime } from '../membership/end.ts';
import { LEAVING_REASON_BRIEF, type LeavingReason } from '../reports/leaving-reason.ts';
import { RISK_ACTS, type RiskKind } from '../reports/members-at-risk.ts';
import type { AccessEmail, MembershipEmail } from './access-email.ts';
import type { StaffPermission } from './staff-permission.ts';

/** Words that a detail takes from the page. */
export interface AuditTerms {
  /** Formats an amount in the currency's smallest unit. */
  money(cents: number): string;
  tierLabel(tier: string): string;
  permissionLabel(permission: StaffPermission): string;
  clubLabel(field: ClubField): string;
}

type Detail<Facts> = (facts: Facts, terms: AuditTerms) => string;
interface Act<Facts> {
  label: string;
  /** Undefined if the facts are only ids: the label says it all. */
  detail: Detail<Facts> | undefined;
}

const act = <Facts = Record<never, never>>(
  label: string,
  ...detail: keyof Facts extends `${string}_id` ? [] : [Detail<Facts>]
): Act<Facts> => ({ label, detail: (detail as [Detail<Facts>?])[0] });

const count = (n: number, noun: string) => `${n} ${n === 1 ? noun : `${noun}s`}`;
const rowCount =
  (noun: string) =>
  ({ rows }: { rows: number }) =>
    count(rows, noun);
const fieldNames = (fields: string) => fields.replaceAll(' ', ', ').replaceAll('_', ' ');
const brief = (text: string) => (text.length > 120 ? `${text.slice(0, 120).trimEnd()}…` : text);

/** `taken_over`: the account's email was never confirmed, so the person who made it lost it. */
const ACCOUNTS = {
  made: 'New account',
  taken_over: 'Existing account, which lost all access set up before',
  promoted: 'Existing account',
  found: 'Existing account',
};

const SENT_EMAILS: Record<AccessEmail | MembershipEmail, string> = {
  password: 'first password',
  confirmation: 'confirmation of the email',
  receipt: 'last receipt',
  welcome: 'welcome',
};

const PAID = {
  'by phone': 'to be paid by phone',
  'at the venue': 'paid at the venue',
  'on the house': 'on the house',
};

interface Move {
  from: string;
  to: string;
}

const tierMove = ({ from, to }: Move, { tierLabel }: AuditTerms) =>
  from === to ? tierLabel(to) : `${tierLabel(from)} to ${tierLabel(to)}`;
const tierOf = ({ tier }: { tier: string }, { tierLabel }: AuditTerms) => tierLabel(tier);

/**
 * Acts of staff, the operator and scheduled tasks, each with its facts, its label, and the detail after it: what changed,
 * and ids. Never a name, an email or a text that someone typed, because entries outlive the accounts they are about; the
 * club's own settings and its wines are no personal data. Amounts in the currency's smallest unit. docs/rules/staff.md,
 * "The audit".
 */
export const AUDIT = {
  application_approved: act<{ application_id: string; tier: string }>('Application approved', tierOf),
  application_rejected: act<{ application_id: string }>('Application rejected'),
  member_signed_up: act<{
    application_id: string;
    tier: string;
    paid: 'by phone' | 'at the venue' | 'on the house';
    account: 'made' | 'taken_over' | 'found';
  }>(
    'Signed up at the bar',
    ({ tier, paid, account }, { tierLabel }) => `${tierLabel(tier)}, ${PAID[paid]}: ${ACCOUNTS[account]}`,
  ),
  /** Another staff member recorded the pour. */
  pour_voided: act<{ pour_id: string; glasses: number; recorded_by_id: string }>(
    'Colleague’s pour voided',
    ({ glasses }) => count(glasses, 'pour'),
  ),
  /** Another staff member recorded it. */
  benefit_voided: act<{ use_id: string; recorded_by_id: string; words: string }>(
    'Colleague’s benefit undone',
    ({ words }) => words,
  ),
  staff_invited: act<{ invitation_id: string; permissions: string }>(
    'Staff invited',
    ({ permissions }, { permissionLabel }) =>
      permissions
        .split(', ')
        .map((it) => permissionLabel(it as StaffPermission))
        .filter(Boolean)
        .join(', '),
  ),
  invitation_withdrawn: act<{ invitation_id: string }>('Invitation withdrawn'),
  staff_joined: act<{ invitation_id: string; account: 'made' | 'taken_over' | 'promoted' }>(
    'Invitation accepted',
    ({ account }) => ACCOUNTS[account],
  ),
  /** Negative if taken back. */
  glasses_given: act<{ gift_id: string; kind: string; glasses: number }>(
    'Pours given or taken back',
    ({ kind, glasses }) =>
      `${kind === 'comp' ? 'On the house' : 'Correction'}: ${glasses < 0 ? '−' : '+'}${count(Math.abs(glasses), 'pour')}`,
  ),
  /** A payment at the venue. */
  dues_recorded: act<{ dues_id: string; amount_cents: number; months: number }>(
    'Payment at the venue recorded',
    ({ amount_cents, months }, { money }) => `${money(amount_cents)} for ${count(months, 'month')}`,
  ),
  dues_voided: act<{ dues_id: string; amount_cents: number }>(
    'Payment at the venue voided',
    ({ amount_cents }, { money }) => money(amount_cents),
  ),
  /** `from`: the first unpaid day. */
  dues_counted: act<{ dues_id: string; from: string }>('Dues counted', ({ from }) => `Paid until ${from}`),
  outreach_sent: act<{ email_id: string; kind: RiskKind }>(
    'Email to a member at risk',
    ({ kind }) => RISK_ACTS[kind],
  ),
  mailing_sent: act<{ mailing_id: string; recipients: number; about: 'news' | 'opening' }>(
    'Email to a list of members',
    ({ recipients, about }) =>
      `${count(recipients, 'member')}${about === 'opening' ? ', about the opening' : ''}`,
  ),
  mailing_stopped: act<{ mailing_id: string; emailed: number }>(
    'Email to a list stopped',
    ({ emailed }) => `After ${count(emailed, 'email')}`,
  ),
  note_added: act<{ note_id: string }>('Note added'),
  note_edited: act<{ note_id: string }>('Note edited'),
  note_removed: act<{ note_id: string }>('Note removed'),
  tag_added: act<{ tag_id: string }>('Tag added'),
  tag_removed: act<{ tag_id: string }>('Tag removed'),
  /** The names of changed fields, such as 'allergies birthday' or 'first_name phone'; never their content. */
  member_changed: act<{ fields: string }>('Member changed', ({ fields }) => fieldNames(fields)),
  photo_saved: act('Photo of a member saved'),
  photo_removed: act('Photo of a member removed'),
  /** corrected: at once, because the old email was unconfirmed. */
  member_email_changed: act<{ how: 'link sent' | 'corrected' | 'withdrawn' }>(
    'Member’s email changed',
    ({ how }) => how,
  ),
  email_sent: act<{ email: AccessEmail | MembershipEmail }>(
    'Email sent again',
    ({ email }) => SENT_EMAILS[email],
  ),
  unused_account_deleted: act('Unused account deleted'),
  /** Staff deleted it for a member who asked otherwise, or has died. */
  account_deleted: act('Account deleted for a member'),
  /** In the currency of the payment. The refund's row says whether Stripe made it. */
  refund_ordered: act<{ refund_id: string; amount_cents: number }>(
    'Refund ordered',
    ({ amount_cents }, { money }) => money(amount_cents),
  ),
  gift_refunded: act<{ gift_id: string; amount_cents: number }>(
    'Gift refunded',
    ({ amount_cents }, { money }) => money(amount_cents),
  ),
  /** At the venue, from a day on; from and to are equal for one that was taken back. */
  member_tier_changed: act<{ from: string; to: string; on: string }>(
    'Tier changed at the venue',
    ({ on, ...move }, terms) => `${tierMove(move, terms)}, ${on}`,
  ),
  membership_paused: act<{ months: number }>('Membership paused', ({ months }) => count(months, 'month')),
  pause_withdrawn: act('Pause taken back'),
  membership_ended: act<{ when: EndTime; reason: LeavingReason }>(
    'Membership ended',
    ({ when, reason }) =>
      `${when === 'now' ? 'Right away' : 'At the end of the paid month'}: ${LEAVING_REASON_BRIEF[reason]}`,
  ),
  membership_kept: act('Membership kept'),
  /** Exported as a file that contains names. The subject of a timeline is its member. */
  list_exported: act<{
    list: 'members' | 'applications' | 'timeline' | 'members at risk' | 'import report';
  }>('List exported', ({ list }) => list),
  members_imported: act<{ import_id: string; rows: number }>('Members imported', rowCount('member')),
  import_undone: act<{ import_id: string; rows: number }>('Import undone', rowCount('member')),
  import_emailed: act<{ import_id: string; emails: number }>('Imported members emailed', ({ emails }) =>
    count(emails, 'email'),
  ),
  subscriptions_adopted: act<{ import_id: string; rows: number }>(
    'Subscriptions taken over',
    rowCount('subscription'),
  ),
  adoption_undone: act<{ import_id: string; rows: number }>(
    'Subscriptions given back',
    ({ rows }) => `up to ${count(rows, 'subscription')}`,
  ),
  members_exported: act('Members exported'),
  staff_added: act<{ account: 'made' | 'taken_over' | 'promoted' }>(
    'Staff added',
    ({ account }) => ACCOUNTS[account],
  ),
  staff_removed: act('Staff removed'),
  permission_given: act<{ permission: StaffPermission }>(
    'Permission given',
    ({ permission }, { permissionLabel }) => permissionLabel(permission),
  ),
  permission_taken: act<{ permission: StaffPermission }>(
    'Permission taken back',
    ({ permission }, { permissionLabel }) => permissionLabel(permission),
  ),
  signed_out_everywhere: act<{ sessions: number; api_clients: number }>(
    'Signed out everywhere',
    ({ sessions, api_clients }) => `${count(sessions, 'device')}, ${count(api_clients, 'API client')}`,
  ),
  two_factor_reset: act('Two-step sign-in reset'),
  tablet_opened: act<{ device_id: string; name: string }>('Tablet opened', ({ name }) => name),
  tablet_ended: act<{ device_id: string; name: string }>('Tablet ended', ({ name }) => name),
  pin_removed: act('PIN removed'),
  tier_added: act<{ tier: string; price_cents: number; glasses: number }>(
    'Tier added',
    ({ tier, price_cents, glasses }, { money, tierLabel }) =>
      `${tierLabel(tier)}: ${money(price_cents)}, ${count(glasses, 'pour')}`,
  ),
  tier_changed: act<{
    tier: string;
    price_cents?: number;
    price_cents_before?: number;
    /** The price of a year; null for none. */
    year_cents?: number | null;
    glasses?: number;
    glasses_before?: number;
    people?: number;
    guest_glasses?: number;
    rollover?: number;
    rollover_before?: number;
    /** The new list, '' without any. */
    benefits?: string;
    words?: 'changed';
  }>(
    'Tier changed',
    (
      { tier, price_cents, price_cents_before, glasses, glasses_before, words, ...more },
      { money, tierLabel },
    ) => {
      const changes = [
        price_cents !== undefined && `${money(price_cents_before ?? 0)} to ${money(price_cents)}`,
        more.year_cents !== undefined &&
          (more.year_cents === null ? 'no price of a year' : `${money(more.year_cents)} a year`),
        glasses !== undefined && `${glasses_before ?? 0} to ${count(glasses, 'pour')}`,
        more.people !== undefined && (more.people > 1 ? 'for two' : 'for one'),
        more.guest_glasses !== undefined && `${count(more.guest_glasses, 'pour')} for guests`,
        more.rollover !== undefined && `${more.rollover_before ?? 0} to ${more.rollover} roll over`,
        more.benefits !== undefined && (more.benefits === '' ? 'no benefits' : `benefits: ${more.benefits}`),
        words && 'words',
      ];
      return `${tierLabel(tier)}: ${changes.filter(Boolean).join(', ')}`;
    },
  ),
  tier_offered: act<{ tier: string }>('Tier offered', tierOf),
  tier_retired: act<{ tier: string }>('Tier retired', tierOf),
  tiers_ordered: act<{ tiers: string }>('Tiers reordered', ({ tiers }, { tierLabel }) =>
    tiers.split(', ').map(tierLabel).join(', '),
  ),
  tier_recommended: act<{ tier: string | null }>('Tier recommended', ({ tier }, { tierLabel }) =>
    tier ? tierLabel(tier) : 'none',
  ),
  price_move_announced: act<{ from: string; to: string; price_cents: number }>(
    'New price announced',
    (move, terms) => `${tierMove(move, terms)}, ${terms.money(move.price_cents)}`,
  ),
  price_move_withdrawn: act<{ from: string; to: string }>('New price withdrawn', tierMove),
  /** The numbers of things to make and change at Stripe; the results are at Stripe. */
  payments_set_up: act<{ mode: string; made: number; changed: number }>(
    'Payments set up at Stripe',
    ({ mode, made, changed }) => `${mode}: ${made} to make, ${changed} to change`,
  ),
  /** A test of Stripe opened joining by card, or closed it. */
  joining_tried: act<{ mode: string; joining: 'open' | 'closed' }>(
    'Joining by card tried out',
    ({ mode, joining }) => `${mode}: joining is ${joining}`,
  ),
  /** The club's own settings are no personal data, so both values are stored as text. */
  club_changed: act<{ [Key in keyof ClubChange]: ClubChange[Key] }>(
    'Settings of the club changed',
    ({ field, before, after }, { clubLabel }) => `${clubLabel(field)}: ${brief(before)} to ${brief(after)}`,
  ),
  logo_saved: act('Logo of the club saved'),
  logo_removed: act('Logo of the club removed'),
  page_picture_saved: act('Picture of the club’s page saved'),
  page_picture_removed: act('Picture of the club’s page removed'),
  /** The wording added to everyone's emails; empty for none. */
  email_worded: act<{ email: EmailKind; field: string; before: string; after: string }>(
    'Email text changed',
    ({ email: kind, field, before, after }) =>
      `${EMAIL_KINDS[kind]?.about ?? kind}, ${field}: ${before || 'default'} to ${after || 'default'}`,
  ),
  wine_added: act<{ wine_id: string; wine: string }>('Wine added', ({ wine }) => wine),
  wine_changed: act<{ wine_id: string; wine: string; fields: string }>(
    'Wine changed',
    ({ wine, fields }) => `${wine}: ${fieldNames(fields)}`,
  ),
  wines_ordered: act<{ wines: number }>('Wines reordered', ({ wines }) => count(wines, 'wine')),
  wine_put_away: act<{ wine_id: string; wine: string; state: string }>(
    'Wine taken off the bar',
    ({ wine, state }) => `${wine}, ${state}`,
  ),
  bottle_opened: act<{ wine_id: string; wine: string; bottle_id: string }>(
    'Bottle opened',
    ({ wine }) => wine,
  ),
  /** Negative if more was poured than the bottle held. */
  bottle_finished: act<{ wine_id: string; wine: string; bottle_id: string; glasses_left: number }>(
    'Bottle finished',
    ({ wine, glasses_left }) =>
      glasses_left < 0
        ? `${wine}: ${count(-glasses_left, 'pour')} more than it holds`
        : `${wine}: ${count(glasses_left, 'pour')} left`,
  ),
  webhook_added: act<{ endpoint_id: string; events: string }>('Webhook added', ({ events }) =>
    events.split(' ').join(', '),
  ),
  /** The names of changed fields, such as 'address events'; 'on' or 'off' if it was turned on or off. */
  webhook_changed: act<{ endpoint_id: string; fields: string }>('Webhook changed', ({ fields }) =>
    fields.split(' ').join(', '),
  ),
  webhook_secret_replaced: act<{ endpoint_id: string }>('Secret of a webhook replaced'),
  webhook_removed: act<{ endpoint_id: string }>('Webhook removed'),
};

export type AuditAct = keyof typeof AUDIT;
export const AUDIT_ACTS = Object.keys(AUDIT) as AuditAct[];

export type AuditFacts = {
  [Name in AuditAct]: (typeof AUDIT)[Name] extends Act<infer Facts> ? Facts : never;
};

/** An act with its details. `subject_id`: the affected user; null for the venue. */
export type AuditedAct = {
  [Name in AuditAct]: { act: Name; subject_id: string | null; facts: AuditFacts[Name] };
}[AuditAct];

/** The text after an entry's label; empty if the label says it all. */
export const auditDetail = (
  entry: { act: AuditAct; facts: Record<string, string | number | null> },
  terms: AuditTerms,
): string => (AUDIT[entry.act]?.detail as Detail<typeof entry.facts> | undefined)?.(entry.facts, terms) ?? '';
