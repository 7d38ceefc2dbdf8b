import { index, pgTable, text, uuid } from '../orm.ts';
import { instant } from './columns.ts';
import { customers } from './membership-tables.ts';

/** A language model's summary of a member's answers: written once, until the answers change. */
export const profile_summary = pgTable(
  'profile_summary',
  {
    /** A hash of the member, the answers, the model and the version of the prompt. */
    key: text('key').primaryKey(),
    customer_id: uuid('customer_id')
      .notNull()
      .references(() => customers.id, { onDelete: 'cascade' }),
    /** Null while the call is in progress. */
    summary: text('summary'),
    /** When the call began; an unfinished one is repeated later. */
    asked_at: instant('asked_at').notNull(),
  },
  (t) => [index('profile_summary_customer').on(t.customer_id)],
);
