import type { LeavingReason } from '../../../domain/reports/leaving-reason.ts';
import type { Db, Tx } from '../../db/client.ts';
import { and, desc, eq, isNotNull } from '../../db/orm.ts';
import { customers, leaving_reason, memberships } from '../../db/schema.ts';

interface Writer {
  db: Db | Tx;
  now(): Date;
}

/** Stores why the user canceled their newest membership by card; a later reason replaces an earlier one. */
export async function noteCardLeavingReason(
  ctx: Writer,
  userId: string,
  reason: LeavingReason,
): Promise<void> {
  const [membership] = await ctx.db
    .select({ id: memberships.id })
    .from(memberships)
    .innerJoin(customers, eq(customers.id, memberships.customer_id))
    .where(and(eq(customers.user_id, userId), isNotNull(memberships.stripe_subscription_id)))
    .orderBy(desc(memberships.start_date), desc(memberships.id))
    .limit(1);
  if (membership) await noteLeavingReason(ctx, membership.id, reason);
}

/** Stores why a membership was canceled; a later reason replaces an earlier one. */
export async function noteLeavingReason(
  { db, now }: Writer,
  membership_id: string,
  reason: LeavingReason,
): Promise<void> {
  await db
    .insert(leaving_reason)
    .values({ membership_id, reason, created_at: now() })
    .onConflictDoUpdate({ target: leaving_reason.membership_id, set: { reason, created_at: now() } });
}
