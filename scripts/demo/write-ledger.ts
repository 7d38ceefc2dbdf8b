import type { Tx } from '../../src/server/db/client.ts';
import { sql } from '../../src/server/db/orm.ts';

/**
 * Writes the glass ledger for memberships at the venue and pours inserted as rows: a grant for each month so far, and the
 * debits of each pour, in two statements. A month that is not paid is left to the product. Memberships with grants and pours with debits stay unchanged. No member may have
 * more pours in a month than the tier gives. Only the rest of the previous month may roll over: the product writes that
 * when it is needed.
 */
export async function writeLedger(
  tx: Pick<Tx, 'execute'>,
  { now, timeZone }: { now: Date; timeZone: string },
): Promise<void> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const midnight = (day: string) => sql`${sql.raw(day)}::timestamp at time zone ${timeZone}`;
  await tx.execute(sql`
    insert into glass_grant (id, customer_id, membership_id, kind, tier, glasses, rollable, period, valid_from, valid_until, created_at)
    select gen_random_uuid(), m.customer_id, m.id, 'period', m.tier, t.monthly_pours,
           case when w.next_end > ${at} then rollover_limit(m.tier, w.starts) else 0 end, d.day, w.starts, w.ends, w.starts
      from memberships m join tier_definitions t on t.tier_name = m.tier
     cross join lateral (select least(m.end_date - 1, (${at} at time zone ${timeZone})::date) as until) last
     cross join lateral generate_series(0, ((extract(year from last.until) - extract(year from m.start_date)) * 12
                                           + extract(month from last.until) - extract(month from m.start_date))::integer) n
     cross join lateral (select (m.start_date + make_interval(months => n))::date as day,
                                (m.start_date + make_interval(months => n + 1))::date as next_day,
                                (m.start_date + make_interval(months => n + 2))::date as day_after) d
     cross join lateral (select ${midnight('d.day')} as starts, ${midnight('d.next_day')} as ends,
                                ${midnight('d.day_after')} as next_end) w
     where m.stripe_subscription_id is null and d.day <= last.until and d.day < coalesce(m.paid_until, 'infinity') and d.day >= coalesce(m.counted_from, m.start_date)
       and not exists (select 1 from glass_grant g where g.membership_id = m.id)`);
  await tx.execute(sql`
    insert into glass_debit (grant_id, glasses, pour_id)
    select g.id, p.quantity, p.id
      from pours p
     cross join lateral (select g.id from glass_grant g
                          where g.customer_id = coalesce(p.pool_id, p.customer_id) and g.kind = 'period'
                            and g.valid_from <= p.created_at and g.valid_until > p.created_at
                          order by g.valid_from desc limit 1) g
     where not exists (select 1 from glass_debit d where d.pour_id = p.id)`);
}
