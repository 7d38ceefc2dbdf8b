import type { InputOf, OutputOf } from '../../../contract/base.ts';
import { Refusal } from '../../../contract/refusals.ts';
import type { refunds } from '../../../contract/staff/refunds.ts';
import { refundObstacle } from '../../../domain/staff/refund.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import type { Tx } from '../../db/client.ts';
import { and, eq } from '../../db/orm.ts';
import { refusing } from '../../db/results.ts';
import { billing_payment, billing_refund } from '../../db/schema.ts';
import { holdMember } from '../../membership/record/locks.ts';
import type { Actor } from '../../platform/actor.ts';
import { userOfMember } from '../../pours/member-user.ts';
import type { BillingCall, BillingContext } from '../billing-context.ts';
import { lockBilling } from '../state/current-subscription.ts';
import { reconcileSoon } from '../time-limit.ts';
import { refundable } from './member-payments.ts';
import { unusedOf } from './unused-months.ts';

export type RefundDraft = InputOf<typeof refunds.create>;

type RefundRow = typeof billing_refund.$inferSelect;

/**
 * Refunds a member's payment, or a part of it (docs/rules/billing.md, "Refunds by staff"). The refund is stored first and
 * then made by the member's reconciliation, for which staff wait only briefly; the sweeper makes what is left. Throws
 * Refusal NOT_FOUND, REFUND_REFUSED (by the rules, or by Stripe) or REQUEST_ID_REUSED.
 */
export async function giveRefund(
  { billing: ctx, actor }: BillingCall,
  draft: RefundDraft,
): Promise<OutputOf<typeof refunds.create>> {
  // Locks on two payments do not exclude each other, so both can use the same request_id at once.
  const taken = { billing_refund_pkey: new Refusal('REQUEST_ID_REUSED') };
  const refund = await refusing(taken, () => ctx.db.transaction((tx) => storeRefund(ctx, tx, actor, draft)));
  if (refund.status === 'asked') await reconcileSoon(ctx, ctx.limits.staff_ms, refund.user_id);
  const [row = refund] = await ctx.db.select().from(billing_refund).where(eq(billing_refund.id, refund.id));
  const { status, obstacle, amount_cents, refunded_cents, currency } = row;
  if (status === 'refused' || status === 'failed') {
    throw new Refusal('REFUND_REFUSED', { reason: obstacle ?? 'refused' });
  }
  return { status, amount: refunded_cents ?? amount_cents, currency };
}

/**
 * Stores the refund under a lock on its payment, so that of two requests at once the second sees the first's refund. Returns
 * the stored row if the request is a repetition.
 */
async function storeRefund(
  ctx: BillingContext,
  tx: Tx,
  actor: Actor,
  draft: RefundDraft,
): Promise<RefundRow> {
  const { request_id: id, customer_id, payment_id, amount, shown_refunded, unused_months, reason } = draft;
  // Years are counted under this lock, so that one that is paid at the same time is seen here, or sees the refund.
  if (unused_months !== undefined) await lockBilling(tx, await userOfMember(tx, customer_id));
  const user_id = await holdMember(tx, customer_id);
  const [payment] = await tx
    .select()
    .from(billing_payment)
    .where(and(eq(billing_payment.stripe_invoice_id, payment_id), eq(billing_payment.user_id, user_id)))
    .for('update');
  if (!payment) throw new Refusal('NOT_FOUND', { what: 'payment' });
  const refunds = await tx
    .select()
    .from(billing_refund)
    .where(eq(billing_refund.stripe_invoice_id, payment_id));
  const before = refunds.find((it) => it.id === id);
  if (before) {
    if (before.amount_cents !== amount) throw new Refusal('REQUEST_ID_REUSED');
    return before;
  }
  const under_way = refunds.some(({ status }) => status === 'asked');
  const obstacle = refundObstacle(refundable(payment, under_way), {
    amount_cents: amount,
    shown_refunded_cents: shown_refunded,
  });
  if (obstacle) throw new Refusal('REFUND_REFUSED', { reason: obstacle });
  if (unused_months !== undefined) {
    const unused = await unusedOf(ctx, tx, payment);
    if (unused?.months !== unused_months || unused.amount_cents !== amount)
      throw new Refusal('REFUND_REFUSED', { reason: 'outdated' });
  }
  const { currency, stripe_invoice_id } = payment;
  const [row] = await tx
    .insert(billing_refund)
    .values({
      id,
      user_id,
      stripe_invoice_id,
      amount_cents: amount,
      currency,
      reason,
      unused_months: unused_months ?? null,
      asked_by_staff_id: actor.user_id,
      status: 'asked',
      created_at: ctx.now(),
    })
    .returning();
  if (!row) throw new Error('An insert returned no row');
  const facts = { refund_id: id, amount_cents: amount };
  await recordAudit(tx, { ...ctx, actor }, { act: 'refund_ordered', subject_id: user_id, facts });
  return row;
}
