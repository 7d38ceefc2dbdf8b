import { type SQL, sql } from '../db/orm.ts';

/** A row `f` of billing_refund that staff ordered, and Stripe made, of a row `x` of billing_payment. */
const byStaff = sql`f.stripe_invoice_id = x.stripe_invoice_id and f.status = 'done' and f.asked_by_staff_id is not null`;

/**
 * What is refunded of a row `x` of billing_payment without an entry of staff: by a reversal, or at Stripe. Columns `cents`,
 * `at` and `reason`, the reversal's; Stripe's dashboard tells us no day, so those have the payment's.
 */
export const returnedOfPayment: SQL = sql`
  select rest.cents, coalesce(f.returned_because, r.reason) as reason,
         greatest(x.created_at, coalesce(f.settled_at, r.done_at, x.created_at)) as at
    from (select x.amount_refunded_cents
                 - (select coalesce(sum(f.refunded_cents), 0) from billing_refund f where ${byStaff})::integer as cents) rest
    left join billing_reversal r on r.stripe_subscription_id = x.stripe_subscription_id
                                and r.refund_from <= x.created_at
    left join billing_refund f on f.stripe_invoice_id = x.stripe_invoice_id and f.status = 'done'
                              and f.asked_by_staff_id is null
   where rest.cents > 0`;

/** All refunds of a row `x` of billing_payment: `cents`, `at` and the staff member `by_id`, if one asked for it. */
export const refundsOfPayment: SQL = sql`
  select f.refunded_cents as cents, f.settled_at as at, f.asked_by_staff_id as by_id
    from billing_refund f where ${byStaff}
  union all
  select t.cents, t.at, null::uuid from (${returnedOfPayment}) t`;
