import type { Tx } from '../../db/client.ts';
import { and, eq, inArray, notExists, sql } from '../../db/orm.ts';
import {
  billing_customer,
  billing_payment,
  billing_subscription,
  customers,
  glass_change,
  glass_debit,
  glass_grant,
  memberships,
  tier_price,
} from '../../db/schema.ts';
import { rewriteDays } from '../../reports/closed-days.ts';
import { lockBilling } from '../state/current-subscription.ts';
import type { AdoptedRecord } from './adopt.ts';

export interface Release extends AdoptedRecord {
  user_id: string;
  stripe_subscription_id: string;
}

/**
 * Deletes our rows of an adopted subscription, which continues at Stripe. Throws the database's errors if other rows
 * reference it by now.
 */
export async function release(
  tx: Tx,
  { user_id, stripe_subscription_id, made_customer_id, member_since_before }: Release,
): Promise<void> {
  // The reconciliation locks this row first, so it finds it gone or waits.
  await lockBilling(tx, user_id);
  const membership = tx
    .select({ id: memberships.id })
    .from(memberships)
    .where(eq(memberships.stripe_subscription_id, stripe_subscription_id));
  const grants = tx
    .select({ id: glass_grant.id })
    .from(glass_grant)
    .where(inArray(glass_grant.membership_id, membership));
  for (const table of [glass_debit, glass_change])
    await tx.delete(table).where(inArray(table.grant_id, grants));
  const gone = await tx
    .delete(glass_grant)
    .where(inArray(glass_grant.membership_id, membership))
    .returning({ ended: glass_grant.valid_until });
  await tx.delete(billing_payment).where(eq(billing_payment.user_id, user_id));
  await tx.delete(memberships).where(eq(memberships.stripe_subscription_id, stripe_subscription_id));
  await tx.delete(billing_subscription).where(eq(billing_subscription.user_id, user_id));
  await tx.delete(billing_customer).where(eq(billing_customer.user_id, user_id));
  if (made_customer_id) await tx.delete(customers).where(eq(customers.id, made_customer_id));
  else {
    const before = {
      status: 'inactive' as const,
      member_since: member_since_before ?? undefined,
    };
    await tx.update(customers).set(before).where(eq(customers.user_id, user_id));
  }
  await rewriteDays(
    tx,
    gone.map(({ ended }) => ended),
  );
}

/** Records the venue's own prices as archived: members still pay them, and no new member starts on them. */
export async function rememberPrices(
  tx: Tx,
  prices: Omit<typeof tier_price.$inferInsert, 'created_at' | 'archived_at'>[],
  at: Date,
): Promise<void> {
  if (prices.length === 0) return;
  const rows = prices.map((it) => ({ ...it, created_at: at, archived_at: at }));
  await tx.insert(tier_price).values(rows).onConflictDoNothing();
}

/** The tiers that these prices belong to here already. */
export async function tiersOfPrices(tx: Pick<Tx, 'select'>, prices: string[]): Promise<Map<string, string>> {
  if (prices.length === 0) return new Map();
  const rows = await tx.select().from(tier_price).where(inArray(tier_price.stripe_price_id, prices));
  return new Map(rows.map((it) => [it.stripe_price_id, it.tier_name]));
}

/** Deletes those prices that no member pays and that we never sold. */
export async function forgetPrices(tx: Tx, prices: string[]): Promise<void> {
  if (prices.length === 0) return;
  const paid = tx
    .select({ one: sql`1` })
    .from(billing_subscription)
    .where(eq(billing_subscription.stripe_price_id, tier_price.stripe_price_id));
  await tx
    .delete(tier_price)
    .where(
      and(
        inArray(tier_price.stripe_price_id, prices),
        eq(tier_price.created_at, tier_price.archived_at),
        notExists(paid),
      ),
    );
}
