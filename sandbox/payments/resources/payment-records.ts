import { bookCharge } from '../balance/transactions.ts';
import { blank } from '../http/blank.ts';
import type { Charge, Invoice, InvoicePayment, PaymentIntent, PaymentMethod } from '../http/wire.ts';
import { clockOf, emit, newId, timeOf, type World } from '../store/world.ts';
import type { Decline } from './cards.ts';

type IntentFacts = Pick<
  PaymentIntent,
  'amount' | 'currency' | 'customer' | 'description' | 'created' | 'setup_future_usage'
> & { metadata?: PaymentIntent['metadata'] };

/** Creates an intent without a charge. */
export function createIntent(world: World, facts: IntentFacts): PaymentIntent {
  const id = newId('pi');
  const intent: PaymentIntent = {
    ...blank('payment_intent'),
    id,
    amount: facts.amount,
    amount_capturable: 0,
    amount_received: 0,
    capture_method: 'automatic',
    client_secret: `${id}_secret_${newId('s').slice(2)}`,
    confirmation_method: 'automatic',
    created: facts.created,
    currency: facts.currency,
    customer: facts.customer,
    description: facts.description,
    metadata: facts.metadata ?? {},
    payment_method_types: ['card'],
    setup_future_usage: facts.setup_future_usage,
    status: 'requires_payment_method',
  };
  world.state.payment_intents[id] = intent;
  return intent;
}

/** Creates the payment of an open invoice: an intent, and the link between the two. */
export function openPayment(world: World, invoice: Invoice): void {
  const now = timeOf(world, invoice.test_clock);
  const { id } = createIntent(world, {
    amount: invoice.amount_due,
    currency: invoice.currency,
    customer: invoice.customer,
    description:
      invoice.billing_reason === 'subscription_create' ? 'Subscription creation' : 'Subscription update',
    created: now,
    setup_future_usage: 'off_session',
  });
  linkPayment(world, invoice, id);
}

/** Links an invoice to the intent that pays for it. */
export function linkPayment(world: World, invoice: Invoice, id: string): InvoicePayment {
  const payment: InvoicePayment = {
    ...blank('invoice_payment'),
    id: newId('inpay'),
    amount_requested: invoice.amount_due,
    created: timeOf(world, invoice.test_clock),
    currency: invoice.currency,
    invoice: invoice.id,
    is_default: true,
    payment: { payment_intent: id, type: 'payment_intent' },
    status: 'open',
  };
  world.state.invoice_payments[payment.id] = payment;
  return payment;
}

export interface OpenPayment {
  payment: InvoicePayment;
  intent: PaymentIntent;
}

/** The invoice's payment and intent, if it has one. */
export function paymentOf(world: World, invoice: string): OpenPayment | null {
  const payment = Object.values(world.state.invoice_payments).find((entry) => entry.invoice === invoice);
  const intent = payment && world.state.payment_intents[payment.payment.payment_intent ?? ''];
  return payment && intent ? { payment, intent } : null;
}

/** Cancels the open payment of an invoice paid outside of Stripe, so that no charge is made. */
export function cancelPayment(world: World, invoice: Invoice): void {
  const payment = paymentOf(world, invoice.id);
  if (!payment) return;
  const now = timeOf(world, invoice.test_clock);
  payment.intent.status = 'canceled';
  payment.intent.canceled_at = now;
  payment.intent.next_action = null;
  payment.payment.status = 'canceled';
  payment.payment.status_transitions.canceled_at = now;
  emit(world, 'payment_intent.canceled', payment.intent);
}

/** Records a charge, updates its intent, and emits the events of both; `invoice` is null for a one-time payment. */
export function recordCharge(
  world: World,
  invoice: Pick<Invoice, 'id' | 'test_clock'> | null,
  intent: PaymentIntent,
  method: PaymentMethod,
  decline: Decline | null,
): Charge {
  const card = method.card;
  const charge: Charge = {
    ...blank('charge'),
    fraud_details: {},
    id: newId('ch'),
    amount: intent.amount,
    amount_captured: decline ? 0 : intent.amount,
    amount_refunded: 0,
    billing_details: structuredClone(method.billing_details),
    calculated_statement_descriptor: world.state.settings.account_name.toUpperCase(),
    captured: !decline,
    created: timeOf(world, invoice ? invoice.test_clock : clockOf(world, intent.customer)),
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    disputed: false,
    failure_code: decline?.code ?? null,
    failure_message: decline?.message ?? null,
    outcome: {
      advice_code: null,
      network_advice_code: null,
      network_decline_code: null,
      network_status: decline ? 'declined_by_network' : 'approved_by_network',
      reason: decline?.decline_code ?? null,
      risk_level: 'normal',
      risk_score: 7,
      seller_message: decline
        ? 'The bank did not return any further details with this decline.'
        : 'Payment complete.',
      type: decline ? 'issuer_declined' : 'authorized',
    },
    paid: !decline,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: card
      ? {
          card: {
            amount_authorized: decline ? null : intent.amount,
            authorization_code: null,
            brand: card.brand,
            checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
            country: card.country,
            electronic_commerce_indicator: null,
            exp_month: card.exp_month,
            exp_year: card.exp_year,
            fingerprint: card.fingerprint,
            funding: card.funding,
            installments: null,
            last4: card.last4,
            mandate: null,
            network: card.brand,
            network_transaction_id: null,
            regulated_status: 'unregulated',
            three_d_secure: null,
            transaction_link_id: null,
            wallet: card.wallet
              ? { type: card.wallet.type, dynamic_last4: null, [card.wallet.type]: {} }
              : null,
          },
          type: 'card',
        }
      : { link: { country: 'US' }, type: 'link' },
    receipt_url: decline || !invoice ? null : `${world.publicUrl}/i/${invoice.id}`,
    refunded: false,
    status: decline ? 'failed' : 'succeeded',
  };
  if (!decline) charge.balance_transaction = bookCharge(world, charge);
  world.state.charges[charge.id] = charge;
  intent.latest_charge = charge.id;
  intent.next_action = null;
  if (decline) {
    intent.status = 'requires_payment_method';
    intent.payment_method = null;
    intent.last_payment_error = {
      charge: charge.id,
      code: decline.code,
      ...(decline.decline_code ? { decline_code: decline.decline_code } : {}),
      message: decline.message,
      type: 'card_error',
    };
    emit(world, 'charge.failed', charge);
    emit(world, 'payment_intent.payment_failed', intent);
  } else {
    intent.status = 'succeeded';
    intent.payment_method = method.id;
    intent.amount_received = intent.amount;
    intent.last_payment_error = null;
    emit(world, 'charge.succeeded', charge);
    emit(world, 'payment_intent.succeeded', intent);
  }
  return charge;
}
