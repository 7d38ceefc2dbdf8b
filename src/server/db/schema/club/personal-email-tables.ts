import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { RISK_KINDS } from '../../../../domain/reports/members-at-risk.ts';
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

/** Users who want no personal emails. */
export const personal_email_opt_out = pgTable(
  'personal_email_opt_out',
  {
    user_id: uuid('user_id')
      .primaryKey()
      .references(() => profiles.id, { onDelete: 'cascade' }),
    created_at: instant('created_at').notNull(),
  },
  () => [ownRows(`user_id = ${ACTOR}`)],
);
