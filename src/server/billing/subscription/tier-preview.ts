import type { TierPreview } from '../../../contract/billing.ts';
import { Refusal } from '../../../contract/refusals.ts';
import { unixSeconds } from '../../../domain/calendar.ts';
import { proratedShare } from '../../../domain/glasses.ts';
import { lessDiscounts } from '../../../domain/membership/upcoming-charges.ts';
import { isEnded, standingOf } from '../../../domain/standing.ts';
import { poursAfterChange, tierChangeKind, tierChangeObstacle } from '../../../domain/tier-change.ts';
import { and, eq } from '../../db/orm.ts';
import { tier_change, tier_definitions } from '../../db/schema.ts';
import { consumeRateLimit } from '../../platform/rate-limit.ts';
import { allowanceOf } from '../../pours/allowance.ts';
import type { BillingCall, BillingContext } from '../billing-context.ts';
import { withPrice } from '../catalog.ts';
import { changePreviewParams } from '../request-params.ts';
import { currentSubscription, pricedItem } from '../state/current-subscription.ts';
import type { StoredSubscription } from '../state/local-state.ts';
import { previewMonth } from '../state/previews.ts';
import { orUnavailable } from '../stripe-errors.ts';
import { settleUnansweredChange } from './tier-change.ts';

/** Each preview makes several requests to Stripe. */
const LIMIT = { max: 30, window: 3600 };

const NO_CHARGE = { now: 0, later: 0 };

/**
 * Shows the cost and glasses of another tier. Stripe prices it now, and the preview is stored, so that accepting it charges
 * exactly the amount shown. Charges nothing itself. Amounts in cents, times in epoch seconds. Throws Refusal
 * NO_SUBSCRIPTION, TIER_NOT_AVAILABLE, TIER_CHANGE_REFUSED, TOO_MANY_ATTEMPTS, PAYMENTS_UNAVAILABLE.
 */
export async function previewTier(
  { billing: ctx, actor: { user_id: userId } }: BillingCall,
  { tier: tierName }: { tier: string },
): Promise<TierPreview> {
  const { db, log, newId } = ctx;
  await consumeRateLimit(ctx, `tier-preview:${userId}`, LIMIT);
  return orUnavailable(log, 'preview tier', async () => {
    await ctx.reconcile(userId);
    await settleUnansweredChange(ctx, userId);
    const row = await changeableSubscription(ctx, userId, tierName);
    const tier = await offeredTier(ctx, tierName);
    const allowance = await allowanceOf(ctx, 'user_id', userId);
    if (!allowance) throw new Refusal('NO_SUBSCRIPTION');

    const kind = tierChangeKind(row.amount_cents - row.add_ons_cents, tier.amount_cents);
    const prorated_at = new Date(unixSeconds(ctx.now()) * 1000);
    const id = newId();
    const { to_price_id, charge, next_amount } = await withPrice(ctx, tier, async (price) => ({
      to_price_id: price,
      next_amount: await nextAmount(ctx, row, price, tier.amount_cents),
      charge: kind === 'at_once' ? await chargedNow(ctx, row, price, prorated_at) : NO_CHARGE,
    }));
    await db.transaction(async (tx) => {
      await tx
        .delete(tier_change)
        .where(and(eq(tier_change.user_id, userId), eq(tier_change.status, 'shown')));
      await tx.insert(tier_change).values({
        id,
        user_id: userId,
        stripe_subscription_id: row.stripe_subscription_id,
        from_price_id: row.stripe_price_id,
        to_tier: tierName,
        to_price_id,
        kind,
        prorated_at,
        charged_now_cents: charge.now,
        status: 'shown',
        created_at: ctx.now(),
      });
    });
    const monthly = tier.monthly_pours;
    const period = { start: row.current_period_start, end: row.current_period_end };
    const extra =
      kind === 'at_once' ? proratedShare(await monthlyPours(ctx, row.tier), monthly, prorated_at, period) : 0;
    const then = poursAfterChange(kind, allowance, { extra, monthly });
    return {
      id,
      tier: tierName,
      kind,
      charged_now: charge.now,
      charged_later: charge.later,
      currency: ctx.currency,
      tax_behavior: row.tax_behavior === 'unspecified' ? 'unspecified' : ctx.taxBehavior,
      effective_at: unixSeconds(kind === 'at_once' ? prorated_at : row.current_period_end),
      next_amount,
      next_billing_at: unixSeconds(row.current_period_end),
      glasses_now: { available_pours: allowance.available_pours, period_pours: allowance.period_pours },
      glasses_then: then,
      added_glasses: extra,
      monthly_glasses: monthly,
    };
  });
}

/** The row from our own copy. Throws Refusal NO_SUBSCRIPTION or TIER_CHANGE_REFUSED. */
async function changeableSubscription(
  ctx: BillingContext,
  userId: string,
  to: string,
): Promise<StoredSubscription> {
  const row = await currentSubscription(ctx, userId);
  if (!row || isEnded(row.status)) throw new Refusal('NO_SUBSCRIPTION');
  const reason = tierChangeObstacle(standingOf(row, ctx.now()), row, to);
  if (reason) throw new Refusal('TIER_CHANGE_REFUSED', { reason });
  return row;
}

async function offeredTier({ db }: BillingContext, tier_name: string) {
  const [tier] = await db
    .select({
      tier_name: tier_definitions.tier_name,
      amount_cents: tier_definitions.monthly_price_cents,
      monthly_pours: tier_definitions.monthly_pours,
    })
    .from(tier_definitions)
    .where(and(eq(tier_definitions.tier_name, tier_name), eq(tier_definitions.is_active, true)));
  if (!tier) throw new Refusal('TIER_NOT_AVAILABLE');
  return tier;
}

/** The monthly pours of a tier, including retired ones. */
async function monthlyPours({ db }: BillingContext, tier: string): Promise<number> {
  const [row] = await db
    .select({ pours: tier_definitions.monthly_pours })
    .from(tier_definitions)
    .where(eq(tier_definitions.tier_name, tier));
  return row?.pours ?? 0;
}

/** The regular charge of the next period at another price, with the discounts that apply then. */
async function nextAmount(
  ctx: BillingContext,
  {
    stripe_subscription_id: id,
    stripe_price_id,
    tax_behavior,
    preview,
    add_ons_cents,
    current_period_end,
  }: StoredSubscription,
  price: string,
  price_cents: number,
): Promise<number> {
  if (!preview) return price_cents + add_ons_cents;
  const item = await pricedItem(ctx, { stripe_subscription_id: id, stripe_price_id });
  const changed = [{ id: item.id, quantity: item.quantity ?? 1, price }];
  return lessDiscounts(await previewMonth(ctx, { id, tax_behavior }, { items: changed }), current_period_end);
}

/** The amount that Stripe would charge now, with tax. An amount below its minimum is added to the next invoice instead. */
async function chargedNow(
  ctx: BillingContext,
  row: StoredSubscription,
  price: string,
  at: Date,
): Promise<typeof NO_CHARGE> {
  const subscription = row.stripe_subscription_id;
  const item = await pricedItem(ctx, row);
  const invoice = await ctx.stripe.invoices.createPreview(
    changePreviewParams(subscription, { item: item.id, price, at }),
  );
  return { now: invoice.amount_due, later: Math.max(0, invoice.ending_balance ?? 0) };
}
