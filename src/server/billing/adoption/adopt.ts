import type { LocalDate } from '../../../domain/calendar.ts';
import type { Tx } from '../../db/client.ts';
import { and, eq, ne, sql } from '../../db/orm.ts';
import { billing_customer, billing_reversal, customers, memberships } from '../../db/schema.ts';
import type { BillingDeps } from '../billing-context.ts';
import { removeConnected } from '../customers/unknown-notices.ts';
import { writeSnapshot } from '../reconcile/reconcile.ts';
import type { StripeSnapshot } from '../state/stripe-snapshot.ts';

/** Adopting the subscription would cancel or refund something, or give a different membership. */
export class NotAdoptable extends Error {}

export interface Adoption {
  user_id: string;
  stripe_customer_id: string;
  stripe_subscription_id: string;
  tier: string;
  /** The venue's day when the subscription began at Stripe. */
  started_on: LocalDate;
  snapshot: StripeSnapshot;
}

export interface AdoptedRecord {
  /** The member record created by the adoption; null if there was one before. */
  made_customer_id: string | null;
  /** The previous 'member since' of an existing record, if it was changed. */
  member_since_before: LocalDate | null;
}

/**
 * Makes a subscription at Stripe the membership of a user for whom no Stripe customer is recorded yet, in the caller's
 * transaction, by the reconciliation's own writing. Nothing is asked of Stripe, and nobody is notified. Throws NotAdoptable,
 * and the database's errors: roll back then.
 */
export async function adopt(tx: Tx, deps: BillingDeps, adoption: Adoption): Promise<AdoptedRecord> {
  const { user_id, stripe_customer_id, stripe_subscription_id, snapshot } = adoption;
  const at = deps.now();
  // Stripe's name and email stay until the member changes them here.
  const sent = sql`(select updated_at from profiles where id = ${user_id})`;
  await tx.insert(billing_customer).values({
    user_id,
    stripe_customer_id,
    created_at: at,
    sync_version: 1,
    synced_at: at,
    profile_sent_at: sent,
  });
  const made = await ensureRecord(tx, deps, adoption);
  const { membership } = await writeSnapshot(tx, deps, user_id, snapshot, { adopted: true });
  if (membership?.id !== stripe_subscription_id) throw new NotAdoptable('Another membership');
  if ((await tx.$count(billing_reversal, eq(billing_reversal.user_id, user_id))) > 0)
    throw new NotAdoptable('It would be reversed');
  await startAsAtStripe(tx, adoption);
  await removeConnected(tx, stripe_customer_id);
  return made;
}

/** Makes the member's record; an existing one gets the earlier of the two days as 'member since'. */
async function ensureRecord(
  tx: Tx,
  { now, newId }: BillingDeps,
  { user_id, tier, started_on: member_since }: Adoption,
): Promise<AdoptedRecord> {
  const [row] = await tx
    .insert(customers)
    .values({ id: newId(), user_id, tier, status: 'inactive', member_since, created_at: now() })
    .onConflictDoNothing({ target: customers.user_id })
    .returning({ id: customers.id });
  const [known] = row
    ? []
    : await tx.select().from(customers).where(eq(customers.user_id, user_id)).for('update');
  if (!known || known.member_since <= member_since)
    return { made_customer_id: row?.id ?? null, member_since_before: null };
  await tx.update(customers).set({ member_since }).where(eq(customers.id, known.id));
  return { made_customer_id: null, member_since_before: known.member_since };
}

/** Starts the membership on the day the subscription began at Stripe, but not before an earlier membership had ended. */
async function startAsAtStripe(tx: Tx, { stripe_subscription_id, started_on }: Adoption): Promise<void> {
  const [own] = await tx
    .select({ id: memberships.id, customer_id: memberships.customer_id })
    .from(memberships)
    .where(eq(memberships.stripe_subscription_id, stripe_subscription_id));
  if (!own) return;
  const [before] = await tx
    .select({ day: sql<LocalDate | null>`max(${memberships.end_date})::text` })
    .from(memberships)
    .where(and(eq(memberships.customer_id, own.customer_id), ne(memberships.id, own.id)));
  const start_date = before?.day && before.day > started_on ? before.day : started_on;
  await tx.update(memberships).set({ start_date }).where(eq(memberships.id, own.id));
}
