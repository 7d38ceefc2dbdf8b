import type Stripe from 'stripe';
import { cardDeclined, invalid } from '../http/errors.ts';
import * as p from '../http/params.ts';
import type { InvoiceLine, Subscription } from '../http/wire.ts';
import { redeem, wantedDiscounts } from '../invoices/discounts.ts';
import { buildInvoice, draftInvoice, finalize } from '../invoices/invoices.ts';
import { leaveProrations, waitingFor } from '../invoices/pending-items.ts';
import { cardFor, collect, type Outcome, simulateCharge } from '../resources/charging.ts';
import { findPaymentMethod, refuseForeignMethod } from '../resources/payment-methods.ts';
import { taxRateIds, taxRatesOf } from '../resources/tax-rates.ts';
import { changed, timeOf, type World } from '../store/world.ts';
import { collectionFields, setCollection } from './collection.ts';
import { applyPlan, type PlannedChange } from './item-plan.ts';
import { leaveUncollected } from './pause-collection.ts';
import { dropPendingUpdate, pendingUntil } from './pending-update.ts';
import { firstEnd } from './periods.ts';
import { changeFields, planChange } from './subscription-change.ts';
import { automaticTax } from './subscription-create.ts';
import { trialFields, trialSettings } from './trials.ts';

export const updateFields = {
  ...changeFields,
  ...collectionFields,
  ...trialFields,
  billing_cycle_anchor: p.record({
    type: p.needed(p.word<Stripe.SubscriptionUpdateParams.BillingCycleAnchor.Type>()),
  }),
  pause_collection: p.clearable(
    p.record({
      behavior: p.needed(p.word<Stripe.SubscriptionUpdateParams.PauseCollection.Behavior>()),
      resumes_at: p.integer,
    }),
  ),
  automatic_tax: p.record({ enabled: p.needed(p.flag) }),
  cancel_at: p.clearable(p.integer),
  cancel_at_period_end: p.flag,
  default_payment_method: p.clearable(p.text),
  default_source: p.clearable(p.text),
  default_tax_rates: taxRateIds,
  discounts: wantedDiscounts,
  metadata: p.metadata,
  payment_behavior: p.word<Stripe.SubscriptionUpdateParams.PaymentBehavior>(),
};
type Update = p.Params<typeof updateFields>;

/** The error for a payment that fails, in Stripe's words for each cause: 402, or 400 if there is no card. */
export function unpaid(outcome: Exclude<Outcome, { paid: true }>): Error {
  if (outcome.reason === 'declined') return cardDeclined(outcome.decline);
  if (outcome.reason === 'authentication')
    return cardDeclined({
      code: 'subscription_payment_intent_requires_action',
      message:
        'Payment for this subscription requires additional user action before it can be completed successfully. Payment can be completed using the PaymentIntent associated with `subscription.latest_invoice`.',
    });
  return invalid(
    'This customer has no attached payment source or default payment method. Please consider adding a default payment method.',
    undefined,
    'resource_missing',
  );
}

function refuseWhatCannotBe(world: World, subscription: Subscription, update: Update): void {
  if (subscription.ended_at !== null) {
    const { metadata: _metadata, ...rest } = update;
    if (Object.keys(rest).length > 0)
      throw invalid('A canceled subscription can only update its cancellation_details and metadata.');
  }
  if (subscription.status === 'incomplete' && update.items)
    throw invalid(
      'A subscription with the status `incomplete` can only update its metadata or default_payment_method.',
    );
  if (update.cancel_at_period_end && update.cancel_at)
    throw invalid('You cannot set both `cancel_at` and `cancel_at_period_end`.', 'cancel_at');
  if (typeof update.cancel_at === 'number' && update.cancel_at <= timeOf(world, subscription.test_clock))
    throw invalid('Invalid timestamp: must be an integer Unix time in the future.', 'cancel_at');
  const resumes_at = update.pause_collection?.resumes_at;
  if (resumes_at !== undefined && resumes_at <= timeOf(world, subscription.test_clock))
    throw invalid(
      'Invalid timestamp: must be an integer Unix time in the future.',
      'pause_collection[resumes_at]',
    );
  const ends = update.cancel_at_period_end !== undefined || update.cancel_at !== undefined;
  if (subscription.schedule && ends)
    throw invalid(
      `The subscription is managed by the subscription schedule \`${subscription.schedule}\`, and updating any cancelation behavior directly is not allowed. Please update the schedule instead.`,
    );
  if (update.default_payment_method)
    refuseForeignMethod(
      world,
      subscription.customer,
      update.default_payment_method,
      'default_payment_method',
    );
}

/** Updates a subscription. Checks everything before it changes anything; bills a change of items as requested. */
export function updateSubscription(world: World, subscription: Subscription, update: Update): Subscription {
  refuseWhatCannotBe(world, subscription, update);
  const { billing_cycle_anchor, ...rest } = update;
  const restarts = billing_cycle_anchor?.type === 'now';
  const change = { ...rest, ...(restarts ? { billing_cycle_anchor: 'now' as const } : {}) };
  const isPlanned = update.items || restarts || update.trial_end !== undefined;
  const plan = isPlanned ? planChange(world, subscription, change) : null;
  const lines = plan ? [...plan.prorations, ...plan.cycle] : [];
  const billsNow =
    lines.length > 0 && (update.proration_behavior === 'always_invoice' || plan?.anchor !== null);
  // Nothing is collected while pausing, so the card does not matter.
  const pause =
    update.pause_collection === undefined ? subscription.pause_collection : update.pause_collection;
  const expected =
    billsNow && !pause && subscription.collection_method === 'charge_automatically'
      ? expectedOutcome(world, subscription, update, lines)
      : { paid: true as const };

  if (!expected.paid && update.payment_behavior === 'error_if_incomplete') throw unpaid(expected);
  // A newer change replaces one that still waits for its payment.
  if (plan) dropPendingUpdate(world, subscription);
  if (!expected.paid && plan && update.payment_behavior === 'pending_if_incomplete') {
    holdBack(world, subscription, update, plan);
    return subscription;
  }

  const invoice = billsNow ? draftInvoice(world, subscription, 'subscription_update', lines) : null;
  changed(world, 'customer.subscription.updated', subscription, () => {
    applyPlain(world, subscription, update);
    if (plan) {
      applyPlan(subscription, plan);
      subscription.pending_update = null;
    }
    if (invoice) subscription.latest_invoice = invoice.id;
  });
  if (invoice && subscription.pause_collection) leaveUncollected(world, subscription, invoice);
  else if (invoice) {
    finalize(world, invoice);
    if (update.payment_behavior !== 'default_incomplete' || invoice.amount_due === 0) collect(world, invoice);
  } else leaveProrations(world, subscription, lines);
  return subscription;
}

function expectedOutcome(
  world: World,
  subscription: Subscription,
  update: Update,
  lines: InvoiceLine[],
): Outcome {
  const items = waitingFor(world, subscription);
  const allLines = structuredClone([...items.map((item) => item.line), ...lines]);
  if (buildInvoice(world, subscription, 'subscription_update', allLines).amount_due === 0)
    return { paid: true };
  const method = update.default_payment_method
    ? findPaymentMethod(world, update.default_payment_method)
    : cardFor(world, subscription, subscription.customer);
  return simulateCharge(world, method);
}

/** Issues an invoice whose payment fails; the change waits in `pending_update` until it is paid. */
function holdBack(world: World, subscription: Subscription, update: Update, plan: PlannedChange): void {
  const invoice = draftInvoice(world, subscription, 'subscription_update', [
    ...plan.prorations,
    ...plan.cycle,
  ]);
  invoice.auto_advance = false;
  changed(world, 'customer.subscription.updated', subscription, () => {
    subscription.latest_invoice = invoice.id;
    subscription.pending_update = {
      billing_cycle_anchor: plan.anchor,
      cancel_at_period_end: update.cancel_at_period_end ?? null,
      discount: null,
      discounts: null,
      expires_at: pendingUntil(world, subscription),
      metadata: update.metadata ? p.mergedMetadata(subscription.metadata, update.metadata) : null,
      subscription_items: plan.items,
      trial_end: null,
      trial_from_plan: null,
    };
  });
  finalize(world, invoice);
  collect(world, invoice);
}

function applyPlain(world: World, subscription: Subscription, update: Update): void {
  const now = timeOf(world, subscription.test_clock);
  const end = firstEnd(subscription.items.data);
  if (update.metadata !== undefined)
    subscription.metadata = p.mergedMetadata(subscription.metadata, update.metadata);
  if (update.automatic_tax) subscription.automatic_tax = automaticTax(update.automatic_tax.enabled);
  if (update.pause_collection !== undefined)
    subscription.pause_collection = update.pause_collection && {
      behavior: update.pause_collection.behavior,
      resumes_at: update.pause_collection.resumes_at ?? null,
    };
  if (update.default_payment_method !== undefined)
    subscription.default_payment_method = update.default_payment_method;
  if (update.default_source !== undefined) subscription.default_source = update.default_source;
  setCollection(subscription, update);
  if (update.trial_settings) subscription.trial_settings = trialSettings(update.trial_settings);
  if (update.default_tax_rates !== undefined)
    subscription.default_tax_rates = taxRatesOf(world, update.default_tax_rates, 'default_tax_rates');
  if (update.discounts !== undefined) subscription.discounts = redeem(world, subscription, update.discounts);
  if (
    update.cancel_at_period_end !== undefined &&
    update.cancel_at_period_end !== subscription.cancel_at_period_end
  ) {
    subscription.cancel_at_period_end = update.cancel_at_period_end;
    scheduleEnd(subscription, update.cancel_at_period_end ? end : null, now);
  }
  if (update.cancel_at !== undefined) {
    subscription.cancel_at_period_end = false;
    scheduleEnd(subscription, update.cancel_at, now);
  }
}

function scheduleEnd(subscription: Subscription, end: number | null, now: number): void {
  subscription.cancel_at = end;
  subscription.canceled_at = end === null ? null : now;
  if (subscription.cancellation_details)
    subscription.cancellation_details.reason = end === null ? null : 'cancellation_requested';
}
