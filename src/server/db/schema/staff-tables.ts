import type { AuditAct } from '../../../domain/staff/audit.ts';
import { STAFF_PERMISSIONS, type StaffPermission } from '../../../domain/staff/staff-permission.ts';
import { check, desc, index, jsonb, pgTable, primaryKey, sql, text, uuid } from '../orm.ts';
import { profiles } from './auth-tables.ts';
import { instant } from './columns.ts';

/** A staff member's permissions beyond the bar. Someone can always manage staff: db/functions/staff.sql. */
export const staff_permission = pgTable(
  'staff_permission',
  {
    user_id: uuid('user_id')
      .notNull()
      .references(() => profiles.id, { onDelete: 'cascade' }),
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
  /** SHA-256 of the 32 random bytes in the link, base64url. */
  token_hash: text('token_hash').notNull().unique(),
  /** The link only works while they can still manage staff. */
  invited_by_staff_id: uuid('invited_by_staff_id')
    .notNull()
    .references(() => profiles.id, { onDelete: 'cascade' }),
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
    act: text('act').$type<AuditAct>().notNull(),
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
