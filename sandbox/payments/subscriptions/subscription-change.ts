import type Stripe from 'stripe';
import { invalid, missing } from '../http/errors.ts';
import * as p from '../http/params.ts';
import type { Subscription, SubscriptionItem } from '../http/wire.ts';
import { planOf, quantityOf, sellablePrice } from '../resources/price-lookup.ts';
import { taxRateIds, taxRatesOf } from '../resources/tax-rates.ts';
import { timeOf, type World } from '../store/world.ts';
import { type PlannedChange, planItems } from './item-plan.ts';
import type { Period } from './periods.ts';
import { newItem } from './subscription-create.ts';
import { trialEndOf, trialFields } from './trials.ts';

export const changeFields = {
  items: p.listOf(
    p.record({
      id: p.text,
      price: p.text,
      quantity: p.integer,
      deleted: p.flag,
      metadata: p.metadata,
      tax_rates: taxRateIds,
    }),
  ),
  proration_behavior: p.word<Stripe.SubscriptionUpdateParams.ProrationBehavior>(),
  proration_date: p.integer,
  billing_cycle_anchor: p.oneOf('now', 'unchanged'),
  trial_end: trialFields.trial_end,
};
export type Change = p.Params<typeof changeFields>;

/**
 * A change of items that is not made yet, with its lines. Throws 400 for unknown items and prices, and for a date outside
 * the current period.
 */
export function planChange(world: World, subscription: Subscription, change: Change): PlannedChange {
  const now = timeOf(world, subscription.test_clock);
  const current = subscription.items.data;
  const first = current[0];
  const period = { start: first?.current_period_start ?? now, end: first?.current_period_end ?? now };
  const at = change.proration_date ?? now;
  if (at < period.start || at > period.end)
    throw invalid(
      'Invalid proration_date: must be within the current period of the subscription.',
      'proration_date',
    );
  const target = wantedItems(world, subscription, change, period, now);
  if (target.length === 0) throw invalid('A subscription must have at least one active plan.', 'items');
  return planItems(world, subscription, target, {
    at,
    restarts: change.billing_cycle_anchor === 'now',
    trial:
      change.trial_end === 'now' && subscription.status === 'trialing'
        ? 'ended'
        : trialEndOf(change.trial_end, now),
    isProrated: () => change.proration_behavior !== 'none' && subscription.status !== 'trialing',
  });
}

function wantedItems(
  world: World,
  subscription: Subscription,
  change: Change,
  period: Period,
  now: number,
): SubscriptionItem[] {
  const items = subscription.items.data.map((item) => ({ ...item }));
  for (const [index, input] of (change.items ?? []).entries()) {
    const param = `items[${index}]`;
    if (!input.id) {
      if (!input.price)
        throw invalid(`Missing required param: ${param}[price].`, `${param}[price]`, 'parameter_missing');
      if (items.some((item) => item.price.id === input.price))
        throw invalid(
          `Cannot add multiple subscription items with the same plan or price: ${input.price}`,
          `${param}[price]`,
        );
      const price = sellablePrice(world, input.price, `${param}[price]`);
      items.push(
        newItem(
          subscription.id,
          price,
          quantityOf(price, input.quantity, `${param}[quantity]`),
          period,
          now,
          {
            metadata: p.mergedMetadata({}, input.metadata),
            tax_rates: taxRatesOf(world, input.tax_rates, `${param}[tax_rates]`),
          },
        ),
      );
      continue;
    }
    const place = items.findIndex((item) => item.id === input.id);
    const item = items[place];
    if (!item) throw missing('subscription item', input.id, `${param}[id]`, 400);
    if (input.deleted) {
      items.splice(place, 1);
      continue;
    }
    if (input.price && input.price !== item.price.id) {
      item.price = sellablePrice(world, input.price, `${param}[price]`);
      item.plan = planOf(item.price);
    }
    const quantity = quantityOf(item.price, input.quantity, `${param}[quantity]`);
    if (quantity === undefined) delete item.quantity;
    else if (input.quantity !== undefined) item.quantity = quantity;
    else item.quantity ??= quantity;
    if (input.tax_rates !== undefined)
      item.tax_rates = taxRatesOf(world, input.tax_rates, `${param}[tax_rates]`);
    if (input.metadata !== undefined) item.metadata = p.mergedMetadata(item.metadata, input.metadata);
  }
  return items;
}
