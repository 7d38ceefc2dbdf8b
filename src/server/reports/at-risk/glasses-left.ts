import { sql } from 'drizzle-orm';
import { UNUSED_DAYS } from '../../../domain/reports/at-risk.ts';
import type { Db, Tx } from '../../db/client.ts';
import { rowsOf } from '../../db/results.ts';

/**
 * The customers with a membership of their own whose billing period ends within UNUSED_DAYS and who have at least half of its glasses
 * left: all of them, or the one that is asked for. What member_allowance says of each
 * (db/functions/allowance.sql), for all at once: the pours of one month lie together in the ledger. Where a period is not
 * known or not paid yet, member_allowance itself is asked. tests/server/pours/allowance-agreement.test.ts holds the two together.
 */
export async function findGlassesLeft(
  db: Db | Tx,
  { now, timeZone, only }: { now: Date; timeZone: string; only?: string | undefined },
): Promise<Set<string>> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const until = sql`(${at} + make_interval(hours => ${UNUSED_DAYS * 24}::integer))`;
  const one = only ? sql`and c.id = ${only}::uuid` : sql``;
  const rows = await rowsOf<{ id: string }>(
    db,
    sql`with member as (
          select c.id, c.tier, m.start_date, m.stripe_subscription_id as subscription, m.ends_on, d.today,
                 s.current_period_start, s.current_period_end, s.access_until,
                 ((extract(year from d.today) - extract(year from m.start_date)) * 12
                   + extract(month from d.today) - extract(month from m.start_date))::integer as months
            from customers c join memberships m on m.customer_id = c.id and m.status = 'active'
            left join billing_subscription s on s.stripe_subscription_id = m.stripe_subscription_id
            cross join (select (${at} at time zone ${timeZone})::date as today) d
           where c.status = 'active' ${one}
        ), venue as (
          select member.*, months + ((start_date + make_interval(months => months))::date <= today)::integer as n
            from member where subscription is null and (ends_on is null or today < ends_on)
        ), period as materialized (
          select v.id, v.tier, v.starts, v.ends, coalesce(a.carried_pours, 0) as carried, a.tier as began_with, a.starts_at
            from (select id, tier, (start_date + make_interval(months => n - 1)) at time zone ${timeZone} as starts,
                         (start_date + make_interval(months => n)) at time zone ${timeZone} as ends
                    from venue) v
            left join allowance_period a on a.customer_id = v.id and a.starts_at = v.starts
                  and a.stripe_subscription_id is null
           where v.ends <= ${until}
           union all
          select c.id, c.tier, c.current_period_start, c.current_period_end, a.carried_pours, a.tier, a.starts_at
            from member c join allowance_period a on a.customer_id = c.id and a.starts_at = c.current_period_start
                  and a.stripe_subscription_id = c.subscription and a.paid
           where c.access_until > ${at} and c.current_period_end > ${at} and c.current_period_end <= ${until}
        ), moved as (
          select period.id, p.quantity as used, 0 as added from period
            join pours p on p.customer_id = period.id and p.pool_id is null
             and p.created_at >= period.starts and p.created_at < period.ends
           where p.created_at >= (select min(starts) from period)
             and not exists (select from pour_voids v where v.pour_id = p.id)
           union all
          select period.id, p.quantity, 0 from period
            join pours p on p.pool_id = period.id and p.created_at >= period.starts and p.created_at < period.ends
           where not exists (select from pour_voids v where v.pour_id = p.id)
           union all
          select period.id, 1, 0 from period
            join guest_glass g on g.pool_id = period.id and g.created_at >= period.starts and g.created_at < period.ends
             and g.expires_at > ${at} and g.withdrawn_at is null and g.pour_id is null
           union all
          select period.id, 0, g.glasses from period
            join allowance_gift g on g.customer_id = period.id and g.created_at >= period.starts and g.created_at < period.ends
           union all
          select period.id, 0, x.glasses from period
            join allowance_change x on x.customer_id = period.id and x.period_starts_at = period.starts_at
        ), summed as (
          select id, sum(used) as used, sum(added) as added from moved group by 1
        ), balance as (
          select period.*, t.monthly_pours + coalesce(s.added, 0) + coalesce(r.glasses, 0) as gives,
                 coalesce(s.used, 0) + carried as used, r.glasses is null as may_roll
            from period join tier_definitions t on t.tier_name = coalesce(period.began_with, period.tier)
            left join summed s on s.id = period.id
            left join allowance_rollover r on r.customer_id = period.id and r.period_starts_at = period.starts
        )
        select id from balance
         where gives > used and gives >= 2 * used
            -- What rolled over and is not written down yet matters to few of the others.
            or may_roll and 2 * used - gives <= (select max(glasses) from tier_rollover)
               and exists (select from rolled_over(id, starts, ${timeZone}) o
                            where gives + o.glasses > used and gives + o.glasses >= 2 * used)
         union all
        select c.id from member c
          left join allowance_period a on a.customer_id = c.id and a.starts_at = c.current_period_start
               and a.stripe_subscription_id = c.subscription and a.paid
         cross join lateral member_allowance(c.id, ${at}, ${timeZone}) has
         where c.subscription is not null and c.access_until > ${at}
           and (a.customer_id is null or c.current_period_end <= ${at})
           and has.available > 0 and 2 * has.available >= has.tier_max and has.period_end <= ${until}`,
  );
  return new Set(rows.map(({ id }) => id));
}
