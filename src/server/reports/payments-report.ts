import { sql } from 'drizzle-orm';
import type { PaymentsReport } from '../../contract/staff/reports.ts';
import { addDays, startOfDay } from '../../domain/calendar.ts';
import type { ReportRange } from '../../domain/reports/report-range.ts';
import { rowsOf } from '../db/results.ts';
import type { Db } from '../db/transaction.ts';
import { isoInstant } from '../platform/sql-text.ts';
import type { ReportsContext } from './reports-context.ts';

type Charge = PaymentsReport['charges'][number];
type Approval = PaymentsReport['approvals'][number];

/** Rows shown on a page; files have all. */
const SHOWN = 300;

/**
 * Members' payments in a range: charges through Stripe, for memberships and gifts, and memberships approved for a payment
 * at the till, each with its reference. Latest first, with totals. docs/rules/reports.md, "Reports".
 */
export function reportPayments(
  ctx: ReportsContext,
  range: ReportRange,
  limit: number | null = SHOWN,
): Promise<PaymentsReport> {
  const { currency } = ctx;
  return ctx.readLagging(async (db) => {
    const charges = await chargesOf(db, ctx, range, limit);
    const approvals = await approvalsOf(db, ctx, range, limit);
    return {
      currency,
      charged: charges.sums,
      approved: approvals.sums,
      charges: charges.rows,
      approvals: approvals.rows,
    };
  });
}

/** Each row includes the totals of all rows. */
interface Summed {
  all_rows: number;
  all_cents: number;
}

function split<Row extends object>(found: (Row & Summed)[]) {
  const [first] = found;
  return {
    sums: { count: first?.all_rows ?? 0, cents: first?.all_cents ?? 0 },
    rows: found.map(({ all_rows: _, all_cents: __, ...row }) => row as unknown as Row),
  };
}

async function chargesOf(db: Db, ctx: ReportsContext, range: ReportRange, limit: number | null) {
  const from = startOfDay(range.from, ctx.timeZone).toISOString();
  const until = startOfDay(addDays(range.to, 1), ctx.timeZone).toISOString();
  const isIn = (at: ReturnType<typeof sql>) =>
    sql`${at} >= ${from}::timestamptz and ${at} < ${until}::timestamptz`;
  return split(
    await rowsOf<Charge & Summed>(
      db,
      sql`with charge as (
            select x.stripe_invoice_id as id, 'membership' as paid_for, x.created_at as at, x.user_id, x.status,
                   x.amount_paid_cents as cents, x.amount_refunded_cents as refunded_cents, x.currency
              from billing_payment x where ${isIn(sql`x.created_at`)}
            union all
            select g.id::text, 'gift', g.paid_at, g.buyer_id,
                   case when g.disputed then 'disputed' when g.refunded_cents = 0 then 'paid'
                        when g.refunded_cents < g.paid_cents then 'partially_refunded' else 'refunded' end,
                   g.paid_cents, g.refunded_cents, g.currency
              from gift_membership g where ${isIn(sql`g.paid_at`)} and g.paid_cents is not null
          )
          select charge.id, paid_for, ${isoInstant(sql`at`)} as at, user_id, status, cents, refunded_cents, currency,
                 trim(p.first_name || ' ' || p.last_name) as name,
                 count(*) over ()::integer as all_rows,
                 (coalesce(sum(cents - refunded_cents) filter (where currency = ${ctx.currency}) over (), 0))::float8 as all_cents
            from charge left join profiles p on p.id = charge.user_id
           order by charge.at desc, charge.id desc limit ${limit}::integer`,
    ),
  );
}

/** Excludes imported references: those payments were made elsewhere. */
async function approvalsOf(db: Db, { timeZone }: ReportsContext, range: ReportRange, limit: number | null) {
  return split(
    await rowsOf<Approval & Summed>(
      db,
      sql`select m.id, to_char(m.start_date, 'YYYY-MM-DD') as day, ${isoInstant(sql`a.reviewed_at`)} as at, c.user_id,
                 trim(p.first_name || ' ' || p.last_name) as name, trim(s.first_name || ' ' || s.last_name) as by,
                 m.toast_reference_number as reference, m.tier, m.monthly_price_cents as cents,
                 count(*) over ()::integer as all_rows, (sum(m.monthly_price_cents) over ())::float8 as all_cents
            from memberships m join customers c on c.id = m.customer_id join profiles p on p.id = c.user_id
            left join profiles s on s.id = m.recorded_by_staff_id
            left join lateral (
              select x.reviewed_at from membership_applications x
               where x.user_id = c.user_id and x.status = 'approved' and x.reviewed_by_staff_id = m.recorded_by_staff_id
                 and (x.reviewed_at at time zone ${timeZone})::date = m.start_date
               order by x.reviewed_at desc limit 1) a on true
           where m.toast_reference_number is not null and m.counted_from is null
             and m.start_date between ${range.from}::date and ${range.to}::date
           order by m.start_date desc, a.reviewed_at desc nulls last, m.id desc limit ${limit}::integer`,
    ),
  );
}
