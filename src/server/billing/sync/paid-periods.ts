import { and, desc, eq, gte, inArray, isNotNull, lt, notInArray } from 'drizzle-orm';
import { proratedPours } from '../../../domain/allowance.ts';
import { isReturned } from '../../../domain/membership/rollover.ts';
import type { Tx } from '../../db/client.ts';
import { allowance_change, allowance_period, tier_change } from '../../db/schema.ts';
import { storeCardPeriod } from '../../pours/allowance-periods.ts';
import type { BillingDeps } from '../billing-context.ts';
import type { EvaluatedSubscription } from './evaluate.ts';
import type { LocalState, StoredPeriod } from './local-state.ts';
import { paymentStatus } from './payments.ts';
import { type FetchedPayment, type PaidPeriod, paymentsOf, type StripeSnapshot } from './stripe-snapshot.ts';

type Row = EvaluatedSubscription['row'];
type Period = typeof allowance_period.$inferSelect;

/** What a period gives, and what this reconciliation changed in it. */
export interface StoredAllowance {
  changed: boolean;
  /** The pours that a tier change within the period added, if one was seen now. */
  added: number | null;
  carried_pours: number;
  /** Of the tier. */
  monthly_pours: number;
}

/** What paid for a period, and whether that was given back whole, or is disputed. */
interface Charge extends PaidPeriod {
  returned: boolean;
}

const isPeriod = ({ customer_id, starts_at }: Pick<Period, 'customer_id' | 'starts_at'>) =>
  and(eq(allowance_period.customer_id, customer_id), eq(allowance_period.starts_at, starts_at));

const wasReturned = (payment: FetchedPayment) => isReturned(paymentStatus(payment, payment.disputed));

/** The regular charge that paid for a period; null if none did. Of its lines, the tier's and not an add-on's. */
function chargeFor(
  snapshot: StripeSnapshot,
  { tierOfPrice }: LocalState,
  {
    stripe_subscription_id,
    starts_at,
    ends_at,
  }: Pick<Period, 'stripe_subscription_id' | 'starts_at' | 'ends_at'>,
): Charge | null {
  const charges = paymentsOf(snapshot, stripe_subscription_id).flatMap((payment) =>
    payment.periods.map((period) => ({ ...period, returned: wasReturned(payment) })),
  );
  const covering = charges.filter(({ start, end }) => start <= starts_at && end >= ends_at);
  return covering.find((it) => tierOfPrice.has(it.stripe_price_id ?? '')) ?? covering[0] ?? null;
}

/** The tier that a charge paid for; null for a price of no tier. */
function tierOfCharge(charge: PaidPeriod | null, { tierOfPrice }: LocalState): string | null {
  return tierOfPrice.get(charge?.stripe_price_id ?? '')?.tier_name ?? null;
}

/**
 * Marks the customer's periods that were paid since, and whose payment was given back since: both also after the period.
 * In `local` too.
 */
export async function markPaidPeriods(tx: Tx, local: LocalState, snapshot: StripeSnapshot): Promise<void> {
  for (const period of local.periods) {
    const charge = chargeFor(snapshot, local, period);
    if (!charge || (period.paid && period.returned === charge.returned)) continue;
    const { returned } = charge;
    const set = period.paid
      ? { returned }
      : { returned, paid: true, tier: tierOfCharge(charge, local) ?? period.tier };
    await tx.update(allowance_period).set(set).where(isPeriod(period));
    Object.assign(period, set);
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
  customer_id: string,
  subscription: EvaluatedSubscription,
): Promise<StoredAllowance> {
  const { row } = subscription;
  const { stripe_subscription_id, current_period_start: starts_at, current_period_end: ends_at } = row;
  const known = local.periods.find((it) => it.starts_at.getTime() === starts_at.getTime());
  const charge = chargeFor(snapshot, local, { stripe_subscription_id, starts_at, ends_at });
  const paid = charge !== null || known?.paid === true;
  const returned = charge?.returned ?? known?.returned ?? false;
  const began = known?.tier ?? tierOfCharge(charge, local) ?? row.tier;
  const grace_days = known?.grace_days ?? deps.rules().grace_days;
  const period = { customer_id, starts_at, ends_at, stripe_subscription_id, paid, returned, grace_days };
  const from = known?.changed_to ?? began;
  const made = from === row.tier ? null : await acceptedChange(tx, row);
  // Until its charge is paid, we do not know with which tier the period began. The newest counts.
  const isCorrected = from !== row.tier && from === began && !paid && !made;
  await cutOverlapping(tx, local.periods, period);
  const tier = isCorrected ? row.tier : began;
  const { carried_pours } = await storeCardPeriod(tx, { ...period, tier }, known, deps.timeZone);
  const added =
    from === row.tier || isCorrected
      ? null
      : await storeChange(tx, deps, local, period, {
          from,
          to: row.tier,
          made,
          voided: isVoided(snapshot, subscription, known?.changed_at ?? null),
        });
  const monthly_pours = local.monthlyPours.get(row.tier) ?? 0;
  return {
    changed: known?.paid !== paid || added !== null,
    added,
    carried_pours,
    monthly_pours,
  };
}

/** A tier that a subscription has now, and did not have before. */
interface SeenChange {
  from: string;
  to: string;
  /** What the member agreed to here; null for a change made at Stripe. */
  made: { id: string; prorated_at: Date } | null;
  voided: boolean;
}

/** Whoever comes back from a pause begins a period before the one that nobody paid for is over. */
async function cutOverlapping(
  tx: Tx,
  periods: StoredPeriod[],
  { starts_at }: Pick<Period, 'starts_at'>,
): Promise<void> {
  for (const other of periods) {
    if (other.starts_at >= starts_at || other.ends_at <= starts_at) continue;
    await tx.update(allowance_period).set({ ends_at: starts_at }).where(isPeriod(other));
  }
}

/**
 * Whether Stripe voided the charge or credit of the change to the current price, as it does while a pause is set. Our copy
 * may still say paused when the pause is over, so a payment for the price decides: one since `lastChange`, the change
 * before it within the period.
 */
function isVoided(
  snapshot: StripeSnapshot,
  { row, fetched, before }: EvaluatedSubscription,
  lastChange: Date | null,
): boolean {
  if (!fetched?.pause && !before?.paused_from) return false;
  const isNew = (at: Date) => at >= row.current_period_start && (!lastChange || at > lastChange);
  return !paymentsOf(snapshot, row.stripe_subscription_id)
    .flatMap(({ changes }) => changes)
    .some(({ start, stripe_price_id }) => stripe_price_id === row.stripe_price_id && isNew(start));
}

/** Returns the pours that the change adds. */
async function storeChange(
  tx: Tx,
  { now, newId }: BillingDeps,
  { monthlyPours }: LocalState,
  { customer_id, starts_at, ends_at }: Pick<Period, 'customer_id' | 'starts_at' | 'ends_at'>,
  { from, to, made, voided }: SeenChange,
): Promise<number> {
  // One made at Stripe counts from when we see it.
  const prorated_at = made?.prorated_at ?? now();
  const period = { start: starts_at, end: ends_at };
  const ofTier = (tier: string) => monthlyPours.get(tier) ?? 0;
  const glasses = voided ? 0 : proratedPours(ofTier(from), ofTier(to), prorated_at, period);
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
