import type { Tx } from '../db/client.ts';
import { type SQL, sql } from '../db/orm.ts';
import { rowsOf } from '../db/results.ts';

/**
 * Whether the venue has a user as a member's, now or once: staff put them on record, or they paid by card. A gift or a shared
 * membership does not count: a stranger can get one for an account with another person's email.
 */
export const onRecord = (user_id: SQL): SQL<boolean> => sql`exists (
  select from customers c
   where c.user_id = ${user_id}
     and (c.signed_up_by_staff_id is not null
          or exists (select from memberships m where m.customer_id = c.id and not m.is_gift)))`;

export async function isUserOnRecord(tx: Tx, user_id: string): Promise<boolean> {
  const [row] = await rowsOf<{ known: boolean }>(tx, sql`select ${onRecord(sql`${user_id}::uuid`)} as known`);
  return row?.known ?? false;
}
