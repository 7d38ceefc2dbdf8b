import { GLASSES_REMINDER_DAYS, glassesLeftMessage } from '../../domain/push/push-message.ts';
import type { Db } from '../db/client.ts';
import { sql } from '../db/orm.ts';
import { rowsOf } from '../db/results.ts';
import { deliveries } from '../db/schema.ts';
import type { Venue } from '../mail/email.ts';
import { isOfCause, type PushOutbox } from '../push/push-outbox.ts';

export const REMIND_OF_GLASSES_EVERY_MS = 3_600_000;

interface GlassesContext {
  db: Db;
  push: PushOutbox;
  venue: Venue;
  now(): Date;
}

interface Row {
  user_id: string;
  cause: string;
  /** Seconds since 1970. */
  resets_at: number;
}

/**
 * Notifies members with a device that they have glasses left, once a period, from GLASSES_REMINDER_DAYS before it ends.
 * Returns how many. docs/rules/emails.md, "Notifications on a device".
 */
export async function remindOfGlasses({ db, push, venue, now }: GlassesContext): Promise<number> {
  const at = now();
  const until = new Date(at.getTime() + GLASSES_REMINDER_DAYS * 86_400_000);
  // Card periods store their end; only the few due ones, and the venue's, are counted.
  const due = await rowsOf<Row>(
    db,
    sql`with member as (
          select c.id, c.user_id from customers c
            left join memberships m on m.customer_id = c.id and m.status = 'active'
            left join billing_subscription s on s.stripe_subscription_id = m.stripe_subscription_id
           where c.status = 'active' and exists (select from push_device d where d.user_id = c.user_id)
             and (m.stripe_subscription_id is null
               or s.current_period_end between ${at.toISOString()}::timestamptz and ${until.toISOString()}::timestamptz)
        ), due as (
          select member.user_id, 'glasses:' || member.id || ':' || extract(epoch from a.period_start)::bigint as cause,
                 extract(epoch from a.period_end)::float8 as resets_at
            from member, member_allowance(member.id, ${at.toISOString()}::timestamptz, ${venue.time_zone}) a
           where a.access and a.available > 0
             and a.period_end > ${at.toISOString()}::timestamptz and a.period_end <= ${until.toISOString()}::timestamptz
        )
        select * from due
         where not exists (select from ${deliveries} where ${isOfCause(sql`due.user_id`, sql`due.cause`)})`,
  );
  const day = new Intl.DateTimeFormat('en-US', { month: 'long', day: 'numeric', timeZone: venue.time_zone });
  let count = 0;
  for (const { user_id, cause, resets_at } of due) {
    const expires_at = new Date(resets_at * 1000);
    const message = glassesLeftMessage(venue.club_name, day.format(expires_at));
    const devices = await db.transaction((tx) => push.enqueue(tx, { user_id, cause, message, expires_at }));
    if (devices > 0) count += 1;
  }
  return count;
}
