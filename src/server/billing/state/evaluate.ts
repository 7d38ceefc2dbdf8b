import type { SubscriptionCandidate } from '../../../domain/billing.ts';
import { startOfDay } from '../../../domain/calendar.ts';
import { pausedSpan, readStop } from '../../../domain/membership/pause.ts';
import {
  canReplaceStatus,
  graceUntil,
  isEnded,
  type Standing,
  standingOf,
} from '../../../domain/standing.ts';
import type { BillingDeps } from '../billing-context.ts';
import { isForPeriod } from './card-periods.ts';
import type { FetchedSubscription } from './fetched-subscription.ts';
import type { LocalState, StoredSubscription } from './local-state.ts';
import { chargedMethod } from './payment-method.ts';
import { paymentsOf, type StripeSnapshot } from './stripe-snapshot.ts';
import { matchTier } from './tier-matching.ts';

/** A subscription's meaning for us: the row to store, its standing, and the input for choosing the membership. */
export interface EvaluatedSubscription {
  row: Omit<StoredSubscription, 'access_until' | 'look_again_at'>;
  standing: Standing;
  candidate: SubscriptionCandidate;
  /** Whether a payment for the running period arrived; also if this snapshot does not contain it. */
  is_paid: boolean;
  /** Null if this snapshot does not contain it. */
  fetched: FetchedSubscription | null;
  before: StoredSubscription | null;
}

/**
 * Evaluates each of a user's subscriptions as of the fetch: a payment may have arrived since. A subscription missing from
 * the snapshot keeps our last copy, logged as an error, unless the customer was deleted at Stripe, which ends it. A
 * subscription whose price belongs to no tier is left out: it is not a membership.
 */
export function evaluate(
  deps: BillingDeps,
  userId: string,
  local: LocalState,
  snapshot: StripeSnapshot,
): EvaluatedSubscription[] {
  const { subscriptions: fetched, customer, fetched_at: at } = snapshot;
  const { log } = deps;
  const evaluated: EvaluatedSubscription[] = [];
  for (const it of fetched) {
    const before = local.subscriptions.find((row) => row.stripe_subscription_id === it.id) ?? null;
    const row = toRow(deps, snapshot, userId, local, it, before);
    if (row)
      evaluated.push({ ...evaluateOne(at, local, it, before, row), is_paid: isPeriodPaid(snapshot, it) });
  }
  for (const before of local.subscriptions) {
    if (fetched.some(({ id }) => id === before.stripe_subscription_id)) continue;
    const { access_until: _, ...stored } = before;
    const row = { ...stored, synced_at: at };
    if (customer === 'deleted' && !isEnded(row.status)) row.status = 'canceled';
    if (!isEnded(row.status)) {
      log.error(
        { user_id: userId, subscription: row.stripe_subscription_id },
        'Subscription is missing at Stripe',
      );
    }
    const one = evaluateOne(at, local, null, before, row);
    // Our copy still counts until its access runs out.
    const isTrusted = before.access_until !== null && at < before.access_until;
    if (one.standing !== 'ended' && !isTrusted) one.standing = one.candidate.standing = 'unknown';
    evaluated.push(one);
  }
  for (const { standing, row } of evaluated) {
    if (standing !== 'unknown') continue;
    log.error(
      { user_id: userId, subscription: row.stripe_subscription_id, status: row.status },
      'Subscription has an unknown status',
    );
  }
  return evaluated;
}

/** The row to store for a fetched subscription; null if its price belongs to no tier. */
function toRow(
  deps: BillingDeps,
  snapshot: StripeSnapshot,
  userId: string,
  local: LocalState,
  it: FetchedSubscription,
  before: StoredSubscription | null,
): EvaluatedSubscription['row'] | null {
  const { log } = deps;
  const at = snapshot.fetched_at;
  const fields = { user_id: userId, subscription: it.id, price: it.stripe_price_id };
  const { tier } = matchTier(it, local, before);
  if (!tier) return null;
  const paid = isPeriodPaid(snapshot, it);
  const { status: fetched, stopped_at } = readStop(it, paid);
  const replace = !before || canReplaceStatus(before.status, fetched);
  if (!replace) {
    log.error({ ...fields, stored: before.status, fetched }, 'Ended subscription became active again');
  }
  const status = replace ? fetched : before.status;
  const method = chargedMethod(it);
  const card = method?.card;
  return {
    stripe_subscription_id: it.id,
    user_id: userId,
    tier,
    status,
    cancel_at_period_end: it.cancel_at_period_end,
    cancel_at: it.cancel_at,
    canceled_at: it.canceled_at,
    current_period_start: it.current_period_start,
    current_period_end: it.current_period_end,
    grace_until: graceOf(deps, { status, paid, period_end: it.current_period_end }, before, at),
    ...pausedSpan({ ...it, status, paid, stopped_at }, before),
    charging_cents: chargingCents(snapshot, it),
    amount_cents: it.amount_cents,
    add_ons_cents: it.add_ons_cents,
    preview: it.preview === undefined ? (before?.preview ?? null) : it.preview,
    currency: it.currency,
    tax_behavior: it.tax_behavior,
    stripe_price_id: it.stripe_price_id,
    stripe_schedule_id: it.schedule?.id ?? null,
    ...pendingOf(deps, userId, local, it),
    ...approvalOf(local, it),
    payment_method_type: method?.type ?? null,
    card_wallet: card?.wallet ?? null,
    card_brand: card?.brand ?? null,
    card_last4: card?.last4 ?? null,
    card_exp_month: card?.exp_month ?? null,
    card_exp_year: card?.exp_year ?? null,
    created_at: it.created_at,
    synced_at: at,
  };
}

/**
 * The end of grace. In a month that is paid, as where only an add-on was declined, access stays at least until its end; the
 * next month then has days of grace of its own.
 */
function graceOf(
  { rules }: BillingDeps,
  { status, paid, period_end }: { status: string; paid: boolean; period_end: Date },
  before: StoredSubscription | null,
  at: Date,
): Date | null {
  const was = before?.grace_until ?? null;
  const wasPaid = before && was && was >= before.current_period_end && before.current_period_end < period_end;
  const until = graceUntil(status, wasPaid ? null : was, at, rules().grace_days);
  return until && paid && until < period_end ? period_end : until;
}

/** What Stripe is about to charge for the running period: a draft waits for an hour, an open invoice for a retry. */
function chargingCents({ due }: StripeSnapshot, it: FetchedSubscription): number | null {
  const period = { starts_at: it.current_period_start, ends_at: it.current_period_end };
  const invoice = due.find(
    ({ stripe_subscription_id, is_automatic, status, periods }) =>
      stripe_subscription_id === it.id &&
      is_automatic &&
      status !== 'uncollectible' &&
      periods.some((line) => isForPeriod(line, period)),
  );
  return invoice && invoice.amount_cents > 0 ? invoice.amount_cents : null;
}

function isPeriodPaid(snapshot: StripeSnapshot, it: FetchedSubscription): boolean {
  const period = { starts_at: it.current_period_start, ends_at: it.current_period_end };
  return paymentsOf(snapshot, it.id).some(({ periods }) => periods.some((line) => isForPeriod(line, period)));
}

type Pending = Pick<StoredSubscription, 'pending_tier' | 'pending_from' | 'pending_amount_cents'>;

/** The tier change that a schedule will bring. A scheduled price that belongs to no tier is logged as an error. */
function pendingOf(
  { log }: BillingDeps,
  userId: string,
  local: LocalState,
  it: FetchedSubscription,
): Pending {
  const next = it.schedule?.next;
  const none = { pending_tier: null, pending_from: null, pending_amount_cents: null };
  // The venue moved the price, the member did not change the tier: they had a notice of its own, and cannot cancel it.
  if (next && local.movedTo.has(next.stripe_price_id)) return none;
  const tier = next && local.tierOfPrice.get(next.stripe_price_id);
  if (next && !tier) {
    log.error(
      { user_id: userId, subscription: it.id, price: next.stripe_price_id },
      'Scheduled price belongs to no tier',
    );
  }
  if (!next || !tier || next.stripe_price_id === it.stripe_price_id) return none;
  return {
    pending_tier: tier.tier_name,
    pending_from: next.starts_at,
    pending_amount_cents: tier.amount_cents + it.add_ons_cents,
  };
}

function approvalOf(
  { tierOfPrice }: LocalState,
  { pending_update: update }: FetchedSubscription,
): Pick<StoredSubscription, 'approval_tier' | 'approval_until'> {
  const tier = update && tierOfPrice.get(update.stripe_price_id);
  if (!tier) return { approval_tier: null, approval_until: null };
  return { approval_tier: tier.tier_name, approval_until: update.expires_at };
}

function evaluateOne(
  now: Date,
  local: LocalState,
  fetched: FetchedSubscription | null,
  before: StoredSubscription | null,
  row: EvaluatedSubscription['row'],
): EvaluatedSubscription {
  const id = row.stripe_subscription_id;
  const standing = standingOf(row, now);
  const application = fetched?.metadata.application_id;
  const was_membership = local.memberships.some((it) => it.stripe_subscription_id === id);
  return {
    row,
    standing,
    is_paid: true,
    fetched,
    before,
    candidate: {
      id,
      status: row.status,
      standing,
      created_at: row.created_at,
      was_membership,
      application_rejected: local.applications.get(application ?? '') === 'rejected',
      reversed: local.reversals.some((it) => it.stripe_subscription_id === id),
      waits: row.status === 'trialing' && fetched !== null && goesOnFromVenue(fetched) && !was_membership,
    },
  };
}

/** Whether a member at the venue ordered it, to go on from what is paid there. */
export const goesOnFromVenue = ({ metadata }: Pick<FetchedSubscription, 'metadata'>): boolean =>
  metadata.from_venue === 'true';

/** The time from which payments of a reversed subscription are refunded: those made while it was not the membership. */
export function refundFrom(
  { candidate }: EvaluatedSubscription,
  local: LocalState,
  { now, venue }: BillingDeps,
): Date {
  const membership = local.memberships.find((it) => it.stripe_subscription_id === candidate.id);
  if (!membership) return candidate.created_at;
  return membership.end_date ? startOfDay(membership.end_date, venue.time_zone) : now();
}

/** The glasses of a period, and the changes made by this reconciliation. */
export interface StoredAllowance {
  changed: boolean;
  /** Pours added by a tier change within the period, if one was seen now. */
  added: number | null;
  /** Pours of an unpaid period that count in the new one. */
  carried_pours: number;
  monthly_pours: number;
}
