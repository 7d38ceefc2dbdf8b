import { bookDispute } from '../balance/transactions.ts';
import { blank } from '../http/blank.ts';
import { missing } from '../http/errors.ts';
import * as p from '../http/params.ts';
import { list, type Route, route } from '../http/routes.ts';
import type { Charge, Dispute } from '../http/wire.ts';
import { changed, clockOf, emit, finder, newId, timeOf, type World } from '../store/world.ts';

const ANSWER_DAYS = 9;

/** Stripe's dispute statuses. Statuses that begin with `warning` are inquiries of the bank, which takes no money yet. */
export const DISPUTE_STATUSES = [
  'warning_needs_response',
  'warning_under_review',
  'warning_closed',
  'needs_response',
  'under_review',
  'appeal_needs_response',
  'appeal_under_review',
  'won',
  'lost',
  'prevented',
] as const;
export type DisputeStatus = (typeof DISPUTE_STATUSES)[number];

const CLOSED = new Set<string>(['warning_closed', 'won', 'lost', 'prevented']);
const isQuestion = (status: string) => status.startsWith('warning_');
/** Whether the bank has the money. */
const isWithdrawn = (status: string) => !isQuestion(status) && status !== 'won' && status !== 'prevented';

function disputedCharge(
  world: World,
  target: { charge?: string; payment_intent?: string; customer?: string },
): Charge {
  const charge = Object.values(world.state.charges).findLast(
    (charge) =>
      charge.paid &&
      (target.charge === undefined || charge.id === target.charge) &&
      (target.payment_intent === undefined || charge.payment_intent === target.payment_intent) &&
      (target.customer === undefined || charge.customer === target.customer),
  );
  if (!charge)
    throw missing(
      'charge',
      target.charge ?? target.payment_intent ?? target.customer ?? 'any',
      'charge',
      400,
    );
  return charge;
}

/** Opens a dispute of the newest matching charge, with its events. */
export function openDispute(
  world: World,
  input: {
    charge?: string;
    payment_intent?: string;
    customer?: string;
    reason?: string;
    status?: DisputeStatus;
  },
): Dispute {
  const status = input.status ?? 'needs_response';
  const charge = disputedCharge(world, input);
  const now = timeOf(world, clockOf(world, charge.customer));
  const base = blank('dispute');
  const dispute: Dispute = {
    ...base,
    id: newId('du'),
    amount: charge.amount - charge.amount_refunded,
    charge: charge.id,
    created: now,
    currency: charge.currency,
    evidence: {
      ...base.evidence,
      customer_email_address: charge.billing_details.email,
      customer_name: charge.billing_details.name,
    },
    evidence_details: {
      due_by: now + ANSWER_DAYS * 86_400,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    is_charge_refundable: isQuestion(status),
    payment_intent: charge.payment_intent,
    reason: input.reason ?? 'fraudulent',
    status,
  };
  world.state.disputes[dispute.id] = dispute;
  charge.disputed = true;
  emit(world, 'charge.dispute.created', dispute);
  if (isWithdrawn(status)) {
    dispute.balance_transactions.push(bookDispute(world, dispute));
    emit(world, 'charge.dispute.funds_withdrawn', dispute);
  }
  if (CLOSED.has(status)) emit(world, 'charge.dispute.closed', dispute);
  return dispute;
}

/** Moves a dispute, the newest by default, to another status, with its events. */
export function moveDispute(world: World, id: string | undefined, status: DisputeStatus): Dispute {
  const dispute = id ? world.state.disputes[id] : Object.values(world.state.disputes).at(-1);
  if (!dispute) throw missing('dispute', id ?? 'any', 'dispute', 400);
  const before = dispute.status;
  changed(world, 'charge.dispute.updated', dispute, () => {
    dispute.status = status;
    dispute.is_charge_refundable = isQuestion(status);
  });
  if (isWithdrawn(status) !== isWithdrawn(before)) {
    dispute.balance_transactions.push(bookDispute(world, dispute, !isWithdrawn(status)));
    const direction = isWithdrawn(status) ? 'withdrawn' : 'reinstated';
    emit(world, `charge.dispute.funds_${direction}`, dispute);
  }
  if (CLOSED.has(status)) emit(world, 'charge.dispute.closed', dispute);
  return dispute;
}

/** Whether a charge cannot be refunded because the bank is deciding a dispute or took the money. */
export function isChargedBack(world: World, charge: string): boolean {
  return Object.values(world.state.disputes).some(
    (dispute) => dispute.charge === charge && isWithdrawn(dispute.status),
  );
}

const findDispute = finder('dispute', (state) => state.disputes);

export const disputeRoutes: Route[] = [
  list('/v1/disputes', (state) => state.disputes, { charge: p.text }),
  route('GET', '/v1/disputes/:id', {}, ({ world, id }) => findDispute(world, id)),
];
