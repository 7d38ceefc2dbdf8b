import type { LeavingReason } from '../../../domain/reports/leaving-reason.ts';
import { and, desc, eq, isNotNull } from '../../db/orm.ts';
import { customers, leaving_reason, memberships } from '../../db/schema.ts';
import type { BillingContext } from '../billing-context.ts';

/** Stores why the user canceled their newest membership by card; a later reason replaces an earlier one. */
export async function noteLeavingReason(
  { db, now }: BillingContext,
  userId: string,
  reason: LeavingReason,
): Promise<void> {
  const [membership] = await db
    .select({ id: memberships.id })
    .from(memberships)
    .innerJoin(customers, eq(customers.id, memberships.customer_id))
    .where(and(eq(customers.user_id, userId), isNotNull(memberships.stripe_subscription_id)))
    .orderBy(desc(memberships.start_date), desc(memberships.id))
    .limit(1);
  if (!membership) return;
  await db
    .insert(leaving_reason)
    .values({ membership_id: membership.id, reason, created_at: now() })
    .onConflictDoUpdate({ target: leaving_reason.membership_id, set: { reason, created_at: now() } });
}
