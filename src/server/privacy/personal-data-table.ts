import type { Db, Tx } from '../db/client.ts';
import { and, eq, inArray, isNull, type PgColumn, type PgTable, type SQL, sql } from '../db/orm.ts';
import { profiles } from '../db/schema.ts';

export interface Person {
  user_id: string;
  email: string;
}

/** One table with personal data: its export (`about` is the heading), and what erasure leaves. */
export interface PersonalDataTable {
  table: PgTable;
  about: string;
  /** The condition for rows about this user. */
  of(person: Person): SQL | undefined;
  /** Columns that the export leaves out, with the reason. A string leaves out the whole table. */
  hidden: Record<string, string> | string;
  /**
   * What remains after erasure: 'nothing', or the rows with the columns in `erased` overwritten. The profile and the
   * billing rows are handled by erasure.ts and billing/upkeep/account-closure.ts.
   */
  kept: 'nothing' | { why: string; erased: Record<string, null> };
}

export const SECRET = 'would let anyone who reads this file sign in as you';

export const byUser = (column: PgColumn) => (person: Person) => eq(column, person.user_id);

export const ownCustomer = ({ user_id }: Person) =>
  sql`(select id from customers where user_id = ${user_id}::uuid)`;
export const ofMembership = (column: PgColumn) => (person: Person) =>
  inArray(column, sql`(select id from memberships where customer_id in ${ownCustomer(person)})`);
export const ofCustomer = (column: PgColumn) => (person: Person) => inArray(column, ownCustomer(person));
export const ofGrant = (column: PgColumn) => (person: Person) =>
  inArray(column, sql`(select id from glass_grant where customer_id in ${ownCustomer(person)})`);

/**
 * Anyone can sign up with any email, so an unconfirmed one finds no rows, such as those of imported files. The address
 * stands for none: RFC 2606.
 */
export const withoutEmail = ({ user_id }: Person): Person => ({
  user_id,
  email: `${user_id}@unconfirmed.invalid`,
});

export async function personOf(
  db: Db | Tx,
  userId: string,
): Promise<(Person & { first_name: string; confirmed: boolean }) | null> {
  const [row] = await db
    .select({
      user_id: profiles.id,
      email: profiles.email,
      first_name: profiles.first_name,
      confirmed: profiles.emailVerified,
    })
    .from(profiles)
    .where(and(eq(profiles.id, userId), isNull(profiles.erased_at)));
  return row ?? null;
}
