import type Stripe from 'stripe';
import { invalid, missing } from '../http/errors.ts';
import * as p from '../http/params.ts';
import { type Route, route } from '../http/routes.ts';
import { page, pageInOrder, type Subscription } from '../http/wire.ts';
import { wantedDiscounts } from '../invoices/discounts.ts';
import { cardFor, simulateCharge } from '../resources/charging.ts';
import { findCustomer } from '../resources/customers.ts';
import { refuseForeignMethod } from '../resources/payment-methods.ts';
import { costOf, quantityOf, refuseOtherCurrency, sellablePrice } from '../resources/price-lookup.ts';
import { taxRateIds, taxRatesOf } from '../resources/tax-rates.ts';
import { finder, timeOf, type World } from '../store/world.ts';
import { collectionFields, daysUntilDue } from './collection.ts';
import { nextBoundary } from './periods.ts';
import { type NewSubscription, startSubscription } from './subscription-create.ts';
import { cancelNow } from './subscription-end.ts';
import { unpaid, updateFields, updateSubscription } from './subscription-update.ts';
import { trialEndOf, trialFields, trialSettings } from './trials.ts';

export const findSubscription = finder('subscription', (state) => state.subscriptions);

const createFields = {
  customer: p.needed(p.text),
  items: p.needed(
    p.listOf(
      p.record({
        price: p.needed(p.text),
        quantity: p.integer,
        metadata: p.metadata,
        tax_rates: taxRateIds,
      }),
    ),
  ),
  automatic_tax: p.record({ enabled: p.needed(p.flag) }),
  backdate_start_date: p.integer,
  billing_cycle_anchor: p.integer,
  cancel_at: p.integer,
  cancel_at_period_end: p.flag,
  ...collectionFields,
  default_payment_method: p.text,
  default_tax_rates: taxRateIds,
  discounts: wantedDiscounts,
  metadata: p.metadata,
  payment_behavior: p.word<Stripe.SubscriptionCreateParams.PaymentBehavior>(),
  proration_behavior: p.word<Stripe.SubscriptionCreateParams.ProrationBehavior>(),
  ...trialFields,
  trial_period_days: p.integer,
};

function itemOf(world: World, input: { price: string; quantity?: number }, param: string) {
  const price = sellablePrice(world, input.price, `${param}[price]`);
  return { price, quantity: quantityOf(price, input.quantity, `${param}[quantity]`) };
}

function wishFrom(world: World, params: p.Params<typeof createFields>): NewSubscription {
  const customer = findCustomer(world, params.customer, 'customer');
  const now = timeOf(world, customer.test_clock ?? null);
  if (params.items.length === 0)
    throw invalid('Missing required param: items.', 'items', 'parameter_missing');
  if (params.billing_cycle_anchor !== undefined && params.billing_cycle_anchor <= now)
    throw invalid('Invalid timestamp: must be an integer Unix time in the future.', 'billing_cycle_anchor');
  const items = params.items.map((item, index) => ({
    ...itemOf(world, item, `items[${index}]`),
    metadata: p.mergedMetadata({}, item.metadata),
    tax_rates: taxRatesOf(world, item.tax_rates, `items[${index}][tax_rates]`),
  }));
  refuseOtherCurrency(world, customer, items[0]?.price.currency);
  const natural = items[0] && nextBoundary(now, items[0].price.recurring, now);
  if (params.billing_cycle_anchor !== undefined && natural && params.billing_cycle_anchor > natural)
    throw invalid(
      `billing_cycle_anchor cannot be later than next natural billing date (${natural}) for plan`,
      'billing_cycle_anchor',
    );
  if (params.default_payment_method)
    refuseForeignMethod(world, customer.id, params.default_payment_method, 'default_payment_method');
  return {
    customer: customer.id,
    items,
    metadata: p.mergedMetadata({}, params.metadata),
    default_payment_method: params.default_payment_method,
    anchor: params.billing_cycle_anchor,
    prorate: params.proration_behavior !== 'none',
    trial_end: params.trial_period_days
      ? now + params.trial_period_days * 86_400
      : trialEndOf(params.trial_end, now),
    trial_settings: trialSettings(params.trial_settings),
    days_until_due: daysUntilDue(params),
    cancel_at: params.cancel_at,
    cancel_at_period_end: params.cancel_at_period_end,
    discounts: params.discounts,
    backdate: params.backdate_start_date,
    automatic_tax: params.automatic_tax?.enabled,
    default_tax_rates: taxRatesOf(world, params.default_tax_rates, 'default_tax_rates'),
  };
}

export const subscriptionRoutes: Route[] = [
  route('POST', '/v1/subscriptions', createFields, ({ world, params }) => {
    const input = wishFrom(world, params);
    const behavior = params.payment_behavior ?? 'allow_incomplete';
    const due = input.items.reduce((sum, item) => sum + costOf(world, item), 0);
    const card = cardFor(
      world,
      { default_payment_method: input.default_payment_method ?? null, customer: input.customer },
      input.customer,
    );
    const charges = due > 0 && !input.trial_end && input.days_until_due === undefined;
    const expected = charges ? simulateCharge(world, card) : { paid: true as const };
    if (!expected.paid && behavior !== 'default_incomplete') {
      if (behavior === 'error_if_incomplete' || expected.reason === 'no_card') throw unpaid(expected);
    }
    return startSubscription(world, input, { leaveOpen: behavior === 'default_incomplete' }).subscription;
  }),
  route(
    'GET',
    '/v1/subscriptions',
    {
      ...p.paging,
      customer: p.text,
      status: p.word<Stripe.SubscriptionListParams.Status>(),
    },
    ({ world, params }) => {
      if (params.customer && !world.state.deleted_customers[params.customer])
        findCustomer(world, params.customer, 'customer');
      const fits = (subscription: Subscription) => {
        const filter = params.status;
        const status =
          filter === 'all' ||
          (filter === undefined && subscription.status !== 'canceled') ||
          (filter === 'ended' && ['canceled', 'incomplete_expired'].includes(subscription.status)) ||
          filter === subscription.status;
        return status && (params.customer === undefined || subscription.customer === params.customer);
      };
      return page(Object.values(world.state.subscriptions).filter(fits), params, '/v1/subscriptions');
    },
  ),
  route('GET', '/v1/subscriptions/:id', {}, ({ world, id }) => findSubscription(world, id)),
  route(
    'GET',
    '/v1/subscription_items',
    { ...p.paging, subscription: p.needed(p.text) },
    ({ world, params }) => {
      const { items } = findSubscription(world, params.subscription, 'subscription');
      return pageInOrder(items.data, params, '/v1/subscription_items');
    },
  ),
  route('POST', '/v1/subscriptions/:id', updateFields, ({ world, id, params }) =>
    updateSubscription(world, findSubscription(world, id), params),
  ),
  route(
    'DELETE',
    '/v1/subscriptions/:id',
    { invoice_now: p.oneOf('false'), prorate: p.oneOf('false') },
    ({ world, id }) => {
      const subscription = findSubscription(world, id);
      if (subscription.ended_at !== null) throw missing('subscription', id);
      cancelNow(world, subscription);
      return subscription;
    },
  ),
];
