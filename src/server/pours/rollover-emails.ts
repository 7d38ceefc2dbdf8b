import { ROLLOVER_REMINDER_DAYS } from '../../domain/membership/rollover.ts';
import { pourCount } from '../../domain/pour.ts';
import type { Db } from '../db/client.ts';
import { sql } from '../db/orm.ts';
import { rowsOf } from '../db/results.ts';
import { emails } from '../mail/email-text.ts';
import { sendEmail } from '../mail/send-email.ts';
import { type PersonalMailContext, unsubscribeToken } from '../mail/unsubscribe.ts';

interface RolloverContext extends PersonalMailContext {
  db: Db;
  now(): Date;
}

interface Row {
  user_id: string;
  cause: string;
  left: number;
  /** Seconds since 1970. */
  ends_at: number;
}

/**
 * Emails members that last month's glasses end soon, once a period, from ROLLOVER_REMINDER_DAYS before it ends, unless they
 * want no personal emails. Both members of a household get one. Returns how many. docs/rules/glasses.md, "Glasses".
 */
export async function writeOfRollover(ctx: RolloverContext): Promise<number> {
  const at = ctx.now().toISOString();
  const until = new Date(ctx.now().getTime() + ROLLOVER_REMINDER_DAYS * 86_400_000).toISOString();
  const due = await rowsOf<Row>(
    ctx.db,
    sql`with member as (
          select c.id, c.user_id from customers c
            left join memberships m on m.customer_id = c.id and m.status = 'active'
            left join billing_subscription s on s.stripe_subscription_id = m.stripe_subscription_id
           where c.status = 'active' and exists (select from tier_rollover)
             and (m.stripe_subscription_id is null
               or s.current_period_end between ${at}::timestamptz and ${until}::timestamptz)
             and not exists (select from personal_email_answer o where o.user_id = c.user_id and not o.wanted)
        ), due as (
          select member.user_id, 'rollover:' || member.id || ':' || extract(epoch from a.period_start)::bigint as cause,
                 a.rolled_left as left, extract(epoch from a.period_end)::float8 as ends_at
            from member, member_allowance(member.id, ${at}::timestamptz, ${ctx.venue.time_zone}) a
           where a.rolled_left > 0
             and a.period_end > ${at}::timestamptz and a.period_end <= ${until}::timestamptz
        )
        select * from due where not exists (select from deliveries e where e.kind = 'email' and e.cause = due.cause)`,
  );
  for (const { user_id, cause, left, ends_at } of due) {
    const last = new Date(ends_at * 1000 - 1);
    const email = pourEmails.glasses_ending.about({ left, last });
    const token = unsubscribeToken(ctx.unsubscribeKey, user_id);
    await sendEmail(ctx, ctx.db, { user_id, cause, email, unsubscribeToken: token });
  }
  return due.length;
}

export const pourEmails = emails<{
  /** `last`: the last instant when they can be poured. */
  glasses_ending: { left: number; last: Date };
}>('membership', {
  glasses_ending: {
    personal: true,
    subject: ({ left }) => `Use your ${left === 1 ? 'pour' : 'pours'} from last month`,
    content: ({ left, last }, { day }) => [
      `You have ${pourCount(left)} left from last month, to use by ${day(last)}. ${left === 1 ? 'It is' : 'They are'} used first, so just show your card.`,
    ],
    values: ({ last }, { day }) => ({ date: day(last) }),
    sample: { left: 2, last: new Date('2026-08-13T16:00:00Z') },
  },
});
