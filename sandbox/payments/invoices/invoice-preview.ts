import type Stripe from 'stripe';
import { StripeFault } from '../http/errors.ts';
import * as p from '../http/params.ts';
import { type Route, route } from '../http/routes.ts';
import type { Invoice, InvoiceLine, Subscription, SubscriptionItem } from '../http/wire.ts';
import { newId, type World } from '../store/world.ts';
import { firstEnd, nextPeriod } from '../subscriptions/periods.ts';
import { changeFields, planChange } from '../subscriptions/subscription-change.ts';
import { findSubscription } from '../subscriptions/subscriptions.ts';
import { charged } from './amount-due.ts';
import { cycleLine } from './invoice-lines.ts';
import { buildInvoice } from './invoices.ts';
import { billsAtEnd, waitingFor } from './pending-items.ts';

/** The newest previews keep their lines for `GET /v1/invoices/:id/lines`. */
const PREVIEWS_KEPT = 20;

const details = p.record({
  ...changeFields,
  cancel_at: p.clearable(p.integer),
  cancel_at_period_end: p.flag,
  billing_cycle_anchor: p.record({
    type: p.needed(p.word<Stripe.InvoiceCreatePreviewParams.SubscriptionDetails.BillingCycleAnchor.Type>()),
  }),
});

function nothingComing(): StripeFault {
  return new StripeFault(404, {
    type: 'invalid_request_error',
    code: 'invoice_upcoming_none',
    message: 'No upcoming invoices for customer',
  });
}

function renewalLines(world: World, subscription: Subscription, items: SubscriptionItem[]): InvoiceLine[] {
  const end = firstEnd(items);
  return items
    .filter((item) => item.current_period_end === end)
    .map((item) => cycleLine(world, subscription.id, item, nextPeriod(subscription, item)));
}

function preview(
  world: World,
  subscription: Subscription,
  reason: Invoice['billing_reason'],
  lines: InvoiceLine[],
): Invoice {
  const id = newId('upcoming_in');
  const invoice = buildInvoice(world, subscription, reason ?? 'upcoming', lines, id);
  const item = subscription.items.data[0];
  invoice.next_payment_attempt = reason === 'upcoming' ? (item?.current_period_end ?? null) : null;
  invoice.period_start = item?.current_period_start ?? invoice.created;
  invoice.period_end = item?.current_period_end ?? invoice.created;
  invoice.ending_balance = charged(invoice.total + invoice.starting_balance, invoice.currency).balance;
  invoice.webhooks_delivered_at = null;
  world.previews.set(id, invoice);
  for (const oldest of world.previews.keys())
    if (world.previews.size > PREVIEWS_KEPT) world.previews.delete(oldest);
  return invoice;
}

export const previewRoutes: Route[] = [
  route(
    'POST',
    '/v1/invoices/create_preview',
    { subscription: p.needed(p.text), subscription_details: details },
    ({ world, params }) => {
      const input = params.subscription_details ?? {};
      const subscription = findSubscription(world, params.subscription, 'subscription');
      if (subscription.ended_at !== null || subscription.status === 'paused') throw nothingComing();
      const waiting = waitingFor(world, subscription).map(({ line }) => structuredClone(line));
      const { billing_cycle_anchor: anchor, cancel_at, cancel_at_period_end, ...changes } = input;
      const renewal = (items: SubscriptionItem[]) =>
        endsWithPeriod(subscription, items, { cancel_at, cancel_at_period_end })
          ? []
          : renewalLines(world, subscription, items);
      const restarts = anchor?.type === 'now';
      if (!input.items && !restarts && input.trial_end === undefined) {
        const month = renewal(subscription.items.data);
        if (month.length === 0 && !billsAtEnd(world, subscription)) throw nothingComing();
        return preview(world, subscription, 'upcoming', [...waiting, ...month]);
      }
      const plan = planChange(world, subscription, {
        ...changes,
        billing_cycle_anchor: restarts ? 'now' : 'unchanged',
      });
      const lines = [...waiting, ...plan.prorations, ...plan.cycle];
      const atOnce = input.proration_behavior === 'always_invoice' || plan.anchor !== null;
      if (atOnce) return dated(preview(world, subscription, 'subscription_update', lines), plan.at);
      return dated(preview(world, subscription, 'upcoming', [...lines, ...renewal(plan.items)]), plan.at);
    },
  ),
];

/** Whether no period follows: the subscription ends by then, with the end that the preview assumes. */
function endsWithPeriod(
  subscription: Subscription,
  items: SubscriptionItem[],
  assumed: { cancel_at?: number | null | undefined; cancel_at_period_end?: boolean | undefined },
): boolean {
  if (assumed.cancel_at_period_end !== undefined) return assumed.cancel_at_period_end;
  const cancel_at = assumed.cancel_at === undefined ? subscription.cancel_at : assumed.cancel_at;
  return cancel_at !== null && cancel_at <= firstEnd(items);
}

function dated(invoice: Invoice, at: number): Invoice {
  const details = invoice.parent?.subscription_details;
  if (details) details.subscription_proration_date = at;
  return invoice;
}
