import { and, desc, eq, gt, gte, inArray, isNotNull, lt, notInArray, or } from 'drizzle-orm';
import { periodPours, proratedPours } from '../../../domain/allowance.ts';
import { isReturned } from '../../../domain/membership/rollover.ts';
import type { Tx } from '../../db/client.ts';
import { allowance_change, allowance_period, tier_change, tier_definitions } from '../../db/schema.ts';
import { storeCardPeriod } from '../../pours/allowance-periods.ts';
import type { BillingDeps } from '../billing-context.ts';
import type { LocalState, StoredSubscription } from './evaluate.ts';
import { paymentStatus } from './payments.ts';
import type { FetchedPayment, PaidPeriod, StripeSnapshot } from './stripe-snapshot.ts';

type Row = Omit<StoredSubscription, 'access_until'>;
type Period = typeof allowance_period.$inferSelect;

/** What a period gives, and what this reconciliation changed in it. */
export interface StoredAllowance {
  changed: boolean;
  /** The pours that a tier change within the period added, if one was seen now. */
  added: number | null;
  carried_pours: number;
  /** What the period gives while it is unpaid. */
  unpaid_pours: number;
  /** Of the tier. */
  monthly_pours: number;
}

/** What paid for a period, and whether that was given back whole, or is disputed. */
interface Charge extends PaidPeriod {
  returned: boolean;
}

const wasReturned = (payment: FetchedPayment) => isReturned(paymentStatus(payment, payment.disputed));

/** The regular charge that paid for a period; null if none did. Of its lines, the tier's and not an add-on's. */
function chargeFor(
  { payments }: StripeSnapshot,
  { tierOfPrice }: LocalState,
  {
    stripe_subscription_id,
    starts_at,
    ends_at,
  }: Pick<Period, 'stripe_subscription_id' | 'starts_at' | 'ends_at'>,
): Charge | null {
  const own = payments.filter((it) => it.stripe_subscription_id === stripe_subscription_id);
  const charges = own.flatMap((payment) =>
    payment.periods.map((period) => ({ ...period, returned: wasReturned(payment) })),
  );
  const covering = charges.filter(({ start, end }) => start <= starts_at && end >= ends_at);
  return covering.find((it) => tierOfPrice.has(it.stripe_price_id ?? '')) ?? covering[0] ?? null;
}

/** The tier that a charge paid for; null for a price of no tier. */
function tierOfCharge(charge: PaidPeriod | null, { tierOfPrice }: LocalState): string | null {
  return tierOfPrice.get(charge?.stripe_price_id ?? '')?.tier_name ?? null;
}

/** Marks the customer's periods that were paid since, and whose payment was given back since: both also after the period. */
export async function markPaidPeriods(tx: Tx, local: LocalState, snapshot: StripeSnapshot): Promise<void> {
  if (!local.customer) return;
  const { id } = local.customer;
  const mayDiffer = or(eq(allowance_period.paid, false), eq(allowance_period.returned, true));
  const periods = await tx
    .select()
    .from(allowance_period)
    .where(
      and(eq(allowance_period.customer_id, id), snapshot.payments.some(wasReturned) ? undefined : mayDiffer),
    );
  for (const period of periods) {
    const charge = chargeFor(snapshot, local, period);
    if (!charge || (period.paid && period.returned === charge.returned)) continue;
    const { returned } = charge;
    await tx
      .update(allowance_period)
      .set(
        period.paid
          ? { returned }
          : { returned, paid: true, tier: tierOfCharge(charge, local) ?? period.tier },
      )
      .where(and(eq(allowance_period.customer_id, id), eq(allowance_period.starts_at, period.starts_at)));
  }
}

/**
 * Stores what the current period of the membership's subscription gives, with a row for a tier change within it
 * (docs/rules.md, "What a period gives").
 */
export async function storeAllowance(
  tx: Tx,
  deps: BillingDeps,
  local: LocalState,
  snapshot: StripeSnapshot,
  { customer_id, row }: { customer_id: string; row: Row },
): Promise<StoredAllowance> {
  const { stripe_subscription_id, current_period_start: starts_at, current_period_end: ends_at } = row;
  const [known] = await tx
    .select()
    .from(allowance_period)
    .where(and(eq(allowance_period.customer_id, customer_id), eq(allowance_period.starts_at, starts_at)));
  const charge = chargeFor(snapshot, local, { stripe_subscription_id, starts_at, ends_at });
  const paid = charge !== null || known?.paid === true;
  const returned = charge?.returned ?? known?.returned ?? false;
  const began = known?.tier ?? tierOfCharge(charge, local) ?? row.tier;
  const grace_days = known?.grace_days ?? deps.rules().grace_days;
  const period = { customer_id, starts_at, ends_at, stripe_subscription_id, paid, returned, grace_days };
  await cutOverlapping(tx, period);
  const { carried_pours } = await storeCardPeriod(tx, { ...period, tier: began });

  const from = (await lastChange(tx, period))?.to_tier ?? began;
  const made = from === row.tier ? null : await acceptedChange(tx, row);
  let added: number | null = null;
  if (from !== row.tier && from === began && !paid && !made) {
    // Until its charge is paid, we do not know with which tier the period began. The newest counts.
    await storeCardPeriod(tx, { ...period, tier: row.tier });
  } else if (from !== row.tier) {
    added = await storeChange(tx, deps, period, { from, to: row.tier, made });
  }
  const monthly_pours = await monthlyPours(tx, row.tier);
  const terms = {
    tier_pours: monthly_pours,
    changed_pours: 0,
    given_pours: 0,
    rolled_pours: 0,
    paid: false,
    carried_pours,
    grace_days,
  };
  return {
    changed: known?.paid !== paid || added !== null,
    added,
    carried_pours,
    unpaid_pours: periodPours(terms, { start: starts_at, end: ends_at }),
    monthly_pours,
  };
}

/** Whoever comes back from a pause begins a period before the one that nobody paid for is over. */
async function cutOverlapping(
  tx: Tx,
  { customer_id, starts_at }: Pick<Period, 'customer_id' | 'starts_at'>,
): Promise<void> {
  const p = allowance_period;
  await tx
    .update(p)
    .set({ ends_at: starts_at })
    .where(and(eq(p.customer_id, customer_id), lt(p.starts_at, starts_at), gt(p.ends_at, starts_at)));
}

/** Returns the pours that the change adds. */
async function storeChange(
  tx: Tx,
  { now, newId }: BillingDeps,
  { customer_id, starts_at, ends_at }: Pick<Period, 'customer_id' | 'starts_at' | 'ends_at'>,
  { from, to, made }: { from: string; to: string; made: { id: string; prorated_at: Date } | null },
): Promise<number> {
  // One made at Stripe counts from when we see it.
  const prorated_at = made?.prorated_at ?? now();
  const period = { start: starts_at, end: ends_at };
  const glasses = proratedPours(
    await monthlyPours(tx, from),
    await monthlyPours(tx, to),
    prorated_at,
    period,
  );
  await tx.insert(allowance_change).values({
    id: newId(),
    customer_id,
    period_starts_at: starts_at,
    to_tier: to,
    glasses,
    prorated_at,
    tier_change_id: made?.id ?? null,
    created_at: now(),
  });
  if (made) await tx.update(tier_change).set({ status: 'done' }).where(eq(tier_change.id, made.id));
  return glasses;
}

async function lastChange(tx: Tx, { customer_id, starts_at }: Pick<Period, 'customer_id' | 'starts_at'>) {
  const [last] = await tx
    .select({ to_tier: allowance_change.to_tier })
    .from(allowance_change)
    .where(
      and(eq(allowance_change.customer_id, customer_id), eq(allowance_change.period_starts_at, starts_at)),
    )
    .orderBy(desc(allowance_change.created_at), desc(allowance_change.id))
    .limit(1);
  return last;
}

/** The change that the member agreed to here and that led to this price; none for a change made at Stripe. */
async function acceptedChange(tx: Tx, row: Row) {
  const counted = tx
    .select({ id: allowance_change.tier_change_id })
    .from(allowance_change)
    .where(isNotNull(allowance_change.tier_change_id));
  const [made] = await tx
    .select({ id: tier_change.id, prorated_at: tier_change.prorated_at })
    .from(tier_change)
    .where(
      and(
        eq(tier_change.stripe_subscription_id, row.stripe_subscription_id),
        eq(tier_change.kind, 'at_once'),
        eq(tier_change.to_price_id, row.stripe_price_id),
        inArray(tier_change.status, ['asked', 'approval', 'done']),
        isNotNull(tier_change.asked_at),
        gte(tier_change.prorated_at, row.current_period_start),
        lt(tier_change.prorated_at, row.current_period_end),
        notInArray(tier_change.id, counted),
      ),
    )
    .orderBy(desc(tier_change.asked_at))
    .limit(1);
  return made ?? null;
}

/** The monthly pours of a tier that a row names. */
export async function monthlyPours(tx: Pick<Tx, 'select'>, tier: string): Promise<number> {
  const [row] = await tx
    .select({ pours: tier_definitions.monthly_pours })
    .from(tier_definitions)
    .where(eq(tier_definitions.tier_name, tier));
  return row?.pours ?? 0;
}
