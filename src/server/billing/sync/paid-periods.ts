import { proratedShare } from '../../../domain/glasses.ts';
import { isReturned } from '../../../domain/membership/rollover.ts';
import type { Tx } from '../../db/client.ts';
import { and, desc, eq, gte, inArray, isNotNull, lt, notInArray } from '../../db/orm.ts';
import { glass_change, tier_change } from '../../db/schema.ts';
import { writeDueGrants } from '../../pours/due-grants.ts';
import type { BillingDeps } from '../billing-context.ts';
import { isForPeriod, periodDay, type StoredPeriod } from '../state/card-periods.ts';
import type { EvaluatedSubscription, StoredAllowance } from '../state/evaluate.ts';
import type { FetchedPayment, PaidPeriod } from '../state/fetched-invoice.ts';
import type { LocalState } from '../state/local-state.ts';
import { paymentsOf, type StripeSnapshot } from '../state/stripe-snapshot.ts';
import { paymentStatus } from './payments.ts';
import {
  addChange,
  beginPeriod,
  endPeriods,
  owedFrom,
  rolloverLimit,
  settleOwed,
  storeReturned,
  storeTier,
  touchReports,
} from './period-grants.ts';

type Row = EvaluatedSubscription['row'];

/** The payment of a period. */
interface Charge extends PaidPeriod {
  /** Fully refunded, or disputed. */
  returned: boolean;
  /** Paid too late: the subscription's reversal refunds it. Not if staff marked it as paid outside of Stripe. */
  late: boolean;
}

const wasReturned = (payment: FetchedPayment) => isReturned(paymentStatus(payment, payment.disputed));

/** The regular charge that paid for a period, by the tier's line and not an add-on's; null if there is none. */
function chargeFor(
  snapshot: StripeSnapshot,
  { tierOfPrice, reversals }: LocalState,
  {
    stripe_subscription_id,
    starts_at,
    ends_at,
  }: Pick<StoredPeriod, 'stripe_subscription_id' | 'starts_at' | 'ends_at'>,
): Charge | null {
  const reversal = reversals.find((it) => it.stripe_subscription_id === stripe_subscription_id);
  const charges = paymentsOf(snapshot, stripe_subscription_id).flatMap((payment) => {
    const refundable = reversal !== undefined && payment.payment_intents.length > 0;
    const late = refundable && payment.paid_at >= reversal.refund_from;
    return payment.periods.map((period) => ({ ...period, returned: wasReturned(payment), late }));
  });
  const covering = charges.filter((it) => isForPeriod(it, { starts_at, ends_at }));
  return covering.find((it) => tierOfPrice.has(it.stripe_price_id ?? '')) ?? covering[0] ?? null;
}

function tierOfCharge(charge: PaidPeriod | null, { tierOfPrice }: LocalState): string | null {
  return tierOfPrice.get(charge?.stripe_price_id ?? '')?.tier_name ?? null;
}

/**
 * Stores the customer's periods that have since been paid or refunded, including past ones. Runs before the next period is
 * written, because payment decides what rolls over.
 */
export async function markPaidPeriods(
  tx: Tx,
  deps: BillingDeps,
  local: LocalState,
  snapshot: StripeSnapshot,
): Promise<void> {
  for (const period of local.periods) {
    const charge = chargeFor(snapshot, local, period);
    if (!charge || (charge.late && !period.paid)) continue;
    if (await storeCharge(tx, deps, local, period, charge)) await touchReports(tx, period);
  }
}

/**
 * Stores the glasses of the current period of the membership's subscription, a tier change within it, and any other due
 * changes (docs/rules/glasses.md, "Glasses").
 */
export async function storeAllowance(
  tx: Tx,
  deps: BillingDeps,
  local: LocalState,
  snapshot: StripeSnapshot,
  membership: { id: string; customer_id: string },
  subscription: EvaluatedSubscription,
): Promise<StoredAllowance> {
  const { row } = subscription;
  const { stripe_subscription_id, current_period_start: starts_at, current_period_end: ends_at } = row;
  const charge = chargeFor(snapshot, local, { stripe_subscription_id, starts_at, ends_at });
  const day = periodDay(starts_at);
  const known = local.periods.find((it) => it.membership_id === membership.id && it.period === day);
  await endPeriods(tx, deps, local, known, { starts_at, ends_at });
  const began = known?.tier ?? tierOfCharge(charge, local) ?? row.tier;
  const from = known?.changed_to ?? began;
  const made = from === row.tier ? null : await acceptedChange(tx, row);
  const period = known ?? (await beginPeriod(tx, deps, local, membership, row, charge && began));
  let added: number | null = null;
  if (period) {
    if (charge) await storeCharge(tx, deps, local, period, charge);
    // The period's first tier is unknown until its charge is paid: the newest counts.
    const isCorrected = from !== row.tier && from === began && !period.paid && !made;
    if (isCorrected) await storeTier(tx, deps, local, period, 'tier_known', row.tier);
    else if (from !== row.tier) {
      const voided = isVoided(snapshot, subscription, period.changed_at);
      added = await storeChange(tx, deps, local, period, { from, to: row.tier, made, voided });
      if (charge) await storeReturned(tx, deps, period, charge.returned);
    }
  }
  await writeDueGrants(deps, tx, membership.customer_id);
  const begun = period !== null && period !== known;
  const changed = begun || added !== null;
  if (period && changed) await touchReports(tx, period);
  return {
    changed,
    added,
    carried_pours: begun ? await owedFrom(tx, period) : 0,
    monthly_pours: local.monthlyPours.get(row.tier) ?? 0,
  };
}

/**
 * Stores the month that a membership paid for and ended in before we looked, as if we had looked in between: the payment is
 * of a month of membership then, and not of nothing.
 */
export async function storeLastMonth(
  tx: Tx,
  deps: BillingDeps,
  local: LocalState,
  snapshot: StripeSnapshot,
  { id, customer_id }: { id: string; customer_id: string },
  subscription: EvaluatedSubscription,
): Promise<void> {
  const {
    stripe_subscription_id,
    current_period_start: starts_at,
    current_period_end: ends_at,
  } = subscription.row;
  const isKnown = local.periods.some((it) => it.membership_id === id && it.period === periodDay(starts_at));
  const charge = chargeFor(snapshot, local, { stripe_subscription_id, starts_at, ends_at });
  if (isKnown || !charge || charge.late) return;
  await storeAllowance(tx, deps, local, snapshot, { id, customer_id }, subscription);
}

/** Stores whether the venue has the charge's money. Returns whether it is newly paid. */
async function storeCharge(
  tx: Tx,
  deps: BillingDeps,
  local: LocalState,
  period: StoredPeriod,
  charge: Charge,
): Promise<boolean> {
  const isNew = !period.paid;
  if (isNew) {
    await storeTier(tx, deps, local, period, 'paid', tierOfCharge(charge, local) ?? period.tier);
    period.paid = true;
    await settleOwed(tx, period);
  }
  await storeReturned(tx, deps, period, charge.returned);
  return isNew;
}

interface SeenChange {
  from: string;
  to: string;
  /** The change that the member agreed to here; null for a change made at Stripe. */
  made: { id: string; prorated_at: Date } | null;
  voided: boolean;
}

/**
 * Whether Stripe voided the proration of the change to the current price, as it does during a pause. Our copy may still say
 * paused after the pause, so payments decide: any for the price since `lastChange`, the previous change within the period.
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

/** Returns the pours added by the change. The glasses that may roll over grow in proportion. */
async function storeChange(
  tx: Tx,
  deps: BillingDeps,
  { monthlyPours }: LocalState,
  period: StoredPeriod,
  { from, to, made, voided }: SeenChange,
): Promise<number> {
  // A change made at Stripe counts from when we see it.
  const prorated_at = made?.prorated_at ?? deps.now();
  const span = { start: period.starts_at, end: period.ends_at };
  const share = (before: number, after: number) =>
    voided ? 0 : proratedShare(before, after, prorated_at, span);
  const glasses = share(monthlyPours.get(from) ?? 0, monthlyPours.get(to) ?? 0);
  const rolls = share(
    await rolloverLimit(tx, from, period.changed_at ?? period.starts_at),
    await rolloverLimit(tx, to, prorated_at),
  );
  // A larger tier with a lower rollover limit does not reduce what was promised for the remaining glasses.
  const rollable = glasses < 0 ? rolls : Math.max(0, rolls);
  await addChange(tx, deps, period, {
    kind: 'tier_change',
    to_tier: to,
    glasses,
    rollable,
    prorated_at,
    tier_change_id: made?.id,
  });
  if (glasses > 0) await settleOwed(tx, period);
  if (made) await tx.update(tier_change).set({ status: 'done' }).where(eq(tier_change.id, made.id));
  return glasses;
}

/** The change to this price that the member agreed to here; none if it was made at Stripe. */
async function acceptedChange(tx: Tx, row: Row) {
  const counted = tx
    .select({ id: glass_change.tier_change_id })
    .from(glass_change)
    .where(isNotNull(glass_change.tier_change_id));
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
