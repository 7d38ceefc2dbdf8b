import type { AccountUse } from '../../domain/retention.ts';
import type { Db, Tx } from '../db/client.ts';
import { and, asc, eq, gt, isNull, lt, type SQL, sql } from '../db/orm.ts';
import { profiles, sessions, user_roles } from '../db/schema.ts';

/** An account that has no membership and nothing open, with its use. */
export interface IdleAccount extends AccountUse {
  user_id: string;
}

const own = sql`(select id from customers where user_id = ${profiles.id})`;

/** Whether a user has, or waits for, anything that an erasure would cut off. */
const engaged = sql`(
  exists (select 1 from customers c where c.user_id = ${profiles.id} and c.status = 'active')
  or exists (select 1 from memberships m where m.customer_id in ${own} and m.status = 'active')
  or exists (select 1 from household_seat s where s.ended_at is null and (s.customer_id in ${own} or s.holder_id in ${own}))
  or exists (select 1 from membership_applications a
             where a.user_id = ${profiles.id} and a.status = 'pending' and a.is_complete)
  or exists (select 1 from billing_subscription s
             where s.user_id = ${profiles.id} and s.status not in ('canceled', 'incomplete_expired'))
  or exists (select 1 from checkout_attempt t where t.user_id = ${profiles.id} and t.status in ('creating', 'open'))
  or exists (select 1 from billing_act b
             where b.user_id = ${profiles.id} and b.state in ('asked', 'set', 'withdrawing'))
  or exists (select 1 from billing_refund r where r.user_id = ${profiles.id} and r.status = 'asked')
  or exists (select 1 from billing_reversal r where r.user_id = ${profiles.id} and r.done_at is null)
  or exists (select 1 from billing_payment p where p.user_id = ${profiles.id} and p.dispute_state = 'open')
  or exists (select 1 from staff_notice n where n.user_id = ${profiles.id} and n.settled_at is null)
  or exists (select 1 from gift_membership g left join memberships m on m.id = g.membership_id
             where g.buyer_id = ${profiles.id}
               and (g.status in ('ordered', 'paid', 'refunding') or g.disputed or m.status = 'active'))
)`;

const select = (db: Db | Tx, where: SQL | undefined) =>
  db
    .select({
      user_id: profiles.id,
      created_at: profiles.createdAt,
      last_used_at: sql<Date | null>`greatest(${profiles.last_sign_in_at},
        (select max(s.updated_at) from sessions s where s.user_id = ${profiles.id}))`.mapWith(
        sessions.updatedAt,
      ),
      membership_ended_on: sql<string | null>`greatest(
        (select max(m.end_date) from memberships m where m.customer_id in ${own}),
        (select max(s.ended_at)::date from household_seat s where s.customer_id in ${own}))::text`,
      noticed_at: profiles.retention_notice_at,
    })
    .from(profiles)
    .innerJoin(user_roles, and(eq(user_roles.user_id, profiles.id), eq(user_roles.role, 'customer')))
    .where(and(isNull(profiles.erased_at), sql`not ${engaged}`, where))
    .orderBy(asc(profiles.id));

/** Up to `limit` idle accounts made before `before`, in the order of their ids, after the given one. */
export const listIdleAccounts = (
  db: Db,
  { before, after, limit }: { before: Date; after: string | null; limit: number },
): Promise<IdleAccount[]> =>
  select(db, and(lt(profiles.createdAt, before), after ? gt(profiles.id, after) : undefined)).limit(limit);

/** The account if it is still idle; null otherwise. */
export async function findIdleAccount(db: Db | Tx, userId: string): Promise<IdleAccount | null> {
  const [row] = await select(db, eq(profiles.id, userId));
  return row ?? null;
}
