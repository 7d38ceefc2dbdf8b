import type Stripe from 'stripe';
import type { BillingDeps } from '../billing-context.ts';
import {
  CANCEL,
  COME_BACK,
  changeParams,
  changePreviewParams,
  END_NOW,
  KEEP,
  pauseParams,
  refundParams,
} from '../request-params.ts';
import type { FetchedSubscription } from '../state/fetched-subscription.ts';
import { releaseSchedule, schedulePrice } from '../subscription/schedule.ts';
import { PAST_DRAFT_MS, tryBeliefs } from './smoke-beliefs.ts';
import { isPresent, paidFor, periodOf, readSubscriber, type Seen, type Subscriber } from './smoke-look.ts';
import { differences, type Recorder } from './smoke-report.ts';
import { advanceClock, type StageTier } from './smoke-stage.ts';

const DAY_MS = 86_400_000;
const REFUNDED_CENTS = 100;

const after = (date: Date, days: number) => new Date(date.getTime() + days * DAY_MS);

/** Takes one subscription through what members and staff can do with it, each step read by the product's own readers. */
export async function trySubscription(deps: BillingDeps, recorder: Recorder, at: Subscriber): Promise<void> {
  const [cheap, dear] = at.tiers;
  const first = await subscribe(deps, recorder, at, cheap);
  // The steps below need a first payment.
  if (!first) return;
  const { id } = first.subscription;
  await upgrade(deps, recorder, at, first);
  await schedule(deps, recorder, at, id);
  await pauseAndReturn(deps, recorder, at, id);
  await renew(deps, recorder, at, dear);
  await refund(deps, recorder, at);
  await tryBeliefs(deps, recorder, at, id);
  await end(deps, recorder, at, id);
}

function subscribe(deps: BillingDeps, { step }: Recorder, at: Subscriber, tier: StageTier) {
  const metadata = { tier: tier.tier_name, application_id: at.id, attempt_id: at.id };
  const params: Stripe.SubscriptionCreateParams = {
    customer: at.payer,
    items: [{ price: tier.price }],
    metadata,
    automatic_tax: at.taxed ? { enabled: true } : undefined,
  };
  return step(
    'subscription',
    async () => {
      await deps.stripe.subscriptions.create(params);
      return readSubscriber(deps, at);
    },
    ({ subscription, payments }) => [
      ...differences(subscription, {
        status: 'active',
        amount_cents: tier.amount_cents,
        add_ons_cents: 0,
        currency: deps.currency,
        tax_behavior: deps.taxBehavior,
        stripe_price_id: tier.price,
        stripe_product_id: tier.product,
        price_tier: tier.tier_name,
        is_monthly: true,
        cancel_at_period_end: false,
        ended_at: null,
        pinned: null,
        customer_default: (it: FetchedSubscription['customer_default']) => it?.card?.last4 === '4242',
        schedule: null,
        pending_update: null,
        pause: null,
        metadata,
      }),
      ...paidFor(payments[0], {
        currency: deps.currency,
        amount_paid_cents: at.taxed ? isPresent : tier.amount_cents,
        periods: periodOf(subscription, tier),
        changes: [],
      }),
    ],
  );
}

async function upgrade(deps: BillingDeps, { step }: Recorder, at: Subscriber, { subscription }: Seen) {
  const [, dear] = at.tiers;
  const { id, current_period_start } = subscription;
  const moment = after(current_period_start, 10);
  await step(
    'upgrade',
    async () => {
      await advanceClock(deps.stripe, at.clock, moment);
      const change = { item: subscription.item.id, price: dear.price, at: moment };
      const shown = await deps.stripe.invoices.createPreview(changePreviewParams(id, change));
      await deps.stripe.subscriptions.update(id, changeParams(change, 'error_if_incomplete'));
      return { shown, ...(await readSubscriber(deps, at)) };
    },
    ({ shown, subscription: now, payments }) => [
      ...differences(now, { stripe_price_id: dear.price, amount_cents: dear.amount_cents }),
      ...paidFor(payments[0], {
        amount_paid_cents: shown.amount_due,
        periods: [],
        changes: [{ start: moment, end: now.current_period_end, stripe_price_id: dear.price }],
      }),
    ],
  );
}

async function schedule(deps: BillingDeps, { step }: Recorder, at: Subscriber, id: string) {
  const [cheap, dear] = at.tiers;
  const row = {
    stripe_subscription_id: id,
    stripe_schedule_id: null,
    stripe_price_id: dear.price,
  };
  const scheduled = await step(
    'scheduled downgrade',
    async () => {
      await schedulePrice(deps, row, cheap.price, at.id);
      return readSubscriber(deps, at);
    },
    ({ subscription: { schedule, current_period_end } }) =>
      differences(schedule ?? {}, {
        id: isPresent,
        next: { stripe_price_id: cheap.price, starts_at: current_period_end },
      }),
  );
  const made = scheduled?.subscription.schedule?.id;
  if (!made) return;
  await step(
    'downgrade withdrawn',
    async () => {
      await releaseSchedule(deps, made);
      return readSubscriber(deps, at);
    },
    ({ subscription }) => differences(subscription, { schedule: null, stripe_price_id: dear.price }),
  );
}

async function pauseAndReturn(deps: BillingDeps, { step, belief }: Recorder, at: Subscriber, id: string) {
  const [, dear] = at.tiers;
  const paused = await step(
    'pause',
    async () => {
      const { subscription } = await readSubscriber(deps, at);
      const resumes_at = after(subscription.current_period_end, 31);
      await deps.stripe.subscriptions.update(id, pauseParams(resumes_at));
      return { resumes_at, began: subscription.current_period_start, ...(await readSubscriber(deps, at)) };
    },
    ({ subscription, resumes_at }) => differences(subscription, { status: 'active', pause: { resumes_at } }),
  );
  if (!paused) return;
  const moment = after(paused.began, 11);
  await step(
    'return from a pause',
    async () => {
      await advanceClock(deps.stripe, at.clock, moment);
      await deps.stripe.subscriptions.update(id, COME_BACK);
      return readSubscriber(deps, at);
    },
    ({ subscription, payments }) => [
      ...differences(subscription, { status: 'active', pause: null, current_period_start: moment }),
      ...paidFor(payments[0], { periods: periodOf(subscription, dear), changes: [] }),
    ],
  );
  await belief('a pause cleared with an anchor of now', 'billed at once', async () => {
    const [payment] = (await readSubscriber(deps, at)).payments;
    const isBilled = payment?.periods.some(({ start }) => start.getTime() === moment.getTime());
    return isBilled ? 'billed at once' : 'not billed';
  });
}

async function renew(deps: BillingDeps, { step }: Recorder, at: Subscriber, tier: StageTier) {
  await step(
    'renewal',
    async () => {
      const before = (await readSubscriber(deps, at)).subscription.current_period_end;
      await advanceClock(deps.stripe, at.clock, new Date(before.getTime() + PAST_DRAFT_MS));
      return { before, ...(await readSubscriber(deps, at)) };
    },
    ({ before, subscription, payments }) => [
      ...differences(subscription, { status: 'active', current_period_start: before }),
      ...paidFor(payments[0], { periods: periodOf(subscription, tier), changes: [] }),
    ],
  );
}

async function refund(deps: BillingDeps, { step }: Recorder, at: Subscriber) {
  await step(
    'refund',
    async () => {
      const [payment] = (await readSubscriber(deps, at)).payments;
      const part = {
        payment_intent: payment?.payment_intents[0] ?? '',
        amount_cents: REFUNDED_CENTS,
      };
      const terms = { reason: 'requested_by_customer', metadata: { refund_id: at.id } } as const;
      const { amount } = await deps.stripe.refunds.create(refundParams(terms, part));
      return { amount, payment, ...(await readSubscriber(deps, at)) };
    },
    ({ amount, payment, payments }) => [
      ...differences({ amount }, { amount: REFUNDED_CENTS }),
      ...differences(
        payments.find(({ stripe_invoice_id }) => stripe_invoice_id === payment?.stripe_invoice_id) ?? {},
        { amount_refunded_cents: REFUNDED_CENTS },
      ),
    ],
  );
}

async function end(deps: BillingDeps, { step }: Recorder, at: Subscriber, id: string) {
  const { subscriptions } = deps.stripe;
  const looked = (request: () => Promise<unknown>) => async () => {
    await request();
    return (await readSubscriber(deps, at)).subscription;
  };
  await step(
    'cancellation',
    looked(() => subscriptions.update(id, CANCEL)),
    (it) => differences(it, { status: 'active', cancel_at_period_end: true, canceled_at: isPresent }),
  );
  await step(
    'cancellation withdrawn',
    looked(() => subscriptions.update(id, KEEP)),
    (it) => differences(it, { status: 'active', cancel_at_period_end: false, cancel_at: null }),
  );
  await step(
    'end at once',
    looked(() => subscriptions.cancel(id, END_NOW)),
    (it) => differences(it, { status: 'canceled', ended_at: isPresent }),
  );
}
