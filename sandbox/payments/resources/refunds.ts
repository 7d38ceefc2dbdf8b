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

function refundable(world: World, which: { charge?: string; payment_intent?: string }): Charge {
  if (!which.charge === !which.payment_intent)
    throw invalid(
      'One of the following params should be provided for this request: charge or payment_intent.',
    );
  if (which.charge) return findCharge(world, which.charge, 'charge');
  const intent = findPaymentIntent(world, which.payment_intent ?? '', 'payment_intent');
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
  const left = charge.amount - charge.amount_refunded;
  if (!charge.paid) throw invalid(`Charge ${charge.id} was not paid and cannot be refunded.`, 'charge');
  if (isChargedBack(world, charge.id))
    throw invalid(
      `Charge ${charge.id} has been charged back; cannot issue a refund.`,
      'charge',
      'charge_disputed',
    );
  if (left === 0)
    throw invalid(`Charge ${charge.id} has already been refunded.`, 'charge', 'charge_already_refunded');
  const amount = input.amount ?? left;
  if (amount < 1) throw invalid('Invalid positive integer', 'amount', 'parameter_invalid_integer');
  if (amount > left)
    throw invalid(
      `Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`,
      'amount',
      'charge_exceeds_source_limit',
    );
  const made: Refund = {
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
  made.balance_transaction = bookRefund(world, made);
  if (made.status === 'pending') made.pending_reason = 'processing';
  world.state.refunds[made.id] = made;
  emit(world, 'refund.created', made);
  changed(world, 'charge.refunded', charge, () => {
    charge.amount_refunded += amount;
    charge.refunded = charge.amount_refunded === charge.amount;
  });
  return made;
}

function someRefund(world: World, id?: string): Refund {
  const made = id ? world.state.refunds[id] : Object.values(world.state.refunds).at(-1);
  if (!made) throw missing('refund', id ?? 'any', 'refund', 400);
  return made;
}

function updated(world: World, made: Refund, change: () => void): void {
  changed(world, 'refund.updated', made, change);
  emit(world, 'charge.refund.updated', made);
}

/** Settles a pending refund, the newest by default: the money reaches the payer. */
export function settleRefund(world: World, id?: string): Refund {
  const made = someRefund(world, id);
  if (made.status !== 'pending') throw invalid(`The refund is ${made.status}.`, 'refund');
  updated(world, made, () => {
    made.status = 'succeeded';
    delete made.pending_reason;
  });
  return made;
}

/** Fails a refund, the newest by default: the bank returns the money to the venue. */
export function failRefund(world: World, id?: string, reason = 'expired_or_canceled_card'): Refund {
  const made = someRefund(world, id);
  const charge = world.state.charges[made.charge ?? ''];
  if ((made.status !== 'succeeded' && made.status !== 'pending') || !charge)
    throw invalid(`The refund is ${made.status}.`, 'refund');
  charge.amount_refunded -= made.amount;
  charge.refunded = false;
  updated(world, made, () => {
    made.status = 'failed';
    made.failure_reason = reason;
    made.failure_balance_transaction = bookRefund(world, made, true);
    delete made.pending_reason;
  });
  emit(world, 'refund.failed', made);
  return made;
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
