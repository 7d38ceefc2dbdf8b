import type { BillingDeps } from '../billing-context.ts';
import type { FetchedPayment } from '../state/fetched-invoice.ts';
import type { FetchedSubscription } from '../state/fetched-subscription.ts';
import { fetchSnapshot } from '../state/stripe-snapshot.ts';
import { differences } from './smoke-report.ts';
import type { Stage, StageTier } from './smoke-stage.ts';

export interface Seen {
  subscription: FetchedSubscription;
  /** Newest first. */
  payments: FetchedPayment[];
}

export interface Subscriber extends Stage {
  clock: string;
  payer: string;
}

const count = (wanted: number) => (value: unknown) => Array.isArray(value) && value.length === wanted;
export const isPresent = (value: unknown) => value !== null && value !== undefined && value !== '';

/** The subscriber as the product reads it. Throws Stripe's errors. */
export async function readSubscriber(deps: BillingDeps, { payer }: Subscriber): Promise<Seen> {
  const { subscriptions, payments } = await fetchSnapshot(deps, payer);
  const [subscription] = subscriptions;
  if (!subscription) throw new Error('no subscription is found');
  return { subscription, payments: payments.toSorted((a, b) => b.paid_at.getTime() - a.paid_at.getTime()) };
}

/** Differences between a payment as read and as expected. */
export function paidFor(payment: FetchedPayment | undefined, expected: Record<string, unknown>): string[] {
  if (!payment) return ['no payment is found'];
  const charged = [
    { payment_intent: payment.payment_intents[0], refundable_cents: payment.amount_paid_cents },
  ];
  return differences(payment, {
    amount_refunded_cents: 0,
    disputed: false,
    payment_intents: count(1),
    charges: charged,
    number: isPresent,
    hosted_url: isPresent,
    ...expected,
  }).map((text) => `of the payment: ${text}`);
}

export const periodOf = (
  { current_period_start, current_period_end }: FetchedSubscription,
  { price }: StageTier,
) => [{ start: current_period_start, end: current_period_end, stripe_price_id: price }];
