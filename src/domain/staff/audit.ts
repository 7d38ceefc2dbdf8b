import type { ClubChange } from '../club/club-settings.ts';
import type { EmailKind } from '../club/emails.ts';
import type { EndTime } from '../membership/end.ts';
import type { LeavingReason } from '../reports/leaving-reason.ts';
import type { RiskKind } from '../reports/members-at-risk.ts';
import type { AccessEmail, MembershipEmail } from './access-email.ts';
import type { StaffPermission } from './staff-permission.ts';

/** Acts of staff, the operator and scheduled tasks in the audit. docs/rules/staff.md, "The audit", describes each. */
export const AUDIT_ACTS = [
  'application_approved',
  'application_rejected',
  'member_signed_up',
  'pour_voided',
  'staff_invited',
  'invitation_withdrawn',
  'staff_joined',
  'glasses_given',
  'outreach_sent',
  'note_added',
  'note_edited',
  'note_removed',
  'tag_added',
  'tag_removed',
  'member_changed',
  'photo_saved',
  'photo_removed',
  'member_email_changed',
  'letter_sent',
  'unused_account_deleted',
  'account_deleted',
  'refund_ordered',
  'gift_refunded',
  'membership_paused',
  'pause_withdrawn',
  'membership_ended',
  'membership_kept',
  'list_exported',
  'members_imported',
  'import_undone',
  'import_emailed',
  'subscriptions_adopted',
  'adoption_undone',
  'members_exported',
  'staff_added',
  'staff_removed',
  'permission_given',
  'permission_taken',
  'signed_out_everywhere',
  'two_factor_reset',
  'tablet_opened',
  'tablet_ended',
  'pin_removed',
  'tier_added',
  'tier_changed',
  'tier_offered',
  'tier_retired',
  'tiers_ordered',
  'tier_recommended',
  'price_move_announced',
  'price_move_withdrawn',
  'payments_set_up',
  'joining_tried',
  'club_changed',
  'logo_saved',
  'logo_removed',
  'page_picture_saved',
  'page_picture_removed',
  'email_worded',
  'wine_added',
  'wine_changed',
  'wines_ordered',
  'wine_put_away',
  'bottle_opened',
  'bottle_finished',
  'webhook_added',
  'webhook_changed',
  'webhook_secret_replaced',
  'webhook_removed',
] as const;
export type AuditAct = (typeof AUDIT_ACTS)[number];

/**
 * The details of an entry besides who, whom and when: ids, and what changed. Never a name, an email or a text that someone
 * typed, because entries outlive the accounts they are about; the club's own settings and its wines are no personal data.
 * Amounts in the currency's smallest unit.
 */
export interface AuditFacts {
  application_approved: { application_id: string; tier: string };
  application_rejected: { application_id: string };
  /** Signed up at the bar. `account` taken_over: its email was never confirmed, so the person who made it lost it. */
  member_signed_up: {
    application_id: string;
    tier: string;
    paid: 'by phone' | 'at the venue';
    account: 'made' | 'taken_over' | 'found';
  };
  /** Another staff member recorded the pour. */
  pour_voided: { pour_id: string; glasses: number; recorded_by_id: string };
  staff_invited: { invitation_id: string; permissions: string };
  invitation_withdrawn: { invitation_id: string };
  staff_joined: { invitation_id: string; account: 'made' | 'taken_over' | 'promoted' };
  /** Negative if taken back. */
  glasses_given: { gift_id: string; kind: string; glasses: number };
  outreach_sent: { letter_id: string; kind: RiskKind };
  note_added: { note_id: string };
  note_edited: { note_id: string };
  note_removed: { note_id: string };
  tag_added: { tag_id: string };
  tag_removed: { tag_id: string };
  /** The names of changed fields, such as 'allergies birthday' or 'first_name phone'; never their content. */
  member_changed: { fields: string };
  photo_saved: Record<never, never>;
  photo_removed: Record<never, never>;
  letter_sent: { letter: AccessEmail | MembershipEmail };
  unused_account_deleted: Record<never, never>;
  /** Staff deleted it for a member who asked otherwise, or has died. */
  account_deleted: Record<never, never>;
  /** corrected: at once, because the old email was unconfirmed. */
  member_email_changed: { how: 'link sent' | 'corrected' | 'withdrawn' };
  /** Exported as a file that contains names. The subject of a timeline is its member. */
  list_exported: { list: 'members' | 'applications' | 'timeline' | 'members at risk' | 'import report' };
  /** In the currency of the payment. The refund's row says whether Stripe made it. */
  refund_ordered: { refund_id: string; amount_cents: number };
  gift_refunded: { gift_id: string; amount_cents: number };
  membership_paused: { months: number };
  pause_withdrawn: Record<never, never>;
  membership_ended: { when: EndTime; reason: LeavingReason };
  membership_kept: Record<never, never>;
  members_imported: { import_id: string; rows: number };
  import_undone: { import_id: string; rows: number };
  import_emailed: { import_id: string; emails: number };
  subscriptions_adopted: { import_id: string; rows: number };
  adoption_undone: { import_id: string; rows: number };
  members_exported: Record<never, never>;
  /** taken_over: the account's email was never confirmed, so its creator lost it. */
  staff_added: { account: 'made' | 'taken_over' | 'promoted' };
  staff_removed: Record<never, never>;
  permission_given: { permission: StaffPermission };
  permission_taken: { permission: StaffPermission };
  signed_out_everywhere: { sessions: number; api_clients: number };
  two_factor_reset: Record<never, never>;
  tablet_opened: { device_id: string; name: string };
  tablet_ended: { device_id: string; name: string };
  pin_removed: Record<never, never>;
  tier_added: { tier: string; price_cents: number; glasses: number };
  tier_changed: {
    tier: string;
    price_cents?: number;
    price_cents_before?: number;
    glasses?: number;
    glasses_before?: number;
    people?: number;
    guest_glasses?: number;
    rollover?: number;
    rollover_before?: number;
    words?: 'changed';
  };
  tier_offered: { tier: string };
  tier_retired: { tier: string };
  tiers_ordered: { tiers: string };
  tier_recommended: { tier: string | null };
  price_move_announced: { from: string; to: string; price_cents: number };
  price_move_withdrawn: { from: string; to: string };
  /** The numbers of things to make and change at Stripe; the results are at Stripe. */
  payments_set_up: { mode: string; made: number; changed: number };
  /** A test of Stripe opened joining by card, or closed it. */
  joining_tried: { mode: string; joining: 'open' | 'closed' };
  /** The club's own settings are no personal data, so both values are stored as text. */
  club_changed: { [Key in keyof ClubChange]: ClubChange[Key] };
  logo_saved: Record<never, never>;
  logo_removed: Record<never, never>;
  page_picture_saved: Record<never, never>;
  page_picture_removed: Record<never, never>;
  /** The wording added to everyone's emails; empty for none. */
  email_worded: { letter: EmailKind; field: string; before: string; after: string };
  wine_added: { wine_id: string; wine: string };
  wine_changed: { wine_id: string; wine: string; fields: string };
  wines_ordered: { wines: number };
  wine_put_away: { wine_id: string; wine: string; state: string };
  bottle_opened: { wine_id: string; wine: string; bottle_id: string };
  /** Negative if more was poured than the bottle held. */
  bottle_finished: { wine_id: string; wine: string; bottle_id: string; glasses_left: number };
  webhook_added: { endpoint_id: string; events: string };
  /** The names of changed fields, such as 'address events'; 'on' or 'off' if it was turned on or off. */
  webhook_changed: { endpoint_id: string; fields: string };
  webhook_secret_replaced: { endpoint_id: string };
  webhook_removed: { endpoint_id: string };
}

/** An act with its details. `subject_id`: the affected user; null for the venue. */
export type AuditedAct = {
  [Act in AuditAct]: { act: Act; subject_id: string | null; facts: AuditFacts[Act] };
}[AuditAct];
