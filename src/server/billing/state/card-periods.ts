import type { Db, Tx } from '../../db/client.ts';
import { and, asc, eq, isNotNull, type SQL, sql } from '../../db/orm.ts';
import { glass_change, glass_grant, memberships } from '../../db/schema.ts';

const HOUR_MS = 3_600_000;

/** The UTC day of an instant, by which the ledger identifies a card period that began then. */
export const periodDay = (starts_at: Date): string => starts_at.toISOString().slice(0, 10);

/**
 * Whether a line of a paid invoice is for a period. A trial that was extended has a line up to its first end; the line of one
 * that was ended early goes beyond it, and is for no later month.
 */
export const isForPeriod = (
  { start, end }: { start: Date; end: Date },
  { starts_at, ends_at }: { starts_at: Date; ends_at: Date },
): boolean =>
  start.getTime() === starts_at.getTime() ||
  (start <= starts_at && periodDay(start) === periodDay(starts_at) && end >= ends_at);

/** Whether a grant comes from a period's charge, paid or not. */
const isOfCharge: SQL = sql`${glass_grant.kind} in ('period', 'advance')`;

const isPaid: SQL = sql`(${glass_grant.kind} = 'period' or exists (
  select from ${glass_change} where ${glass_change.grant_id} = ${glass_grant.id} and ${glass_change.kind} = 'paid'))`;

/** Whether the subscription's running period is paid; null if no period of a charge runs. */
export async function isPeriodPaid(
  db: Db | Tx,
  {
    stripe_subscription_id,
    current_period_start,
  }: { stripe_subscription_id: string; current_period_start: Date },
): Promise<boolean | null> {
  const [period] = await db
    .select({ paid: sql<boolean>`${isPaid}` })
    .from(glass_grant)
    .innerJoin(memberships, eq(memberships.id, glass_grant.membership_id))
    .where(
      and(
        eq(memberships.stripe_subscription_id, stripe_subscription_id),
        eq(glass_grant.period, periodDay(current_period_start)),
        isOfCharge,
      ),
    );
  return period?.paid ?? null;
}

/** A card period: the grant of glasses from its charge, and later changes. */
export interface StoredPeriod {
  id: string;
  customer_id: string;
  membership_id: string;
  stripe_subscription_id: string;
  /** The day it began, in UTC. */
  period: string;
  starts_at: Date;
  ends_at: Date;
  tier: string;
  paid: boolean;
  /** Days of grace that applied when a failed renewal began. */
  grace_days: number | null;
  /** Glasses from the charge so far, without tier changes within the period. */
  charge_glasses: number;
  charge_rollable: number;
  /** Glasses that may roll over now, and the reduction because the payment was refunded or is disputed. */
  rollable: number;
  returned: number;
  /** The tier of the last change within the period, and when it took effect; null if there was none. */
  changed_to: string | null;
  changed_at: Date | null;
}

/** A member's card periods, oldest first, from our own rows. */
export async function readCardPeriods(db: Db | Tx, customer_id: string): Promise<StoredPeriod[]> {
  const { kind, glasses, rollable, valid_until, to_tier, prorated_at, created_at, id } = glass_change;
  const last = (column: typeof valid_until | typeof to_tier | typeof prorated_at, where: SQL) =>
    sql`(array_agg(${column} order by ${created_at} desc, ${id} desc) filter (where ${where}))[1]`;
  const ofCharge = sql`${kind} in ('paid', 'tier_known')`;
  const changes = db
    .select({
      ends_at: last(valid_until, sql`${valid_until} is not null`).as('ends_at'),
      tier: last(to_tier, sql`${to_tier} is not null and ${kind} <> 'tier_change'`).as('known_tier'),
      paid: sql`bool_or(${kind} = 'paid')`.as('was_paid'),
      charge_glasses: sql`sum(${glasses}) filter (where ${ofCharge})`.as('charge_glasses'),
      charge_rollable: sql`sum(${rollable}) filter (where ${ofCharge})`.as('charge_rollable'),
      rollable: sql`sum(${rollable})`.as('changed_rollable'),
      returned: sql`-sum(${rollable}) filter (where ${kind} in ('returned', 'kept'))`.as('returned'),
      changed_to: last(to_tier, sql`${kind} = 'tier_change'`).as('changed_to'),
      changed_at: last(prorated_at, sql`${kind} = 'tier_change'`).as('changed_at'),
    })
    .from(glass_change)
    .where(eq(glass_change.grant_id, glass_grant.id))
    .as('changes');
  const g = glass_grant;
  const rows = await db
    .select({
      id: g.id,
      customer_id: g.customer_id,
      membership_id: g.membership_id,
      stripe_subscription_id: memberships.stripe_subscription_id,
      period: g.period,
      starts_at: g.valid_from,
      ends_at: sql<Date>`coalesce(${changes.ends_at}, ${g.valid_until})`.mapWith(g.valid_until),
      tier: sql<string>`coalesce(${changes.tier}, ${g.tier})`,
      paid: sql<boolean>`${g.kind} = 'period' or coalesce(${changes.paid}, false)`,
      grace_days: g.grace_days,
      charge_glasses: sql<number>`(${g.glasses} + coalesce(${changes.charge_glasses}, 0))::integer`,
      charge_rollable: sql<number>`(${g.rollable} + coalesce(${changes.charge_rollable}, 0))::integer`,
      rollable: sql<number>`(${g.rollable} + coalesce(${changes.rollable}, 0))::integer`,
      returned: sql<number>`coalesce(${changes.returned}, 0)::integer`,
      changed_to: sql<string | null>`${changes.changed_to}`,
      changed_at: sql<Date | null>`${changes.changed_at}`.mapWith(prorated_at),
    })
    .from(g)
    .innerJoin(
      memberships,
      and(eq(memberships.id, g.membership_id), isNotNull(memberships.stripe_subscription_id)),
    )
    .leftJoinLateral(changes, sql`true`)
    .where(and(eq(g.customer_id, customer_id), isOfCharge))
    .orderBy(asc(g.valid_from));
  return rows.map((row) => ({ ...row, stripe_subscription_id: row.stripe_subscription_id ?? '' }));
}

/**
 * The period that a payment was for: the latest of its subscription that had begun. The first may be paid a moment before
 * it begins.
 */
export const periodOfPayment = (
  periods: readonly StoredPeriod[],
  { stripe_subscription_id, created_at }: { stripe_subscription_id: string | null; created_at: Date },
): StoredPeriod | undefined =>
  periods.findLast(
    (it) =>
      it.stripe_subscription_id === stripe_subscription_id &&
      it.starts_at.getTime() <= created_at.getTime() + HOUR_MS,
  );
