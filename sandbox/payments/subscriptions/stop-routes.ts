import { invalid } from '../http/errors.ts';
import * as p from '../http/params.ts';
import { type Route, route } from '../http/routes.ts';
import type { Subscription } from '../http/wire.ts';
import { cycleLine, remainingLine, unusedLine } from '../invoices/invoice-lines.ts';
import { draftInvoice, finalize } from '../invoices/invoices.ts';
import { collect } from '../resources/charging.ts';
import { timeOf, type World } from '../store/world.ts';
import { bill } from './bill.ts';
import { boundary, MONTHLY, nextBoundary } from './periods.ts';
import { start, stop } from './stop.ts';
import { findSubscription } from './subscriptions.ts';

/** A resumption that is not paid within this time is canceled. */
const RESUME_SECONDS = 23 * 3600;

const type = p.record({ type: p.needed(p.oneOf('item_current_period_start', 'none', 'now')) });
const pauseFields = {
  bill_for: p.record({
    unused_time_from: type,
  }),
  invoicing_behavior: p.oneOf('invoice', 'pending_invoice_item'),
  type: p.oneOf('subscription'),
};
const resumeFields = {
  billing_cycle_anchor: p.record({ type: p.needed(p.oneOf('now', 'unchanged')) }),
  payment_behavior: p.oneOf('resume_on_payment_attempt', 'resume_on_payment_success'),
  proration_behavior: p.oneOf('always_invoice', 'create_prorations', 'none'),
  proration_date: p.integer,
};

function pause(world: World, subscription: Subscription, params: p.Params<typeof pauseFields>): void {
  if (subscription.schedule) throw invalid('Subscriptions with attached schedules cannot be paused.');
  if (!['active', 'trialing', 'past_due'].includes(subscription.status))
    throw invalid(`You cannot pause a subscription that is \`${subscription.status}\`.`);
  const from = params.bill_for?.unused_time_from?.type ?? 'now';
  const now = timeOf(world, subscription.test_clock);
  const credits =
    from === 'none' || subscription.status !== 'active'
      ? []
      : subscription.items.data.map((item) =>
          unusedLine(world, subscription.id, item, from === 'now' ? now : item.current_period_start),
        );
  bill(world, subscription, credits, params.invoicing_behavior === 'invoice');
  stop(world, subscription, 'pause_requested');
}

/**
 * Starts a new period now, once its invoice is paid or, by default, an attempt to pay it has been made; or continues the
 * original periods at once.
 */
function resume(world: World, subscription: Subscription, params: p.Params<typeof resumeFields>): void {
  if (subscription.status !== 'paused')
    throw invalid(`You cannot resume a subscription that is \`${subscription.status}\`.`);
  const now = timeOf(world, subscription.test_clock);
  const interval = subscription.items.data[0]?.price.recurring ?? MONTHLY;
  if (params.billing_cycle_anchor?.type === 'unchanged') {
    const end = nextBoundary(subscription.billing_cycle_anchor, interval, now);
    const period = { start: boundary(end, interval, -1), end };
    const behavior = params.proration_behavior ?? 'create_prorations';
    start(world, subscription, 'active', period);
    const debits = subscription.items.data.map((item) =>
      remainingLine(world, subscription.id, item, period, params.proration_date ?? now),
    );
    if (behavior !== 'none') bill(world, subscription, debits, behavior === 'always_invoice');
    return;
  }
  const period = { start: now, end: nextBoundary(now, interval, now) };
  const lines = subscription.items.data.map((item) => {
    const end = nextBoundary(now, item.price.recurring ?? MONTHLY, now);
    return cycleLine(world, subscription.id, item, { start: now, end });
  });
  const invoice = draftInvoice(world, subscription, 'subscription_update', lines);
  const cause = params.payment_behavior === 'resume_on_payment_success' ? 'success' : 'attempt';
  const expires_at = now + RESUME_SECONDS;
  world.state.resumptions[subscription.id] = { invoice: invoice.id, period, expires_at, on: cause };
  subscription.latest_invoice = invoice.id;
  subscription.billing_cycle_anchor = now;
  finalize(world, invoice);
  if (cause === 'success' || invoice.amount_due === 0) collect(world, invoice);
}

export const stopRoutes: Route[] = [
  route('POST', '/v1/subscriptions/:id/pause', pauseFields, ({ world, id, params }) => {
    const subscription = findSubscription(world, id);
    pause(world, subscription, params);
    return subscription;
  }),
  route('POST', '/v1/subscriptions/:id/resume', resumeFields, ({ world, id, params }) => {
    const subscription = findSubscription(world, id);
    resume(world, subscription, params);
    return subscription;
  }),
];
