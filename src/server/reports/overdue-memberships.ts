import type { LocalDate } from '../../domain/calendar.ts';
import { sql } from '../db/orm.ts';

/** Memberships `m` with an overdue payment of their subscription `s`, for a `from`. */
export const OVERDUE_MEMBERSHIPS = sql`(select * from memberships where status = 'active') m
  join billing_subscription s on s.stripe_subscription_id = m.stripe_subscription_id and s.status = 'past_due'`;

/** Memberships at the venue `m` whose dues are overdue on a day, for a `from`: duesState() in domain/membership/dues.ts. */
export const overdueAtVenue = (today: LocalDate) => sql`(select * from memberships
  where status = 'active' and paid_until <= ${today}::date and grace_until > ${today}::date
    and (ends_on is null or ends_on > paid_until)) m`;
