import type { Tx } from '../../db/client.ts';
import type { billing_payment } from '../../db/schema.ts';
import { postStaffNotice, updateStaffNotice } from '../../membership/staff-notices.ts';
import type { FetchedPayment } from './stripe-snapshot.ts';

type DisputeColumns = Pick<
  typeof billing_payment.$inferSelect,
  'stripe_dispute_id' | 'dispute_state' | 'dispute_cents' | 'disputed_at' | 'dispute_settled_at'
>;

/** A payment's dispute as columns. `before` is the stored row, `at` the time of the fetch. */
export function disputeColumns(
  { dispute }: FetchedPayment,
  before: DisputeColumns | undefined,
  at: Date,
): DisputeColumns {
  const known = before?.stripe_dispute_id === dispute?.id ? before : undefined;
  return {
    stripe_dispute_id: dispute?.id ?? null,
    dispute_state: dispute?.state ?? null,
    dispute_cents: dispute?.amount_cents ?? null,
    disputed_at: dispute?.opened_at ?? null,
    dispute_settled_at: dispute && dispute.state !== 'open' ? (known?.dispute_settled_at ?? at) : null,
  };
}

/**
 * Notifies staff of a dispute once, and updates the notice when the bank decides. A lost dispute reopens it, even if staff
 * had settled it; one that was won before we knew of it needs no notice.
 */
export async function tellOfDispute(
  tx: Tx,
  user_id: string,
  payment: FetchedPayment,
  before: DisputeColumns | undefined,
  at: Date,
): Promise<void> {
  const { dispute, stripe_invoice_id, currency } = payment;
  if (!dispute) return;
  const { id, state, amount_cents } = dispute;
  const isKnown = before?.stripe_dispute_id === id;
  if (isKnown && before.dispute_state === state) return;
  const facts = { amount_cents, currency, stripe_invoice_id, stripe_dispute_id: id, state };
  const notice = { kind: 'payment_disputed' as const, cause: `payment_disputed:${id}`, facts };
  if (state !== 'won') await postStaffNotice(tx, { ...notice, user_id, at });
  await updateStaffNotice(tx, notice, { reopen: state === 'lost' });
}
