import { localDate } from '../../../domain/calendar.ts';
import { YEAR_MONTHS } from '../../../domain/membership/dues.ts';
import { type UnusedMonths, unusedMonths } from '../../../domain/membership/year.ts';
import type { Db, Tx } from '../../db/client.ts';
import { and, eq, isNotNull, or, sql } from '../../db/orm.ts';
import { type billing_payment, billing_refund, dues, memberships } from '../../db/schema.ts';
import { hasDifference } from '../../membership/dues/dues.ts';

/**
 * The months that can be refunded of a payment; null unless it is the last of a running membership, for a whole year or for the
 * difference to a dearer tier in one, and no pause is ahead or runs. `back_to`: the tier that comes back after them. Of a year,
 * they follow those of its differences, the last one first.
 */
export async function unusedOf(
  { now, venue }: { now(): Date; venue: { time_zone: string } },
  db: Db | Tx,
  payment: typeof billing_payment.$inferSelect,
): Promise<(UnusedMonths & { back_to: string | null }) | null> {
  if (payment.dues_id === null) return null;
  const isLast = and(
    eq(memberships.status, 'active'),
    sql`${memberships.paid_until} = (select moved_by_pauses(d) from dues d where d.id = ${dues.id})`,
    sql`not exists (select from dues_void v where v.dues_id = ${dues.id})`,
  );
  const isWhole = or(eq(dues.kind, 'difference'), eq(dues.months, YEAR_MONTHS));
  const [paid] = await db
    .select({ membership: memberships, entry: dues })
    .from(dues)
    .innerJoin(memberships, eq(memberships.id, dues.membership_id))
    .where(and(eq(dues.id, payment.dues_id), isWhole, isLast));
  if (!paid) return null;
  const { start_date, paid_until, paused_until, pending_tier, pending_from } = paid.membership;
  const { kind, months, from_tier: back_to, tier } = paid.entry;
  if (paid_until === null || (paused_until && paused_until > now())) return null;
  if (await hasDifference(db, paid.entry)) return null;
  // The tier that a later difference went back to goes further back; another one was scheduled by staff.
  const isBack = pending_tier === tier && pending_from !== null && pending_from < paid_until;
  if (kind === 'difference' && pending_tier !== null && !isBack) return null;
  const { amount_paid_cents: paid_cents, amount_refunded_cents, amount_credited_cents } = payment;
  const left_cents = paid_cents - amount_refunded_cents - amount_credited_cents;
  const today = localDate(now(), venue.time_zone);
  const unused = unusedMonths({ start_date, paid_until }, { months, paid_cents, left_cents }, today);
  return unused && { ...unused, back_to };
}

/** Whether staff refund unused months: what is left of a year is known once Stripe has made that, or refused. */
export async function isBeingShortened(tx: Tx, user_id: string): Promise<boolean> {
  const { status, unused_months } = billing_refund;
  const isUnderWay = and(eq(billing_refund.user_id, user_id), eq(status, 'asked'), isNotNull(unused_months));
  return (await tx.$count(billing_refund, isUnderWay)) > 0;
}
