import { advanceOf, type ChangeKind } from '../../../domain/glasses.ts';
import type { Tx } from '../../db/client.ts';
import { sql } from '../../db/orm.ts';
import { rowsOf } from '../../db/results.ts';
import { glass_change, glass_grant } from '../../db/schema.ts';
import type { BillingDeps } from '../billing-context.ts';
import { periodDay, type StoredPeriod } from '../state/card-periods.ts';
import type { EvaluatedSubscription } from '../state/evaluate.ts';
import type { LocalState } from '../state/local-state.ts';

// Writes card periods into the ledger of glasses (docs/rules/glasses.md, "Glasses"); paid-periods.ts decides when.

const instant = (at: Date) => sql`${at.toISOString()}::timestamptz`;

/** The most glasses that roll over from a period that begins with a tier at that time. */
export async function rolloverLimit(tx: Tx, tier: string, at: Date): Promise<number> {
  const [row] = await rowsOf<{ most: number }>(
    tx,
    sql`select rollover_limit(${tier}, ${instant(at)}) as most`,
  );
  return row?.most ?? 0;
}

/** Settles what the member owes from earlier periods, as far as this period's glasses go. */
export const settleOwed = (tx: Tx, { id }: StoredPeriod) => tx.execute(sql`select settle_owed(${id})`);

/** Rewrites the reports' closed days on which this period, or the ones that settled its debts, ended. */
export const touchReports = (tx: Tx, { id }: StoredPeriod) =>
  tx.execute(sql`select touch_report_day(variadic grant_ends(${id}))`);

/** Glasses owed from earlier periods that this one settles. */
export async function owedFrom(tx: Tx, { id }: StoredPeriod): Promise<number> {
  const [row] = await rowsOf<{ owed: number }>(
    tx,
    sql`select coalesce(sum(glasses), 0)::integer as owed from glass_debit
         where grant_id = ${id} and owed_grant_id is not null`,
  );
  return row?.owed ?? 0;
}

/**
 * Grants a period's glasses: all of the tier that its charge paid for, or in advance the share for grace. Null for a period
 * that began in a pause: without a charge it gives nothing.
 */
export async function beginPeriod(
  tx: Tx,
  { now, newId, rules }: BillingDeps,
  { monthlyPours }: LocalState,
  { id: membership_id, customer_id }: { id: string; customer_id: string },
  row: EvaluatedSubscription['row'],
  paidTier: string | null,
): Promise<StoredPeriod | null> {
  const { stripe_subscription_id, current_period_start: starts_at, current_period_end: ends_at } = row;
  if (paidTier === null && row.paused_from && row.paused_from <= starts_at) return null;
  const tier = paidTier ?? row.tier;
  const { grace_days } = rules();
  const monthly = monthlyPours.get(tier) ?? 0;
  const paid = paidTier !== null;
  const glasses = paid ? monthly : advanceOf(monthly, grace_days, { start: starts_at, end: ends_at });
  const rollable = await rolloverLimit(tx, tier, starts_at);
  const period = periodDay(starts_at);
  const grant = { id: newId(), customer_id, membership_id, tier, period, grace_days, rollable };
  await tx.insert(glass_grant).values({
    ...grant,
    kind: paid ? 'period' : 'advance',
    glasses,
    valid_from: starts_at,
    valid_until: ends_at,
    created_at: now(),
  });
  const begun: StoredPeriod = {
    ...grant,
    stripe_subscription_id,
    starts_at,
    ends_at,
    paid,
    charge_glasses: glasses,
    charge_rollable: rollable,
    returned: 0,
    changed_to: null,
    changed_at: null,
  };
  await settleOwed(tx, begun);
  return begun;
}

type Change = Partial<
  Pick<typeof glass_change.$inferInsert, 'to_tier' | 'prorated_at' | 'tier_change_id'>
> & {
  kind: ChangeKind;
  glasses: number;
  rollable: number;
};

/** Writes a change of a period, and updates its rollable glasses in `period`. */
export async function addChange(tx: Tx, { now, newId }: BillingDeps, period: StoredPeriod, change: Change) {
  await tx.insert(glass_change).values({ id: newId(), grant_id: period.id, created_at: now(), ...change });
  period.rollable += change.rollable;
}

/** Sets the glasses of a period's charge from now on: of the paid tier, or the share of an unpaid one. */
export async function storeTier(
  tx: Tx,
  deps: BillingDeps,
  { monthlyPours }: LocalState,
  period: StoredPeriod,
  kind: 'paid' | 'tier_known',
  tier: string,
): Promise<void> {
  const monthly = monthlyPours.get(tier) ?? 0;
  const span = { start: period.starts_at, end: period.ends_at };
  const glasses = kind === 'paid' ? monthly : advanceOf(monthly, period.grace_days ?? 0, span);
  const rollable = await rolloverLimit(tx, tier, period.starts_at);
  await addChange(tx, deps, period, {
    kind,
    to_tier: tier,
    glasses: glasses - period.charge_glasses,
    rollable: rollable - period.charge_rollable,
  });
  Object.assign(period, { tier, charge_glasses: glasses, charge_rollable: rollable });
}

/** Stops glasses from rolling over while the payment is not the club's, and restores them once it is. */
export async function storeReturned(
  tx: Tx,
  deps: BillingDeps,
  period: StoredPeriod,
  returned: boolean,
): Promise<void> {
  const kind = returned ? 'returned' : 'kept';
  const rollable = returned ? -Math.max(0, period.rollable) : period.returned;
  if (rollable === 0) return;
  await addChange(tx, deps, period, { kind, glasses: 0, rollable });
  period.returned -= rollable;
}

/** Ends the current period when Stripe says, and one that overlaps it where it begins, as after an early end of a pause. */
export async function endPeriods(
  tx: Tx,
  { now }: BillingDeps,
  { periods }: LocalState,
  current: StoredPeriod | undefined,
  { starts_at, ends_at }: Pick<StoredPeriod, 'starts_at' | 'ends_at'>,
): Promise<void> {
  for (const it of periods) {
    const overlaps = it.starts_at < starts_at && it.ends_at > starts_at;
    const end = it === current ? ends_at : overlaps ? starts_at : it.ends_at;
    if (end.getTime() === it.ends_at.getTime()) continue;
    await tx.execute(sql`
      insert into glass_change (id, grant_id, kind, valid_until, created_at)
      select gen_random_uuid(), g.id, 'ended', ${instant(end)}, ${instant(now())} from glass_grant g
       where g.membership_id = ${it.membership_id} and g.period = ${it.period}`);
    it.ends_at = end;
    await touchReports(tx, it);
  }
}
