import { localDate } from '../../../domain/calendar.ts';
import { YEAR_MONTHS } from '../../../domain/membership/dues.ts';
import { type UnusedMonths, unusedMonths } from '../../../domain/membership/year.ts';
import type { Db, Tx } from '../../db/client.ts';
import { and, eq } from '../../db/orm.ts';
import { type billing_payment, dues, memberships } from '../../db/schema.ts';

/** The months that can be refunded of a payment; null unless it is the last of a running membership, for a whole year. */
export async function unusedOf(
  { now, venue }: { now(): Date; venue: { time_zone: string } },
  db: Db | Tx,
  payment: typeof billing_payment.$inferSelect,
): Promise<UnusedMonths | null> {
  if (payment.dues_id === null) return null;
  const isLast = and(eq(memberships.status, 'active'), eq(memberships.paid_until, dues.paid_until));
  const [year] = await db
    .select({ paid_from: dues.paid_from, start_date: memberships.start_date })
    .from(dues)
    .innerJoin(memberships, eq(memberships.id, dues.membership_id))
    .where(and(eq(dues.id, payment.dues_id), eq(dues.months, YEAR_MONTHS), isLast));
  if (!year) return null;
  const { amount_paid_cents: paid_cents, amount_refunded_cents, amount_credited_cents } = payment;
  const left_cents = paid_cents - amount_refunded_cents - amount_credited_cents;
  return unusedMonths(year, { paid_cents, left_cents }, localDate(now(), venue.time_zone));
}
