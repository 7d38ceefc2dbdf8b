import type { ClubChange } from '../club/club-settings.ts';
import type { EmailKind } from '../club/emails.ts';
import type { EndTime } from '../membership/end.ts';
import type { LeavingReason } from '../reports/leaving-reason.ts';
import type { RiskKind } from '../reports/members-at-risk.ts';
import type { AccessEmail, MembershipEmail } from './access-email.ts';
import type { StaffPermission } from './staff-permission.ts';

/** What staff and the operator do that the audit keeps. docs/rules/staff.md, "The audit", has each in words. */
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
 * What an entry says besides who, whom and when: ids, and what changed. Never a name, an email or a text that someone
 * typed, because entries outlive the accounts they are about; the club's own settings and its wines are nobody's. Amounts in the currency's smallest unit.
 */
export interface AuditFacts {
  application_approved: { application_id: string; tier: string };
  application_rejected: { application_id: string };
  /** At the bar. `account` taken_over: its email was never confirmed, so whoever made it lost it. */
  member_signed_up: {
    application_id: string;
    tier: string;
    paid: 'by phone' | 'at the venue';
    account: 'made' | 'taken_over' | 'found';
  };
  /** Of a pour that another staff member recorded. */
  pour_voided: { pour_id: string; glasses: number; recorded_by_id: string };
  staff_invited: { invitation_id: string; permissions: string };
  invitation_withdrawn: { invitation_id: string };
  staff_joined: { invitation_id: string; account: 'made' | 'taken_over' | 'promoted' };
  /** Negative: taken back. */
  glasses_given: { gift_id: string; kind: string; glasses: number };
  outreach_sent: { letter_id: string; kind: RiskKind };
  note_added: { note_id: string };
  note_edited: { note_id: string };
  note_removed: { note_id: string };
  tag_added: { tag_id: string };
  tag_removed: { tag_id: string };
  /** Which fields, such as 'allergies birthday' or 'first_name phone'; not what they say. */
  member_changed: { fields: string };
  photo_saved: Record<never, never>;
  photo_removed: Record<never, never>;
  /** corrected: at once, as nobody had confirmed the old one. */
  letter_sent: { letter: AccessEmail | MembershipEmail };
  member_email_changed: { how: 'link sent' | 'corrected' | 'withdrawn' };
  /** As a file, with the names in it. A timeline is of the member it is about. */
  list_exported: { list: 'members' | 'applications' | 'timeline' | 'not seen' | 'import report' };
  /** In the currency of the payment. Whether Stripe made it is in its row. */
  refund_ordered: { refund_id: string; amount_cents: number };
  /** A membership bought as a gift, given back to who bought it. */
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
  /** taken_over: the account had an email that nobody had confirmed, so whoever made it lost it. */
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
  /** Null if none is recommended any more. */
  tier_recommended: { tier: string | null };
  price_move_announced: { from: string; to: string; price_cents: number };
  price_move_withdrawn: { from: string; to: string };
  /** How many things were to be made and changed at Stripe; what came of it is there. */
  payments_set_up: { mode: string; made: number; changed: number };
  /** A try-out of Stripe opened joining by card, or closed it. */
  joining_tried: { mode: string; joining: 'open' | 'closed' };
  /** What the club says about itself is nobody's personal data, so both values are kept as text. */
  club_changed: { [Key in keyof ClubChange]: ClubChange[Key] };
  logo_saved: Record<never, never>;
  logo_removed: Record<never, never>;
  /** What it adds to everyone's emails; empty for nothing. */
  email_worded: { letter: EmailKind; field: string; before: string; after: string };
  wine_added: { wine_id: string; wine: string };
  wine_changed: { wine_id: string; wine: string; fields: string };
  wines_ordered: { wines: number };
  wine_put_away: { wine_id: string; wine: string; state: string };
  bottle_opened: { wine_id: string; wine: string; bottle_id: string };
  /** Below 0 where more was poured than it held. */
  bottle_finished: { wine_id: string; wine: string; bottle_id: string; glasses_left: number };
  webhook_added: { endpoint_id: string; events: string };
  /** Which fields, such as 'address events'; 'on' or 'off' if it was turned on or off. */
  webhook_changed: { endpoint_id: string; fields: string };
  webhook_secret_replaced: { endpoint_id: string };
  webhook_removed: { endpoint_id: string };
}

/** An act with its facts. `subject_id`: the user it was done to; null where it was the venue. */
export type AuditedAct = {
  [Act in AuditAct]: { act: Act; subject_id: string | null; facts: AuditFacts[Act] };
}[AuditAct];
