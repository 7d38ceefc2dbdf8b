import { DUES_DUE_DAYS } from '../../src/domain/membership/dues.ts';
import type { Tx } from '../../src/server/db/client.ts';
import { sql } from '../../src/server/db/orm.ts';

/** Members who are due, and those who are overdue: each gets an email. */
const FEW = 4;
/** The share of memberships from before payments were counted. */
const ONE_IN_NOT_COUNTED = 20;

interface DuesOptions {
  now: Date;
  timeZone: string;
  grace_days: number;
  recorded_by: string;
}

/**
 * Writes the last payment of each active membership inserted as a row: most are paid, a few due, overdue or not counted.
 * Before the ledger, which grants paid months only; so only members who have poured nothing this month are overdue.
 */
export async function writeDues(
  tx: Pick<Tx, 'execute'>,
  { now, timeZone, grace_days, recorded_by }: DuesOptions,
): Promise<void> {
  const today = sql`(${now.toISOString()}::timestamptz at time zone ${timeZone})::date`;
  const after = (months: string) => sql`(m.start_date + make_interval(months => ${sql.raw(months)}))::date`;
  const few = sql`${FEW}::integer`;
  await tx.execute(sql`
    with current as (
      select m.*, n.n, ${after('n.n')} as month, ${after('n.n + 1')} as next_month,
             row_number() over (order by m.start_date, m.toast_reference_number) as nth
        from memberships m
       cross join lateral (select max(n) as n from generate_series(0, 24) n where ${after('n')} <= ${today}) n
       where m.status = 'active' and m.stripe_subscription_id is null and m.paid_until is null
    ), counted as (
      select m.*, m.n > 0 and m.month > ${today} - ${grace_days}::integer and not exists (
                    select from pours p where p.customer_id = m.customer_id
                       and p.created_at >= m.month::timestamp at time zone ${timeZone}) as may_be_late,
             m.next_month <= ${today} + ${DUES_DUE_DAYS}::integer as is_last_week
        from current m where m.nth % ${ONE_IN_NOT_COUNTED}::integer <> 0
    ), ranked as (
      select m.*, row_number() over (partition by m.may_be_late, m.is_last_week order by m.nth) as place from counted m
    ), payment as (
      select m.id, m.customer_id, m.monthly_price_cents, m.nth, p.months,
             ${after('m.n - p.late')} as paid_from, ${after('m.n - p.late + p.months')} as paid_until
        from ranked m
       cross join lateral (select case when m.may_be_late and m.place <= ${few} then 1 else 0 end as late,
                                  case when m.may_be_late and m.place <= ${few} or m.is_last_week and m.place <= ${few}
                                       then 1 when m.is_last_week or m.nth % 3 = 0 then 3 else 1 end as months) p
    ), stored as (
      insert into dues (id, request_id, customer_id, membership_id, kind, reference, amount_cents, months, method, paid_on,
                        paid_from, paid_until, recorded_by_staff_id, created_at)
      select gen_random_uuid(), gen_random_uuid(), p.customer_id, p.id, 'payment', 'T-' || 20000 + p.nth,
             p.months * p.monthly_price_cents, p.months, (array['card_machine', 'cash', 'transfer'])[1 + p.nth % 3],
             p.paid_from, p.paid_from, p.paid_until, ${recorded_by}::uuid,
             least(${now.toISOString()}::timestamptz, (p.paid_from + interval '18 hours') at time zone ${timeZone})
        from payment p returning membership_id, paid_until
    )
    update memberships m set paid_until = s.paid_until, grace_until = s.paid_until + ${grace_days}::integer
      from stored s where s.membership_id = m.id`);
}
