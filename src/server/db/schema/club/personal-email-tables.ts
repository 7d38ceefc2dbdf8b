import { PERSONAL_EMAIL_SOURCES, RISK_KINDS } from '../../../../domain/reports/members-at-risk.ts';
import { boolean, check, index, pgTable, sql, text, uuid } from '../../orm.ts';
import { profiles } from '../auth-tables.ts';
import { instant } from '../columns.ts';
import { customers } from '../membership-tables.ts';
import { ACTOR, ownRows } from '../row-policies.ts';

/** An email that staff approved for a member who may leave. Its text is only in the delivery. */
export const personal_email = pgTable(
  'personal_email',
  {
    id: uuid('id').primaryKey(),
    /** Made by the client when the form opens: a repeated id is the same email. */
    request_id: uuid('request_id').notNull().unique(),
    customer_id: uuid('customer_id')
      .notNull()
      .references(() => customers.id, { onDelete: 'cascade' }),
    kind: text('kind', { enum: RISK_KINDS }).notNull(),
    sent_by_staff_id: uuid('sent_by_staff_id')
      .notNull()
      .references(() => profiles.id),
    created_at: instant('created_at').notNull(),
  },
  (t) => [index('personal_email_customer').on(t.customer_id, t.created_at)],
);

/** Whether users want personal emails. Without a row they were not asked yet, or did not answer, and get none. */
export const personal_email_answer = pgTable(
  'personal_email_answer',
  {
    user_id: uuid('user_id')
      .primaryKey()
      .references(() => profiles.id, { onDelete: 'cascade' }),
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
