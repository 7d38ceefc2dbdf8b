import { isEnded } from '../../../domain/standing.ts';
import type { BillingDeps } from '../billing-context.ts';
import type { FetchedSubscription } from './fetched-subscription.ts';
import { type KnownTiers, tierSold } from './membership-item.ts';
import { keptCents, type StripeSnapshot } from './stripe-snapshot.ts';

/**
 * The tier that a subscription pays for (docs/rules/billing.md, "Billing: which tier a price buys"): that of a price that we
 * made, or of a monthly price that someone made at Stripe, on a product of ours or with the tier in its metadata. Otherwise
 * a membership keeps the tier that it had, and a new monthly subscription has the one that its own metadata names. Null for
 * no tier. `sure`: the price itself names it.
 */
export function matchTier(
  it: FetchedSubscription,
  local: KnownTiers,
  before: { tier: string } | null,
): { tier: string | null; sure: boolean } {
  const known = (name: string | null | undefined) => (name && local.monthlyPours.has(name) ? name : null);
  const sure = tierSold(it, local);
  if (sure) return { tier: sure, sure: true };
  const tier = known(before?.tier) ?? (it.is_monthly ? known(it.metadata.tier) : null);
  return { tier, sure: false };
}

/** Whether it pays for a tier, or for a product of ours at a price without one. The venue may sell other things, too. */
export function isOurs(it: FetchedSubscription, local: KnownTiers, before: { tier: string } | null): boolean {
  const { tier } = matchTier(it, local, before);
  return Boolean(
    tier || before || it.metadata.tier || it.price_tier || local.tierOfProduct.has(it.stripe_product_id),
  );
}

/** Running subscriptions that pay for several memberships, and still give the glasses of one. */
export function multiplePayments(
  local: KnownTiers & { subscriptions: { stripe_subscription_id: string; tier: string }[] },
  snapshot: StripeSnapshot,
) {
  return snapshot.subscriptions.flatMap((it) => {
    const before = local.subscriptions.find((row) => row.stripe_subscription_id === it.id) ?? null;
    const { tier } = matchTier(it, local, before);
    if (!tier || it.quantity <= 1 || isEnded(it.status) || keptCents(snapshot, it.id) <= 0) return [];
    const { id: stripe_subscription_id, quantity, amount_cents, currency } = it;
    return [{ stripe_subscription_id, tier, quantity, amount_cents, currency }];
  });
}

const LONGEST_MONTH_MS = 31 * 86_400_000 + 3_600_000;

/** The facts of a trial that lasts longer than a month, and so gives one month's glasses for all of it; null otherwise. */
export function longTrial(it: FetchedSubscription, tier: string) {
  const { id: stripe_subscription_id, status, current_period_start, current_period_end } = it;
  const isLong = current_period_end.getTime() - current_period_start.getTime() > LONGEST_MONTH_MS;
  if (status !== 'trialing' || !isLong) return null;
  return { tier, ends_at: current_period_end.toISOString(), stripe_subscription_id };
}

/** Running, unrefunded subscriptions to our products at prices without a tier: staff have to check them. */
export function unmatchedPayments(
  { log }: Pick<BillingDeps, 'log'>,
  userId: string,
  local: KnownTiers & { subscriptions: { stripe_subscription_id: string; tier: string }[] },
  snapshot: StripeSnapshot,
) {
  return snapshot.subscriptions.flatMap((it) => {
    const before = local.subscriptions.find((row) => row.stripe_subscription_id === it.id) ?? null;
    const { tier, sure } = matchTier(it, local, before);
    if (sure) return [];
    log.error(
      { user_id: userId, subscription: it.id, price: it.stripe_price_id, tier },
      tier
        ? 'Subscription price belongs to no tier; tier taken from our records'
        : 'Subscription price belongs to no tier; no membership',
    );
    if (!isOurs(it, local, before) || isEnded(it.status) || keptCents(snapshot, it.id) <= 0) return [];
    const { id: stripe_subscription_id, stripe_price_id, stripe_product_id: product } = it;
    const { amount_cents, currency } = it;
    return [{ stripe_subscription_id, stripe_price_id, product, amount_cents, currency }];
  });
}
