import { invalid } from '../http/errors.ts';
import type { Invoice, PaymentIntent, PaymentMethod, Subscription } from '../http/wire.ts';
import { subscriptionOf } from '../invoices/invoices.ts';
import { emit, timeOf, type World } from '../store/world.ts';
import { afterFailure, afterPayment } from '../subscriptions/subscription-status.ts';
import { bankDecline, DECLINED, type Decline, requiresAuthentication } from './cards.ts';
import { type OpenPayment, paymentOf, recordCharge } from './payment-records.ts';

export type Outcome =
  | { paid: true }
  | { paid: false; reason: 'declined'; decline: Decline }
  | { paid: false; reason: 'authentication' }
  | { paid: false; reason: 'no_card' };

/**
 * The card that an invoice would be charged to: the subscription's, otherwise the customer's default. A payment method comes
 * before a source of the older kind.
 */
export function cardFor(
  world: World,
  subscription:
    | (Pick<Subscription, 'default_payment_method' | 'customer'> &
        Partial<Pick<Subscription, 'default_source'>>)
    | null,
  customer: string | null,
): PaymentMethod | null {
  const owner = world.state.customers[customer ?? ''];
  const id =
    subscription?.default_payment_method ??
    subscription?.default_source ??
    owner?.invoice_settings.default_payment_method ??
    owner?.default_source;
  return (id && world.state.payment_methods[id]) || null;
}

/** The outcome of charging a card, without charging it. */
export function simulateCharge(world: World, method: PaymentMethod | null): Outcome {
  const card = method && world.state.cards[method.id];
  if (method?.type === 'link') return { paid: true };
  if (!method?.card || !card) return { paid: false, reason: 'no_card' };
  const expiry = Date.UTC(method.card.exp_year, method.card.exp_month, 1) / 1000;
  if (expiry <= timeOf(world, world.state.customers[method.customer ?? '']?.test_clock ?? null))
    return {
      paid: false,
      reason: 'declined',
      decline: { code: 'expired_card', message: 'Your card has expired.' },
    };
  const decline = bankDecline(card);
  if (decline) return { paid: false, reason: 'declined', decline };
  if (requiresAuthentication(card)) return { paid: false, reason: 'authentication' };
  return { paid: true };
}

/** Tries to collect an open invoice, or sends it. `authenticated`: after 3-D Secure. `byHand`: not counted as automatic. */
export function collect(
  world: World,
  invoice: Invoice,
  options: { method?: PaymentMethod; authenticated?: boolean; byHand?: boolean } = {},
): Outcome {
  const subscription = subscriptionOf(world, invoice);
  if (invoice.amount_remaining === 0) {
    settle(world, invoice);
    return { paid: true };
  }
  if (invoice.collection_method === 'send_invoice' && !options.method && !options.byHand) {
    emit(world, 'invoice.sent', invoice);
    return { paid: false, reason: 'no_card' };
  }
  const method = options.method ?? cardFor(world, subscription, invoice.customer);
  const result = simulateCharge(world, method);
  const outcome =
    options.authenticated && !result.paid && result.reason === 'authentication'
      ? { paid: true as const }
      : result;
  const payment = paymentOf(world, invoice.id);
  invoice.attempted = true;
  invoice.attempt_count += 1;
  if (outcome.paid && method && payment) {
    if (world.state.settings.charges === 'pending') {
      invoice.next_payment_attempt = null;
      leaveUnderWay(world, payment.intent, method);
    } else pay(world, invoice, payment, method);
    return outcome;
  }
  if (!outcome.paid && payment && outcome.reason === 'declined' && method)
    recordCharge(world, invoice, payment.intent, method, outcome.decline);
  if (!outcome.paid && payment && outcome.reason === 'authentication' && method) {
    payment.intent.status = 'requires_action';
    payment.intent.payment_method = method.id;
    payment.intent.next_action = {
      redirect_to_url: { return_url: null, url: `${world.publicUrl}/i/${invoice.id}` },
      type: 'redirect_to_url',
    };
    emit(world, 'payment_intent.requires_action', payment.intent);
    emit(world, 'invoice.payment_action_required', invoice);
  }
  afterFailure(world, invoice, options.byHand ?? false);
  emit(world, 'invoice.payment_failed', invoice);
  return outcome;
}

/** The bank has the charge, and answers days later; until then an invoice stays open, and is not retried. */
export function leaveUnderWay(world: World, intent: PaymentIntent, method: PaymentMethod): void {
  intent.status = 'processing';
  intent.payment_method = method.id;
  emit(world, 'payment_intent.processing', intent);
}

function pay(world: World, invoice: Invoice, { payment, intent }: OpenPayment, method: PaymentMethod): void {
  recordCharge(world, invoice, intent, method, null);
  payment.status = 'paid';
  payment.amount_paid = intent.amount;
  payment.status_transitions.paid_at = timeOf(world, invoice.test_clock);
  settle(world, invoice);
}

function chargeUnderWay(world: World): { invoice: Invoice; open: OpenPayment; method: PaymentMethod } {
  for (const payment of Object.values(world.state.invoice_payments).reverse()) {
    const intent = world.state.payment_intents[payment.payment.payment_intent ?? ''];
    const invoice = world.state.invoices[payment.invoice];
    const method = world.state.payment_methods[intent?.payment_method ?? ''];
    if (intent?.status === 'processing' && invoice && method)
      return { invoice, open: { payment, intent }, method };
  }
  throw invalid('No charge is under way.');
}

export function settleCharge(world: World): Invoice {
  const { invoice, open, method } = chargeUnderWay(world);
  pay(world, invoice, open, method);
  return invoice;
}

export function failCharge(world: World): Invoice {
  const { invoice, open, method } = chargeUnderWay(world);
  recordCharge(world, invoice, open.intent, method, DECLINED);
  afterFailure(world, invoice, false);
  emit(world, 'invoice.payment_failed', invoice);
  return invoice;
}

/** Marks an invoice as paid and updates its subscription. */
export function settle(world: World, invoice: Invoice): void {
  invoice.status = 'paid';
  delete invoice.status_details;
  invoice.auto_advance = false;
  invoice.attempted = true;
  invoice.amount_paid = invoice.amount_due;
  invoice.amount_remaining = 0;
  invoice.next_payment_attempt = null;
  delete world.state.automatic_attempts[invoice.id];
  invoice.status_transitions.paid_at = timeOf(world, invoice.test_clock);
  emit(world, 'invoice.paid', invoice);
  emit(world, 'invoice.payment_succeeded', invoice);
  afterPayment(world, invoice);
}
