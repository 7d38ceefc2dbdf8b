import type { PaymentsReport } from '../../contract/staff/reports.ts';
import { addDays, localDate, startOfDay } from '../../domain/calendar.ts';
import type { PaymentFilter } from '../../domain/reports/payment-list.ts';
import type { ReportRange } from '../../domain/reports/report-range.ts';
import { sql } from '../db/orm.ts';
import { rowsOf } from '../db/results.ts';
import { isoInstant } from '../platform/sql-text.ts';
import { refundsOfPayment } from '../pours/payment-refunds.ts';
import { tierPaidFor } from '../pours/tier-paid-for.ts';
import { OVERDUE_MEMBERSHIPS, overdueAtVenue } from './overdue-memberships.ts';
import type { ReportsContext } from './reports-context.ts';

type Line = PaymentsReport['payments'][number];

/** Rows shown on a page; the file has all. */
const SHOWN = 300;

/**
 * Payments in a range: through Stripe, for memberships and gifts; memberships approved for a payment at the till, each with
 * its reference; and, only if `state` asks for them, payments that are overdue. Latest first, with totals of the whole
 * range, whatever the kind and state. docs/rules/reports.md, "Reports".
 */
export function reportPayments(
  ctx: ReportsContext,
  { kind, state, ...range }: ReportRange & PaymentFilter,
  limit: number | null = SHOWN,
): Promise<PaymentsReport> {
  const { currency } = ctx;
  return ctx.readLagging(async (db) => {
    const lines = linesOf(ctx, range);
    const rows = await rowsOf<Line & { found: number }>(
      db,
      sql`with line as (${lines})
          select line.id, kind, state, to_char(day, 'YYYY-MM-DD') as day, ${isoInstant(sql`at`)} as at, user_id,
                 trim(p.first_name || ' ' || p.last_name) as name, tier, cents, refunded_cents, tax_cents, currency, reference,
                 (select trim(s.first_name || ' ' || s.last_name) from profiles s where s.id = by_id) as by,
                 count(*) over ()::integer as found
            from line left join profiles p on p.id = line.user_id
           where ${state ? sql`state = ${state}` : sql`state <> 'overdue'`} ${kind ? sql`and kind = ${kind}` : sql``}
           order by line.day desc, line.at desc nulls last, line.id desc limit ${limit}::integer`,
    );
    const sums = await rowsOf<{ of: keyof PaymentsReport['sums']; count: number; cents: number }>(
      db,
      sql`with line as (${lines}),
          part (of, cents, currency) as (
            select case when kind = 'till' then 'till' else 'card' end, cents - refunded_cents, currency
              from line where state <> 'overdue'
            union all select 'refunded', refunded_cents, currency from line where refunded_cents > 0
            union all select state, cents - refunded_cents, currency from line where state in ('disputed', 'overdue')
          )
          select of, count(*)::integer as count,
                 (coalesce(sum(cents) filter (where currency = ${currency}), 0))::float8 as cents from part group by of`,
    );
    const zero = { count: 0, cents: 0 };
    const sum = Object.fromEntries(sums.map(({ of, ...it }) => [of, it]));
    return {
      currency,
      sums: {
        card: sum.card ?? zero,
        till: sum.till ?? zero,
        refunded: sum.refunded ?? zero,
        disputed: sum.disputed ?? zero,
        overdue: sum.overdue ?? zero,
      },
      found: rows[0]?.found ?? 0,
      payments: rows.map(({ found: _, ...line }) => line),
    };
  });
}

/** A refund, by the day on which it was made; by the day of its payment if Stripe's dashboard made it. */
interface RefundLine {
  /** The id of the Stripe invoice or the gift. */
  id: string;
  kind: Line['kind'];
  day: string;
  at: string;
  tier: string | null;
  cents: number;
  /** The share of the payment's tax; null if that is not known. */
  tax_cents: number | null;
  currency: string;
  by: string | null;
}

/** The refunds in a range, whenever their payments were, the latest first. */
export function listRefunds(
  { readLagging, venue }: ReportsContext,
  { from, to, kind }: ReportRange & PaymentFilter,
): Promise<RefundLine[]> {
  const start = startOfDay(from, venue.time_zone).toISOString();
  const end = startOfDay(addDays(to, 1), venue.time_zone).toISOString();
  return readLagging((db) =>
    rowsOf<RefundLine>(
      db,
      sql`with refund as (
            select x.stripe_invoice_id as id, 'membership' as kind, r.at, ${tierPaidFor} as tier, r.cents,
                   round(x.amount_tax_cents::numeric * r.cents / nullif(x.amount_paid_cents, 0))::integer as tax_cents,
                   x.currency, r.by_id
              from billing_payment x cross join lateral (${refundsOfPayment}) r where x.amount_refunded_cents > 0
            union all
            select g.id::text, 'gift', coalesce(g.refunded_at, g.paid_at), g.tier, g.refunded_cents, null, g.currency,
                   g.refunded_by_staff_id
              from gift_membership g where g.refunded_cents > 0 and g.paid_at is not null
          )
          select id, kind, to_char(at at time zone ${venue.time_zone}, 'YYYY-MM-DD') as day, ${isoInstant(sql`at`)} as at, tier, cents,
                 tax_cents, currency, (select trim(s.first_name || ' ' || s.last_name) from profiles s where s.id = by_id) as by
            from refund
           where at >= ${start}::timestamptz and at < ${end}::timestamptz ${kind ? sql`and kind = ${kind}` : sql``}
           order by refund.at desc, id desc`,
    ),
  );
}

/** Approvals from before dues were counted are payments too; imported references are not, because those were made elsewhere. */
function linesOf({ now, venue, currency }: ReportsContext, { from, to }: ReportRange) {
  const start = startOfDay(from, venue.time_zone).toISOString();
  const end = startOfDay(addDays(to, 1), venue.time_zone).toISOString();
  const isIn = (at: ReturnType<typeof sql>) =>
    sql`${at} >= ${start}::timestamptz and ${at} < ${end}::timestamptz`;
  const dayOf = (at: ReturnType<typeof sql>) => sql`(${at} at time zone ${venue.time_zone})::date`;
  return sql`
    select x.stripe_invoice_id as id, 'membership' as kind,
           case x.status when 'partially_refunded' then 'refunded' else x.status end as state,
           ${dayOf(sql`x.created_at`)} as day, x.created_at as at, x.user_id, ${tierPaidFor} as tier,
           x.amount_paid_cents as cents, x.amount_refunded_cents as refunded_cents, x.amount_tax_cents as tax_cents, x.currency, null::text as reference,
           null::uuid as by_id
      from billing_payment x where ${isIn(sql`x.created_at`)}
    union all
    select g.id::text, 'gift', case when g.disputed then 'disputed' when g.refunded_cents > 0 then 'refunded' else 'paid' end,
           ${dayOf(sql`g.paid_at`)}, g.paid_at, g.buyer_id, g.tier, g.paid_cents, g.refunded_cents, null, g.currency, null, null
      from gift_membership g where ${isIn(sql`g.paid_at`)} and g.paid_cents is not null
    union all
    select d.id::text, 'till', 'paid', d.paid_on, d.created_at, c.user_id, coalesce(d.tier, m.tier), d.amount_cents, 0, null, ${currency}, d.reference,
           d.recorded_by_staff_id
      from dues d join memberships m on m.id = d.membership_id join customers c on c.id = d.customer_id
     where d.kind in ('payment', 'difference') and d.method is distinct from 'online' and d.paid_on between ${from}::date and ${to}::date
       and not exists (select from dues_void v where v.dues_id = d.id)
    union all
    select m.id::text, 'till', 'paid', m.start_date, a.reviewed_at, c.user_id, m.tier, m.monthly_price_cents, 0, null,
           ${currency}, m.toast_reference_number, m.recorded_by_staff_id
      from memberships m join customers c on c.id = m.customer_id
      left join lateral (
        select x.reviewed_at from membership_applications x
         where x.user_id = c.user_id and x.status = 'approved' and x.reviewed_by_staff_id = m.recorded_by_staff_id
           and ${dayOf(sql`x.reviewed_at`)} = m.start_date
         order by x.reviewed_at desc limit 1) a on true
     where m.toast_reference_number is not null and m.counted_from is null
       and not exists (select from dues d where d.membership_id = m.id and d.kind = 'payment' and d.paid_from = m.start_date)
       and m.start_date between ${from}::date and ${to}::date
    union all
    select s.stripe_subscription_id, 'membership', 'overdue', ${dayOf(sql`s.current_period_start`)}, s.current_period_start,
           s.user_id, s.tier, s.amount_cents, 0, null, s.currency, null, null
      from ${OVERDUE_MEMBERSHIPS} where ${isIn(sql`s.current_period_start`)}
    union all
    select m.id::text, 'till', 'overdue', m.paid_until, null, c.user_id, m.tier,
           case when m.pending_from <= m.paid_until then m.pending_price_cents else m.monthly_price_cents end, 0, null,
           ${currency}, null, null
      from ${overdueAtVenue(localDate(now(), venue.time_zone))} join customers c on c.id = m.customer_id
     where m.paid_until between ${from}::date and ${to}::date`;
}
