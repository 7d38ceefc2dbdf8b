import type Stripe from 'stripe';
import { type DisputeState, disputeState } from '../../domain/staff/dispute.ts';

export interface FetchedDispute {
  id: string;
  charge: string;
  state: DisputeState;
  amount_cents: number;
  opened_at: Date;
}

export interface ChargeDisputes {
  disputes: FetchedDispute[];
  /** Charges that the payer's bank disputes, or took back. */
  disputed: Set<string>;
}

/** A charge's `disputed` stays true after the club won, so each dispute's status counts. Throws Stripe's errors. */
export async function fetchDisputes(stripe: Stripe, charges: Stripe.Charge[]): Promise<ChargeDisputes> {
  const asked = charges.filter(({ disputed }) => disputed).map(({ id }) => disputesOf(stripe, id));
  const answers = await Promise.all(asked);
  return {
    disputes: answers.flatMap(({ disputes }) => disputes),
    disputed: new Set(
      answers
        .filter(({ disputes }) => disputes.length === 0 || disputes.some(({ state }) => state !== 'won'))
        .map(({ charge }) => charge),
    ),
  };
}

async function disputesOf(
  stripe: Stripe,
  charge: string,
): Promise<{ charge: string; disputes: FetchedDispute[] }> {
  const { data } = await stripe.disputes.list({ charge, limit: 100 });
  const disputes = data.map(({ id, status, amount, created }) => ({
    id,
    charge,
    state: disputeState(status),
    amount_cents: amount,
    opened_at: new Date(created * 1000),
  }));
  return { charge, disputes };
}
