import { and, eq, gte, isNull, sql } from 'drizzle-orm';
import { addMonths, localDate, startOfDay } from '../../domain/calendar.ts';
import type { Tx } from '../db/client.ts';
import { hasValues, rowsOf } from '../db/results.ts';
import { allowance_period } from '../db/schema.ts';

/** A tier without pours never makes up for any. */
const MAX_CARRIED_MONTHS = 12;

type Stored = typeof allowance_period.$inferSelect;
type Period = Omit<Stored, 'carried_pours'>;

/** How many pours of earlier periods count in the one that starts then (docs/rules.md, "What a period gives"). */
async function carriedInto(tx: Tx, customerId: string, start: Date, timeZone: string): Promise<number> {
  const [row] = await rowsOf<{ carried: number }>(
    tx,
    sql`select carried_pours(${customerId}, ${start.toISOString()}::timestamptz, ${timeZone}) as carried`,
  );
  return row?.carried ?? 0;
}

/**
 * Stores a card period, or updates the row `known`: what is carried into it follows voids and late payments, and what was
 * paid stays paid, and the grace with which it began stays. Returns it.
 */
export async function storeCardPeriod(
  tx: Tx,
  period: Period,
  known: Stored | undefined,
  timeZone: string,
): Promise<Stored> {
  const carried_pours = await carriedInto(tx, period.customer_id, period.starts_at, timeZone);
  const values = { ...period, carried_pours };
  const { grace_days: _, ...changing } = values;
  if (known && hasValues(known, changing)) return known;
  await tx
    .insert(allowance_period)
    .values(values)
    .onConflictDoUpdate({
      target: [allowance_period.customer_id, allowance_period.starts_at],
      set: { ...changing, paid: sql`${allowance_period.paid} or excluded.paid` },
    });
  return values;
}

/**
 * Carries the unpaid pours of a former card member into the first period at the venue, and those that one period
 * cannot make up for into the next. Call it in the transaction in which the venue membership begins.
 */
export async function carryIntoVenuePeriods(
  { now, timeZone }: { now(): Date; timeZone: string },
  tx: Tx,
  { customer_id, tier }: { customer_id: string; tier: string },
): Promise<void> {
  const began = localDate(now(), timeZone);
  const monthStart = (months: number) => startOfDay(addMonths(began, months), timeZone);
  const isOfVenue = and(
    eq(allowance_period.customer_id, customer_id),
    isNull(allowance_period.stripe_subscription_id),
  );
  const isToday = and(isOfVenue, eq(allowance_period.starts_at, monthStart(0)));
  // A membership at the venue that began today and is over already made up for some of them.
  const again = (await tx.$count(allowance_period, isToday)) > 0;
  let carried_pours = await carriedInto(tx, customer_id, again ? now() : monthStart(0), timeZone);
  // Months of an earlier membership at the venue that never came.
  await tx.delete(allowance_period).where(and(isOfVenue, gte(allowance_period.starts_at, monthStart(0))));
  for (let months = 0; carried_pours > 0 && months < MAX_CARRIED_MONTHS; months++) {
    const ends_at = monthStart(months + 1);
    const period = { customer_id, starts_at: monthStart(months), ends_at, tier, paid: true, carried_pours };
    await tx.insert(allowance_period).values({ ...period, stripe_subscription_id: null });
    carried_pours = await carriedInto(tx, customer_id, ends_at, timeZone);
  }
}
