/** A payer's bank disputes a payment: docs/rules/billing.md, "Disputed payments". */

/** open: the bank has not decided. won: the club keeps the money. lost: the bank took it back. */
export const DISPUTE_STATES = ['open', 'won', 'lost'] as const;
export type DisputeState = (typeof DISPUTE_STATES)[number];

/** The states shown to staff at the scan; a lost dispute until its notice is settled. */
export const DISPUTE_MARKS = ['open', 'lost'] as const satisfies readonly DisputeState[];

/** Stripe's statuses after which the bank takes no money. */
const KEPT = new Set(['won', 'warning_closed', 'prevented']);

/** The state for Stripe's status of a dispute. An unknown status counts as open, so that staff look at it. */
export function disputeState(status: string): DisputeState {
  if (status === 'lost') return 'lost';
  return KEPT.has(status) ? 'won' : 'open';
}

const URGENCY: Record<DisputeState, number> = { open: 2, lost: 1, won: 0 };

/** The most important dispute of a payment: open before lost before won, then the newest. Null without one. */
export function leadingDispute<D extends { state: DisputeState; opened_at: Date }>(disputes: D[]): D | null {
  const order = [...disputes].sort(
    (a, b) => URGENCY[b.state] - URGENCY[a.state] || b.opened_at.getTime() - a.opened_at.getTime(),
  );
  return order[0] ?? null;
}
