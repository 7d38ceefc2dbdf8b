import { CELEBRATION_KINDS } from '../../../../domain/membership/celebration.ts';
import { date, index, pgTable, primaryKey, smallint, text, uuid } from '../../orm.ts';
import { instant } from '../columns.ts';
import { given_glasses } from '../glass-tables.ts';
import { customers } from '../membership-tables.ts';
import { ACTORS_CUSTOMER, ownRows } from '../row-policies.ts';

/** A celebrated day of a member, once per occasion: docs/rules/glasses.md, "Days to celebrate". */
export const celebration = pgTable(
  'celebration',
  {
    customer_id: uuid('customer_id')
      .notNull()
      .references(() => customers.id, { onDelete: 'cascade' }),
    /** The occasion, as in domain/membership/celebration.ts. */
    occasion: text('occasion').notNull(),
    kind: text('kind', { enum: CELEBRATION_KINDS }).notNull(),
    /** Full years as a member; null if it is not an anniversary. */
    years: smallint('years'),
    /** The venue's day. */
    day: date('day', { mode: 'string' }).notNull(),
    /** Glasses given by the house; null for none. */
    given_id: uuid('given_id')
      .unique()
      .references(() => given_glasses.id),
    created_at: instant('created_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.customer_id, t.occasion] }),
    index('celebration_day').on(t.customer_id, t.day),
    ownRows(`customer_id = ${ACTORS_CUSTOMER}`),
  ],
);
