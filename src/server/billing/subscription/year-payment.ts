import type { YearPayment } from '../../../contract/functions.ts';
import { and, desc, eq, isNotNull } from '../../db/orm.ts';
import { checkout_attempt } from '../../db/schema.ts';
import type { BillingContext } from '../billing-context.ts';

/** For how long an account says that a bank declined. */
const DECLINED_SHOWN_MS = 14 * 86_400_000;

/** What a member hears of a year whose payment takes days: their latest order, if the bank has it, or declined it lately. */
export async function readYearPayment(
  { db, now }: BillingContext,
  user_id: string,
): Promise<YearPayment | null> {
  const isOrder = and(eq(checkout_attempt.user_id, user_id), isNotNull(checkout_attempt.months));
  const [order] = await db
    .select()
    .from(checkout_attempt)
    .where(isOrder)
    .orderBy(desc(checkout_attempt.created_at), desc(checkout_attempt.id))
    .limit(1);
  if (!order?.submitted_at || order.months === null || order.status === 'completed') return null;
  const state = order.status === 'expired' ? 'declined' : 'pending';
  const isOld = order.submitted_at.getTime() < now().getTime() - DECLINED_SHOWN_MS;
  if (state === 'declined' && isOld) return null;
  const { tier_name: tier, months, amount_cents: amount } = order;
  return { state, tier, months, amount };
}
