import type { MemberPayment } from '../../../contract/staff/refunds.ts';
import { startOfDay } from '../../../domain/calendar.ts';
import { paymentObstacle, type RefundablePayment } from '../../../domain/staff/refund.ts';
import type { Db } from '../../db/client.ts';
import { desc, eq, sql } from '../../db/orm.ts';
import { billing_payment, billing_refund, dues } from '../../db/schema.ts';
import { userOfMember } from '../../pours/member-user.ts';
import { isTierDifference, tierPaidFor } from '../../pours/tier-paid-for.ts';
import { periodOfPayment, readCardPeriods } from '../state/card-periods.ts';
import { unusedOf } from './unused-months.ts';

const SHOWN = 100;

/** A payment's row in the form the refund rules need. */
export function refundable(row: typeof billing_payment.$inferSelect, under_way: boolean): RefundablePayment {
  return {
    paid_cents: row.amount_paid_cents,
    refunded_cents: row.amount_refunded_cents,
    credited_cents: row.amount_credited_cents,
    disputed: row.status === 'disputed',
    unrefundable: row.unrefundable !== null,
    under_way,
  };
}

/** A member's payments for staff, from our own copy, latest first. Throws Refusal NOT_FOUND. */
export async function listMemberPayments(
  { db, now, venue }: { db: Db; now(): Date; venue: { time_zone: string } },
  { customer_id }: { customer_id: string },
): Promise<MemberPayment[]> {
  const user_id = await userOfMember(db, customer_id);
  const x = sql`(select ${billing_payment}.*) x`;
  const under_way = sql<boolean>`exists (select from ${x} join ${billing_refund} f on f.stripe_invoice_id = x.stripe_invoice_id
    where f.status = 'asked')`;
  const rows = await db
    .select({
      payment: billing_payment,
      year: dues,
      under_way,
      tier: sql<string | null>`(select ${tierPaidFor} from ${x})`,
      difference: sql<boolean>`(select ${isTierDifference} from ${x})`,
    })
    .from(billing_payment)
    .leftJoin(dues, eq(dues.id, billing_payment.dues_id))
    .where(eq(billing_payment.user_id, user_id))
    .orderBy(desc(billing_payment.created_at))
    .limit(SHOWN);
  const periods = await readCardPeriods(db, customer_id);
  const begins = (day: string) => startOfDay(day, venue.time_zone);
  const unused = new Map<string, MemberPayment['unused']>();
  for (const { payment } of rows) {
    const months = await unusedOf({ now, venue }, db, payment);
    if (months) {
      const { amount_cents: amount, until, back_to } = months;
      unused.set(payment.stripe_invoice_id, { months: months.months, amount, until, back_to });
    }
  }
  return rows.map(({ payment, year, under_way, tier, difference }) => {
    const period = year
      ? { tier: tier ?? '', starts_at: begins(year.paid_from), ends_at: begins(year.paid_until) }
      : periodOfPayment(periods, payment);
    return {
      id: payment.stripe_invoice_id,
      paid_at: payment.created_at.toISOString(),
      amount: payment.amount_paid_cents,
      amount_refunded: payment.amount_refunded_cents,
      amount_credited: payment.amount_credited_cents,
      currency: payment.currency,
      status: payment.status,
      paid_for: period
        ? {
            tier: tier ?? period.tier,
            from: period.starts_at.toISOString(),
            until: period.ends_at.toISOString(),
          }
        : null,
      difference: difference || year?.kind === 'difference',
      unused: unused.get(payment.stripe_invoice_id) ?? null,
      obstacle: paymentObstacle(refundable(payment, under_way)),
    };
  });
}
