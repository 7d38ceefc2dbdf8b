import { SEAT_ENDINGS } from '../../../domain/membership/household.ts';
import { check, index, integer, pgTable, sql, text, uniqueIndex, uuid } from '../orm.ts';
import { instant } from './columns.ts';
import { customerId, ownedByCustomer, pours } from './membership-tables.ts';
import { ACTORS_CUSTOMER, ownRows } from './row-policies.ts';

/** A holder's link that invites one person to share their membership; one at a time. */
export const household_invitation = pgTable('household_invitation', {
  holder_id: ownedByCustomer('holder_id').primaryKey(),
  token_hash: text('token_hash').notNull().unique(),
  /** The address it was emailed to; null if the holder shows it. */
  email: text('email'),
  created_at: instant('created_at').notNull(),
  expires_at: instant('expires_at').notNull(),
}).enableRLS();

/**
 * A partner's place in a household, with its time span. Changing a seat requires the lock of the partner's row in customers
 * (functions/household.sql).
 */
export const household_seat = pgTable(
  'household_seat',
  {
    id: uuid('id').primaryKey(),
    /** The paying member, who holds the membership. */
    holder_id: customerId('holder_id'),
    customer_id: customerId('customer_id'),
    joined_at: instant('joined_at').notNull(),
    /** Null while it continues, even if the holder has no access. */
    ended_at: instant('ended_at'),
    ended_by: text('ended_by', { enum: SEAT_ENDINGS }),
    /** When both were notified of an end that neither requested. */
    told_at: instant('told_at'),
  },
  (t) => [
    uniqueIndex('household_seat_one_of_partner').on(t.customer_id).where(sql`${t.ended_at} is null`),
    uniqueIndex('household_seat_one_of_holder').on(t.holder_id).where(sql`${t.ended_at} is null`),
    index('household_seat_holder').on(t.holder_id, t.joined_at),
    index('household_seat_untold').on(t.ended_at).where(sql`${t.told_at} is null`),
    check('household_seat_two', sql`${t.holder_id} <> ${t.customer_id}`),
    check('household_seat_end', sql`(${t.ended_at} is null) = (${t.ended_by} is null)`),
    ownRows(`customer_id = ${ACTORS_CUSTOMER} OR holder_id = ${ACTORS_CUSTOMER}`),
  ],
);

/** A glass that a member gives to a guest: held in the pool until it is poured, withdrawn or expired. */
export const guest_glass = pgTable(
  'guest_glass',
  {
    id: uuid('id').primaryKey(),
    customer_id: customerId('customer_id'),
    /** The member whose glass it is: the giver, or the holder of their household. */
    pool_id: customerId('pool_id'),
    /** SHA-256 of the 32 random bytes in the link and the code, base64url. Null once erased. */
    token_hash: text('token_hash').unique(),
    created_at: instant('created_at').notNull(),
    expires_at: instant('expires_at').notNull(),
    age_stated_at: instant('age_stated_at'),
    /** The age required, in years. */
    age_stated: integer('age_stated'),
    withdrawn_at: instant('withdrawn_at'),
    /** The pour that used it; a void does not free it. */
    pour_id: uuid('pour_id')
      .unique()
      .references(() => pours.id),
  },
  (t) => [
    index('guest_glass_pool').on(t.pool_id, t.created_at),
    index('guest_glass_giver').on(t.customer_id, t.created_at),
    check('guest_glass_used_or_withdrawn', sql`${t.pour_id} is null or ${t.withdrawn_at} is null`),
    check('guest_glass_age', sql`(${t.age_stated_at} is null) = (${t.age_stated} is null)`),
    ownRows(`customer_id = ${ACTORS_CUSTOMER} OR pool_id = ${ACTORS_CUSTOMER}`),
  ],
);
