import { Refusal } from '../../contract/refusals.ts';
import type { Db, Tx } from '../db/client.ts';
import { eq } from '../db/orm.ts';
import { customers } from '../db/schema.ts';

/** The id of the user who is this member. Throws Refusal NOT_FOUND. */
export async function userOfMember(db: Db | Tx, customer_id: string): Promise<string> {
  const [member] = await db
    .select({ user_id: customers.user_id })
    .from(customers)
    .where(eq(customers.id, customer_id));
  if (!member) throw new Refusal('NOT_FOUND', { what: 'customer' });
  return member.user_id;
}

/** The customer id of a user; undefined for someone who was never a member. */
export async function memberOfUser(db: Db | Tx, user_id: string): Promise<string | undefined> {
  const [row] = await db.select({ id: customers.id }).from(customers).where(eq(customers.user_id, user_id));
  return row?.id;
}
