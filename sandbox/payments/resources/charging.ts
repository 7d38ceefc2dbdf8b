import type { Invoice, PaymentMethod } from '../http/wire.ts';
import { subscriptionOf } from '../invoices/invoices.ts';
import { emit, timeOf, type World } from '../store/world.ts';
import { afterFailure, afterPayment } from '../subscriptions/subscription-status.ts';
import { bankAnswer, type Refusal, wantsAuthentication } from './cards.ts';
import { paymentOf, recordCharge } from './payment-records.ts';

export type Outcome =
  | { paid: true }
  | { paid: false; why: 'refused'; refusal: Refusal }
  | { paid: false; why: 'authentication' }
  | { paid: false; why: 'no_card' };

/** The card that an invoice would be charged to: the subscription's, else the customer's default. */
export function cardFor(
  world: World,
  subscription: { default_payment_method: string | null; customer: string } | null,
  customer: string | null,
): PaymentMethod | null {
  const id =
    subscription?.default_payment_method ??
    world.state.customers[customer ?? '']?.invoice_settings.default_payment_method;
  return (id && world.state.payment_methods[id]) || null;
}

/** What charging this card would give, without charging it. */
export function wouldPay(world: World, method: PaymentMethod | null): Outcome {
  const card = method && world.state.cards[method.id];
  if (!method?.card || !card) return { paid: false, why: 'no_card' };
  const over = Date.UTC(method.card.exp_year, method.card.exp_month, 1) / 1000;
  if (over <= timeOf(world, world.state.customers[method.customer ?? '']?.test_clock ?? null))
    return {
      paid: false,
      why: 'refused',
      refusal: { code: 'expired_card', message: 'Your card has expired.' },
    };
  const refusal = bankAnswer(card);
  if (refusal) return { paid: false, why: 'refused', refusal };
  if (wantsAuthentication(card)) return { paid: false, why: 'authentication' };
  return { paid: true };
}

/**
 * Tries to collect an open invoice and carries out what follows for its subscription.
 * `authenticated` says that the holder has just confirmed with the bank, `byHand` that somebody asked for this
 * very try: it leaves the schedule of automatic tries alone.
 */
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
  const method = options.method ?? cardFor(world, subscription, invoice.customer);
  const asked = wouldPay(world, method);
  const outcome =
    options.authenticated && !asked.paid && asked.why === 'authentication' ? { paid: true as const } : asked;
  const open = paymentOf(world, invoice.id);
  invoice.attempted = true;
  invoice.attempt_count += 1;
  if (outcome.paid && method && open) {
    recordCharge(world, invoice, open.intent, method, null);
    open.payment.status = 'paid';
    open.payment.amount_paid = open.intent.amount;
    open.payment.status_transitions.paid_at = timeOf(world, invoice.test_clock);
    settle(world, invoice);
    return outcome;
  }
  if (!outcome.paid && open && outcome.why === 'refused' && method)
    recordCharge(world, invoice, open.intent, method, outcome.refusal);
  if (!outcome.paid && open && outcome.why === 'authentication' && method) {
    open.intent.status = 'requires_action';
    open.intent.payment_method = method.id;
    open.intent.next_action = {
      redirect_to_url: { return_url: null, url: `${world.publicUrl}/i/${invoice.id}` },
      type: 'redirect_to_url',
    };
    emit(world, 'payment_intent.requires_action', open.intent);
    emit(world, 'invoice.payment_action_required', invoice);
  }
  afterFailure(world, invoice, options.byHand ?? false);
  emit(world, 'invoice.payment_failed', invoice);
  return outcome;
}

/** Marks an invoice paid, by whatever means, and carries out what follows. */
export function settle(world: World, invoice: Invoice): void {
  invoice.status = 'paid';
  invoice.auto_advance = false;
  invoice.attempted = true;
  invoice.amount_paid = invoice.amount_due;
  invoice.amount_remaining = 0;
  invoice.next_payment_attempt = null;
  delete world.state.automatic_tries[invoice.id];
  invoice.status_transitions.paid_at = timeOf(world, invoice.test_clock);
  emit(world, 'invoice.paid', invoice);
  emit(world, 'invoice.payment_succeeded', invoice);
  afterPayment(world, invoice);
}
