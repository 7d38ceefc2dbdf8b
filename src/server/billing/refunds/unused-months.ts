import { localDate } from '../../../domain/calendar.ts';
import { YEAR_MONTHS } from '../../../domain/membership/dues.ts';
import { type UnusedMonths, unusedMonths } from '../../../domain/membership/year.ts';
import type { Db, Tx } from '../../db/client.ts';
import { and, eq, sql } from '../../db/orm.ts';
import { type billing_payment, dues, memberships } from '../../db/schema.ts';

/**
 * The months that can be refunded of a payment; null unless it is the last of a running membership, for a whole year, and no
 * pause is ahead or runs.
 */
export async function unusedOf(
  { now, venue }: { now(): Date; venue: { time_zone: string } },
  db: Db | Tx,
  payment: typeof billing_payment.$inferSelect,
): Promise<UnusedMonths | null> {
  if (payment.dues_id === null) return null;
  const isLast = and(
    eq(memberships.status, 'active'),
    sql`${memberships.paid_until} = (select moved_by_pauses(d) from dues d where d.id = ${dues.id})`,
  );
  const [year] = await db
    .select({ membership: memberships })
    .from(dues)
    .innerJoin(memberships, eq(memberships.id, dues.membership_id))
    .where(and(eq(dues.id, payment.dues_id), eq(dues.months, YEAR_MONTHS), isLast));
  const { start_date, paid_until = null, paused_until } = year?.membership ?? {};
  if (!start_date || paid_until === null || (paused_until && paused_until > now())) return null;
  const { amount_paid_cents: paid_cents, amount_refunded_cents, amount_credited_cents } = payment;
  const left_cents = paid_cents - amount_refunded_cents - amount_credited_cents;
  const today = localDate(now(), venue.time_zone);
  return unusedMonths({ start_date, paid_until }, { paid_cents, left_cents }, today);
}
