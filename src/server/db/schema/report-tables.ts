import { LEAVING_REASONS } from '../../../domain/reports/leaving-reason.ts';
import { STANDINGS_OVER_TIME } from '../../../domain/reports/member-figures.ts';
import { PERSONAL_EMAIL_SOURCES, RISK_KINDS } from '../../../domain/reports/members-at-risk.ts';
import {
  boolean,
  check,
  date,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  sql,
  text,
  uuid,
} from '../orm.ts';
import { ownedBy, profiles, userId } from './auth-tables.ts';
import { instant, quoted } from './columns.ts';
import { memberships, ownedByCustomer, tierName } from './membership-tables.ts';
import { ACTOR, ownRows } from './row-policies.ts';

/**
 * The terms of a membership from an instant on: a row for its beginning and each change, written by the triggers in
 * db/functions/membership-terms.sql. The first row counts from the first day.
 */
export const membership_term = pgTable(
  'membership_term',
  {
    membership_id: uuid('membership_id')
      .notNull()
      .references(() => memberships.id, { onDelete: 'cascade' }),
    since: instant('since').notNull(),
    tier: tierName('tier'),
    monthly_price_cents: integer('monthly_price_cents').notNull(),
    standing: text('standing', { enum: STANDINGS_OVER_TIME }).notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.membership_id, t.since] }),
    check('membership_term_standing_known', sql`${t.standing} in (${quoted(STANDINGS_OVER_TIME)})`),
  ],
);

/** A member's reason for canceling, if given: at most one per membership, without free text. */
export const leaving_reason = pgTable(
  'leaving_reason',
  {
    membership_id: uuid('membership_id')
      .primaryKey()
      .references(() => memberships.id, { onDelete: 'cascade' }),
    reason: text('reason', { enum: LEAVING_REASONS }).notNull(),
    created_at: instant('created_at').notNull(),
  },
  (t) => [check('leaving_reason_known', sql`${t.reason} in (${quoted(LEAVING_REASONS)})`)],
);

/** Pours of past days, without voided ones: docs/decisions/reports.md. */
export const pour_summary = pgTable(
  'pour_summary',
  {
    /** A day of the venue's calendar. */
    day: date('day', { mode: 'string' }).notNull(),
    /** 0 to 23, by the venue's clock. */
    hour: smallint('hour').notNull(),
    location: text('location').notNull(),
    staff_id: userId('staff_id'),
    pours: integer('pours').notNull(),
    glasses: integer('glasses').notNull(),
  },
  (t) => [primaryKey({ columns: [t.day, t.hour, t.location, t.staff_id] })],
);

/** Given and unused glasses of the billing periods that ended on a day. */
export const unused_summary = pgTable(
  'unused_summary',
  {
    /** A day of the venue's calendar. */
    day: date('day', { mode: 'string' }).notNull(),
    tier: tierName('tier'),
    periods: integer('periods').notNull(),
    given: integer('given').notNull(),
    unused: integer('unused').notNull(),
  },
  (t) => [primaryKey({ columns: [t.day, t.tier] })],
);

/** Past days that the two tables above cover, by the calendar of a time zone. All others are counted from the rows. */
export const closed_day = pgTable('closed_day', {
  day: date('day', { mode: 'string' }).primaryKey(),
  time_zone: text('time_zone').notNull(),
});

/** An email that staff approved for a member who may leave. Its text is only in the delivery. */
export const personal_email = pgTable(
  'personal_email',
  {
    id: uuid('id').primaryKey(),
    /** Made by the client when the form opens: a repeated id is the same email. */
    request_id: uuid('request_id').notNull().unique(),
    customer_id: ownedByCustomer('customer_id'),
    kind: text('kind', { enum: RISK_KINDS }).notNull(),
    sent_by_staff_id: userId('sent_by_staff_id'),
    created_at: instant('created_at').notNull(),
  },
  (t) => [index('personal_email_customer').on(t.customer_id, t.created_at)],
);

/** An email that staff wrote to the members on a list. It goes out in batches: src/server/reports/mailings. */
export const mailing = pgTable(
  'mailing',
  {
    id: uuid('id').primaryKey(),
    /** Made by the client when the form opens: a repeated id is the same email. */
    request_id: uuid('request_id').notNull().unique(),
    subject: text('subject').notNull(),
    /** As written, with {first_name}. */
    text: text('text').notNull(),
    about_opening: boolean('about_opening').notNull(),
    /** Members it was meant for. */
    recipients: integer('recipients').notNull(),
    sent_by_staff_id: userId('sent_by_staff_id'),
    created_at: instant('created_at').notNull(),
    /** Once all emails are with the outbox, or it was stopped. */
    finished_at: instant('finished_at'),
    stopped_at: instant('stopped_at'),
    stopped_by_staff_id: uuid('stopped_by_staff_id').references(() => profiles.id),
  },
  (t) => [
    check('mailing_stopped', sql`num_nulls(${t.stopped_at}, ${t.stopped_by_staff_id}) in (0, 2)`),
    index('mailing_created').on(t.created_at),
  ],
);

/** A member on the list of such an email. */
export const mailing_recipient = pgTable(
  'mailing_recipient',
  {
    mailing_id: uuid('mailing_id')
      .notNull()
      .references(() => mailing.id, { onDelete: 'cascade' }),
    customer_id: ownedByCustomer('customer_id'),
    /** When the email went to the outbox; null while it waits. */
    emailed_at: instant('emailed_at'),
  },
  (t) => [
    primaryKey({ columns: [t.mailing_id, t.customer_id] }),
    index('mailing_recipient_customer').on(t.customer_id),
  ],
);

/** Whether users want personal emails. Without a row they were not asked yet, or did not answer, and get none. */
export const personal_email_answer = pgTable(
  'personal_email_answer',
  {
    user_id: ownedBy('user_id').primaryKey(),
    wanted: boolean('wanted').notNull(),
    /** Where they said so. */
    place: text('place', { enum: PERSONAL_EMAIL_SOURCES }).notNull(),
    answered_at: instant('answered_at').notNull(),
  },
  (t) => [
    check('personal_email_answer_place_known', sql`${t.place} in ('dashboard', 'account', 'email')`),
    ownRows(`user_id = ${ACTOR}`),
  ],
);
