import type Stripe from 'stripe';
import { bookRefund } from '../balance/transactions.ts';
import { blank } from '../http/blank.ts';
import { invalid, missing } from '../http/errors.ts';
import * as p from '../http/params.ts';
import { list, type Route, route } from '../http/routes.ts';
import type { Charge, Refund } from '../http/wire.ts';
import { changed, clockOf, emit, finder, newId, timeOf, type World } from '../store/world.ts';
import { isChargedBack } from './disputes.ts';

const findRefund = finder('refund', (state) => state.refunds);
const findCharge = finder('charge', (state) => state.charges);
const findPaymentIntent = finder('payment_intent', (state) => state.payment_intents);

function refundable(world: World, target: { charge?: string; payment_intent?: string }): Charge {
  if (!target.charge === !target.payment_intent)
    throw invalid(
      'One of the following params should be provided for this request: charge or payment_intent.',
    );
  if (target.charge) return findCharge(world, target.charge, 'charge');
  const intent = findPaymentIntent(world, target.payment_intent ?? '', 'payment_intent');
  const charge = world.state.charges[intent.latest_charge ?? ''];
  if (!charge?.paid)
    throw invalid('This PaymentIntent does not have a successful charge to refund.', 'payment_intent');
  return charge;
}

/** Refunds a charge, all that is left of it by default. Throws 400 in Stripe's words. */
export function refundCharge(
  world: World,
  charge: Charge,
  input: { amount?: number; reason?: string; metadata?: Record<string, string> | null },
): Refund {
  const remaining = charge.amount - charge.amount_refunded;
  if (!charge.paid) throw invalid(`Charge ${charge.id} was not paid and cannot be refunded.`, 'charge');
  if (isChargedBack(world, charge.id))
    throw invalid(
      `Charge ${charge.id} has been charged back; cannot issue a refund.`,
      'charge',
      'charge_disputed',
    );
  if (remaining === 0)
    throw invalid(`Charge ${charge.id} has already been refunded.`, 'charge', 'charge_already_refunded');
  const amount = input.amount ?? remaining;
  if (amount < 1) throw invalid('Invalid positive integer', 'amount', 'parameter_invalid_integer');
  if (amount > remaining)
    throw invalid(
      `Refund amount (${amount}) is greater than unrefunded amount on charge (${remaining})`,
      'amount',
      'charge_exceeds_source_limit',
    );
  const refund: Refund = {
    ...blank('refund'),
    id: newId('re'),
    amount,
    charge: charge.id,
    created: timeOf(world, clockOf(world, charge.customer)),
    currency: charge.currency,
    customer: charge.customer,
    destination_details: {
      card: { reference_status: 'pending', reference_type: 'acquirer_reference_number', type: 'refund' },
      type: 'card',
    },
    metadata: p.mergedMetadata({}, input.metadata),
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason: input.reason ?? null,
    status: world.state.settings.refunds,
  };
  refund.balance_transaction = bookRefund(world, refund);
  if (refund.status === 'pending') refund.pending_reason = 'processing';
  world.state.refunds[refund.id] = refund;
  emit(world, 'refund.created', refund);
  changed(world, 'charge.refunded', charge, () => {
    charge.amount_refunded += amount;
    charge.refunded = charge.amount_refunded === charge.amount;
  });
  return refund;
}

function someRefund(world: World, id?: string): Refund {
  const refund = id ? world.state.refunds[id] : Object.values(world.state.refunds).at(-1);
  if (!refund) throw missing('refund', id ?? 'any', 'refund', 400);
  return refund;
}

function updated(world: World, refund: Refund, change: () => void): void {
  changed(world, 'refund.updated', refund, change);
  emit(world, 'charge.refund.updated', refund);
}

/** Settles a pending refund, the newest by default: the money reaches the payer. */
export function settleRefund(world: World, id?: string): Refund {
  const refund = someRefund(world, id);
  if (refund.status !== 'pending') throw invalid(`The refund is ${refund.status}.`, 'refund');
  updated(world, refund, () => {
    refund.status = 'succeeded';
    delete refund.pending_reason;
  });
  return refund;
}

/** Fails a refund, the newest by default: the bank returns the money to the venue. */
export function failRefund(world: World, id?: string, reason = 'expired_or_canceled_card'): Refund {
  const refund = someRefund(world, id);
  const charge = world.state.charges[refund.charge ?? ''];
  if ((refund.status !== 'succeeded' && refund.status !== 'pending') || !charge)
    throw invalid(`The refund is ${refund.status}.`, 'refund');
  charge.amount_refunded -= refund.amount;
  charge.refunded = false;
  updated(world, refund, () => {
    refund.status = 'failed';
    refund.failure_reason = reason;
    refund.failure_balance_transaction = bookRefund(world, refund, true);
    delete refund.pending_reason;
  });
  emit(world, 'refund.failed', refund);
  return refund;
}

export const refundRoutes: Route[] = [
  route(
    'POST',
    '/v1/refunds',
    {
      amount: p.integer,
      charge: p.text,
      metadata: p.metadata,
      payment_intent: p.text,
      reason: p.word<Stripe.RefundCreateParams.Reason>(),
    },
    ({ world, params }) => refundCharge(world, refundable(world, params), params),
  ),
  list('/v1/refunds', (state) => state.refunds, { charge: p.text, payment_intent: p.text }),
  route('GET', '/v1/refunds/:id', {}, ({ world, id }) => findRefund(world, id)),
  list('/v1/charges', (state) => state.charges, { customer: p.text, payment_intent: p.text }),
  route('GET', '/v1/charges/:id', {}, ({ world, id }) => findCharge(world, id)),
  list('/v1/payment_intents', (state) => state.payment_intents, { customer: p.text }),
  route('GET', '/v1/payment_intents/:id', {}, ({ world, id }) => findPaymentIntent(world, id)),
];
