import type { StaffNoticeFacts } from '../../../contract/staff-notices.ts';
import { STAFF_PERMISSIONS, type StaffPermission } from '../../../domain/staff/staff-permission.ts';
import type { StoredAct } from '../../../domain/staff/stored-audit.ts';
import { STAFF_NOTICE_KINDS, type StaffNoticeKind } from '../../../domain/staff-notice.ts';
import { check, desc, index, integer, jsonb, pgTable, primaryKey, sql, text, uuid } from '../orm.ts';
import { ownedBy, profiles, userId } from './auth-tables.ts';
import { instant } from './columns.ts';
import { ACTOR, ownRows } from './row-policies.ts';

/** A staff member's permissions beyond the bar. Someone can always manage staff: db/functions/staff.sql. */
export const staff_permission = pgTable(
  'staff_permission',
  {
    user_id: ownedBy('user_id'),
    permission: text('permission', { enum: STAFF_PERMISSIONS }).notNull(),
    given_at: instant('given_at').notNull(),
    /** Null for the command line, or the database's grant to the first staff account. */
    given_by_staff_id: uuid('given_by_staff_id').references(() => profiles.id, { onDelete: 'set null' }),
  },
  (t) => [
    primaryKey({ columns: [t.user_id, t.permission] }),
    check(
      'staff_permission_known',
      sql`${t.permission} in ('manage_members', 'manage_money', 'manage_staff', 'see_reports')`,
    ),
  ],
).enableRLS();

/** A pending invitation to join the staff; one per email. */
export const staff_invitation = pgTable('staff_invitation', {
  id: uuid('id').primaryKey(),
  /** In lowercase. */
  email: text('email').notNull().unique(),
  permissions: jsonb('permissions').$type<StaffPermission[]>().notNull(),
  token_hash: text('token_hash').notNull().unique(),
  /** The link only works while they can still manage staff. */
  invited_by_staff_id: ownedBy('invited_by_staff_id'),
  created_at: instant('created_at').notNull(),
  expires_at: instant('expires_at').notNull(),
}).enableRLS();

/**
 * The log of acts: who did what to whom, when and from which device. Rows are only added: db/functions/audit.sql. No
 * foreign keys, so that an entry stays as written when the account that it names is deleted.
 */
export const audit_entry = pgTable(
  'audit_entry',
  {
    id: uuid('id').primaryKey(),
    at: instant('at').notNull(),
    /** Null for the command line on the server's host, and for scheduled tasks. */
    actor_id: uuid('actor_id'),
    /** The device, such as 'Chrome on Android', or 'Command line' or 'Automatic'. */
    device: text('device').notNull(),
    act: text('act').$type<StoredAct>().notNull(),
    /** The affected user; null if the act concerned the venue. */
    subject_id: uuid('subject_id'),
    facts: jsonb('facts').$type<Record<string, string | number | null>>().notNull(),
  },
  (t) => [
    index('audit_entry_at').on(desc(t.at), desc(t.id)),
    index('audit_entry_actor').on(t.actor_id, desc(t.at), desc(t.id)),
    index('audit_entry_subject').on(t.subject_id, desc(t.at), desc(t.id)),
  ],
).enableRLS();

/**
 * A tablet at the bar that staff share. Its cookie alone grants nothing; a PIN on it begins a session, which ends like any
 * other. Rows stay, because the ledger references them.
 */
export const bar_device = pgTable(
  'bar_device',
  {
    id: uuid('id').primaryKey(),
    name: text('name').notNull(),
    token_hash: text('token_hash').notNull().unique(),
    idle_minutes: integer('idle_minutes').notNull(),
    opened_by_staff_id: userId('opened_by_staff_id'),
    opened_at: instant('opened_at').notNull(),
    ended_at: instant('ended_at'),
    last_used_at: instant('last_used_at'),
  },
  () => [ownRows(`opened_by_staff_id = ${ACTOR}`)],
);

/** A staff member's PIN for shared tablets, valid nowhere else. */
export const staff_pin = pgTable('staff_pin', {
  user_id: ownedBy('user_id').primaryKey(),
  /** Argon2id of an HMAC of the PIN, under a key from AUTH_SECRET. */
  pin_hash: text('pin_hash').notNull(),
  set_at: instant('set_at').notNull(),
  /** Wrong tries since the last right one. */
  failed: integer('failed').notNull().default(0),
}).enableRLS();

/** Work that staff must do by hand, written in the transaction of its cause; only one row per cause, ever. */
export const staff_notice = pgTable(
  'staff_notice',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    kind: text('kind', { enum: STAFF_NOTICE_KINDS }).notNull(),
    /** The notice's cause, such as 'payment_unmatched:sub_123': posting it again does nothing. */
    cause: text('cause').notNull().unique(),
    /** Null if no user is known, or the account was deleted. */
    user_id: uuid('user_id').references(() => profiles.id, { onDelete: 'set null' }),
    facts: jsonb('facts').$type<StaffNoticeFacts[StaffNoticeKind]>().notNull(),
    created_at: instant('created_at').notNull(),
    settled_at: instant('settled_at'),
    settled_by_staff_id: uuid('settled_by_staff_id').references(() => profiles.id),
  },
  (t) => [
    index('staff_notice_open').on(t.created_at).where(sql`${t.settled_at} is null`),
    index('staff_notice_user').on(t.user_id),
    check(
      'staff_notice_kind_known',
      sql`${t.kind} in ('payment_unmatched', 'reversal_impossible', 'customer_missing', 'webhook_off', 'gift_reversed', 'payment_disputed', 'paid_more_than_once',
        'paid_without_membership', 'long_trial', 'invoice_not_finalized', 'unknown_subscription', 'caught_up', 'email_refused')`,
    ),
    check('staff_notice_settled', sql`num_nulls(${t.settled_at}, ${t.settled_by_staff_id}) in (0, 2)`),
  ],
);
