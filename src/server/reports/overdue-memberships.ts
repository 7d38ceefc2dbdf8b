import { sql } from '../db/orm.ts';

/** Memberships `m` with an overdue payment of their subscription `s`, for a `from`. */
export const OVERDUE_MEMBERSHIPS = sql`(select * from memberships where status = 'active') m
  join billing_subscription s on s.stripe_subscription_id = m.stripe_subscription_id and s.status = 'past_due'`;
