import { and, desc, eq, gte, inArray, isNotNull, lt, notInArray } from 'drizzle-orm';
import { proratedShare } from '../../../domain/glasses.ts';
import { isReturned } from '../../../domain/membership/rollover.ts';
import type { Tx } from '../../db/client.ts';
import { glass_change, tier_change } from '../../db/schema.ts';
import { writeDueGrants } from '../../pours/due-grants.ts';
import type { BillingDeps } from '../billing-context.ts';
import { periodDay, type StoredPeriod } from './card-periods.ts';
import type { EvaluatedSubscription } from './evaluate.ts';
import type { LocalState } from './local-state.ts';
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
import { type FetchedPayment, type PaidPeriod, paymentsOf, type StripeSnapshot } from './stripe-snapshot.ts';

type Row = EvaluatedSubscription['row'];

/** What a period gives, and what this reconciliation changed in it. */
export interface StoredAllowance {
  changed: boolean;
  /** The pours that a tier change within the period added, if one was seen now. */
  added: number | null;
  /** Pours of an unpaid period that a new one makes up for. */
  carried_pours: number;
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
  snapshot: StripeSnapshot,
  { tierOfPrice }: LocalState,
  {
    stripe_subscription_id,
    starts_at,
    ends_at,
  }: Pick<StoredPeriod, 'stripe_subscription_id' | 'starts_at' | 'ends_at'>,
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
 * Writes which of the customer's periods were paid since, and whose payment was given back since: both also after the
 * period. Before the next period is written, because they decide what rolls over into it.
 */
export async function markPaidPeriods(
  tx: Tx,
  deps: BillingDeps,
  local: LocalState,
  snapshot: StripeSnapshot,
): Promise<void> {
  for (const period of local.periods) {
    const charge = chargeFor(snapshot, local, period);
    if (charge && (await storeCharge(tx, deps, local, period, charge))) await touchReports(tx, period);
  }
}

/**
 * Stores what the current period of the membership's subscription gives, with a change for a tier change within it, and
 * whatever else is due (docs/rules/glasses.md, "Glasses").
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
    // Until its charge is paid, we do not know with which tier the period began. The newest counts.
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

/** The charge is the club's, or not any more. Returns whether it is found paid only now. */
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

/** A tier that a subscription has now, and did not have before. */
interface SeenChange {
  from: string;
  to: string;
  /** What the member agreed to here; null for a change made at Stripe. */
  made: { id: string; prorated_at: Date } | null;
  voided: boolean;
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

/** Returns the pours that the change adds. As large a share of what may roll over comes with them. */
async function storeChange(
  tx: Tx,
  deps: BillingDeps,
  { monthlyPours }: LocalState,
  period: StoredPeriod,
  { from, to, made, voided }: SeenChange,
): Promise<number> {
  // One made at Stripe counts from when we see it.
  const prorated_at = made?.prorated_at ?? deps.now();
  const span = { start: period.starts_at, end: period.ends_at };
  const share = (before: number, after: number) =>
    voided ? 0 : proratedShare(before, after, prorated_at, span);
  const glasses = share(monthlyPours.get(from) ?? 0, monthlyPours.get(to) ?? 0);
  const rolls = share(
    await rolloverLimit(tx, from, period.changed_at ?? period.starts_at),
    await rolloverLimit(tx, to, prorated_at),
  );
  // What was promised for the glasses that are left stays, where a larger tier lets fewer roll over.
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

/** The change that the member agreed to here and that led to this price; none for a change made at Stripe. */
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
