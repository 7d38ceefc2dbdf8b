/** A payer's bank disputes a payment: docs/rules/billing.md, "Disputed payments". */

/** open: the bank has not decided. won: the club keeps the money. lost: the bank took it back. */
export const DISPUTE_STATES = ['open', 'won', 'lost'] as const;
export type DisputeState = (typeof DISPUTE_STATES)[number];

/** What staff see of it at the scan; a dispute that was lost, until they settled the notice of it. */
export const DISPUTE_MARKS = ['open', 'lost'] as const satisfies readonly DisputeState[];

/** Stripe's statuses after which the bank takes nothing. */
const KEPT = new Set(['won', 'warning_closed', 'prevented']);

/** What Stripe's status of a dispute means. A status we do not know is open: someone has to look at it. */
export function disputeState(status: string): DisputeState {
  if (status === 'lost') return 'lost';
  return KEPT.has(status) ? 'won' : 'open';
}

const URGENCY: Record<DisputeState, number> = { open: 2, lost: 1, won: 0 };

/** The dispute of a payment that matters most: open before lost before won, then the newest. Null without one. */
export function leadingDispute<D extends { state: DisputeState; opened_at: Date }>(disputes: D[]): D | null {
  const ranked = [...disputes].sort(
    (a, b) => URGENCY[b.state] - URGENCY[a.state] || b.opened_at.getTime() - a.opened_at.getTime(),
  );
  return ranked[0] ?? null;
}
