import { and, eq, inArray } from 'drizzle-orm';
import { type EndStatus, OPEN_ENDS } from '../../../domain/membership/end.ts';
import type { Db, Tx } from '../../db/client.ts';
import { customers, membership_end, memberships } from '../../db/schema.ts';
import type { BillingDeps } from '../billing-context.ts';

export type MembershipEnd = typeof membership_end.$inferSelect;

const ofUser = (db: Db | Tx, user_id: string) =>
  db
    .select({ id: memberships.id })
    .from(memberships)
    .innerJoin(customers, eq(customers.id, memberships.customer_id))
    .where(eq(customers.user_id, user_id));

/** That staff are ending, or have ended, a membership; null where they are not. */
export async function openEnd(db: Db | Tx, membership_id: string): Promise<MembershipEnd | null> {
  const { status } = membership_end;
  const [row] = await db
    .select()
    .from(membership_end)
    .where(and(eq(membership_end.membership_id, membership_id), inArray(status, OPEN_ENDS)));
  return row ?? null;
}

/**
 * The member decides: what staff had begun no longer counts. On a resumption, before Stripe is asked, so
 * that the sweeper does not cancel again; on a cancellation, after it, so that only the member can take it
 * back.
 */
export async function leaveToMember(
  { db, now }: Pick<BillingDeps, 'now'> & { db: Db | Tx },
  user_id: string,
): Promise<void> {
  await db
    .update(membership_end)
    .set({ status: 'withdrawn', settled_at: now() })
    .where(
      and(
        inArray(membership_end.membership_id, ofUser(db, user_id)),
        eq(membership_end.ends, 'period_end'),
        inArray(membership_end.status, OPEN_ENDS),
      ),
    );
}

/** Changes its status, unless someone was faster. */
export async function settleEnd(
  { db, now }: Pick<BillingDeps, 'now'> & { db: Db | Tx },
  { id, status }: Pick<MembershipEnd, 'id' | 'status'>,
  to: EndStatus,
): Promise<void> {
  await db
    .update(membership_end)
    .set({ status: to, settled_at: now() })
    .where(and(eq(membership_end.id, id), eq(membership_end.status, status)));
}
