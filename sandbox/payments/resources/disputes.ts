import { missing } from '../http/errors.ts';
import { page } from '../http/lists.ts';
import * as p from '../http/params.ts';
import { type Route, route } from '../http/routes.ts';
import type { Charge, Dispute } from '../http/wire.ts';
import { newId } from '../store/ids.ts';
import { clockOf, emit, timeOf, type World } from '../store/world.ts';

const ANSWER_DAYS = 9;

function disputedCharge(
  world: World,
  which: { charge?: string; payment_intent?: string; customer?: string },
): Charge {
  const found = Object.values(world.state.charges).findLast(
    (charge) =>
      charge.paid &&
      (which.charge === undefined || charge.id === which.charge) &&
      (which.payment_intent === undefined || charge.payment_intent === which.payment_intent) &&
      (which.customer === undefined || charge.customer === which.customer),
  );
  if (!found)
    throw missing('charge', which.charge ?? which.payment_intent ?? which.customer ?? 'any', 'charge', 400);
  return found;
}

/** Opens a dispute of the newest matching charge. Emits `charge.dispute.created`. */
export function openDispute(
  world: World,
  which: { charge?: string; payment_intent?: string; customer?: string; reason?: string },
): Dispute {
  const charge = disputedCharge(world, which);
  const now = timeOf(world, clockOf(world, charge.customer));
  const dispute: Dispute = {
    id: newId('du'),
    object: 'dispute',
    amount: charge.amount - charge.amount_refunded,
    balance_transactions: [],
    charge: charge.id,
    created: now,
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: {
      access_activity_log: null,
      billing_address: null,
      cancellation_policy: null,
      cancellation_policy_disclosure: null,
      cancellation_rebuttal: null,
      customer_communication: null,
      customer_email_address: charge.billing_details.email,
      customer_name: charge.billing_details.name,
      customer_purchase_ip: null,
      customer_signature: null,
      duplicate_charge_documentation: null,
      duplicate_charge_explanation: null,
      duplicate_charge_id: null,
      enhanced_evidence: {},
      product_description: null,
      receipt: null,
      refund_policy: null,
      refund_policy_disclosure: null,
      refund_refusal_explanation: null,
      service_date: null,
      service_documentation: null,
      shipping_address: null,
      shipping_carrier: null,
      shipping_date: null,
      shipping_documentation: null,
      shipping_tracking_number: null,
      uncategorized_file: null,
      uncategorized_text: null,
    },
    evidence_details: {
      due_by: now + ANSWER_DAYS * 86_400,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    intended_submission_method: null,
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    reason: which.reason ?? 'fraudulent',
    status: 'needs_response',
  };
  world.state.disputes[dispute.id] = dispute;
  charge.disputed = true;
  emit(world, 'charge.dispute.created', dispute);
  return dispute;
}

/** Lets the bank decide a dispute, the newest by default. Emits `charge.dispute.closed`. */
export function closeDispute(world: World, id: string | undefined, won: boolean): Dispute {
  const found = id ? world.state.disputes[id] : Object.values(world.state.disputes).at(-1);
  if (!found) throw missing('dispute', id ?? 'any', 'dispute', 400);
  found.status = won ? 'won' : 'lost';
  emit(world, 'charge.dispute.closed', found);
  return found;
}

export const disputeRoutes: Route[] = [
  route(
    'GET',
    '/v1/disputes',
    { ...p.paging, charge: p.text, created: p.range, payment_intent: p.text },
    ({ world, params }) =>
      page(
        Object.values(world.state.disputes).filter(
          (dispute) =>
            (params.charge === undefined || dispute.charge === params.charge) &&
            (params.created === undefined || params.created(dispute.created)) &&
            (params.payment_intent === undefined || dispute.payment_intent === params.payment_intent),
        ),
        params,
        '/v1/disputes',
      ),
  ),
  route('GET', '/v1/disputes/:id', {}, ({ world, id }) => {
    const dispute = world.state.disputes[id];
    if (!dispute) throw missing('dispute', id);
    return dispute;
  }),
];
