import { OPEN_ACTS } from '../../../domain/billing-act.ts';
import type { Db, Tx } from '../../db/client.ts';
import { and, eq, inArray } from '../../db/orm.ts';
import {
  billing_act,
  billing_payment,
  billing_reversal,
  billing_subscription,
  customers,
  membership_applications,
  memberships,
} from '../../db/schema.ts';
import type { BillingDeps, LocalStatus } from '../billing-context.ts';
import type { MoveAct } from './acts.ts';
import { readCardPeriods, type StoredPeriod } from './card-periods.ts';
import { readTiers } from './known-tiers.ts';
import type { KnownTiers } from './membership-item.ts';
import type { StripeSnapshot } from './stripe-snapshot.ts';

export type StoredSubscription = typeof billing_subscription.$inferSelect;
export type Membership = typeof memberships.$inferSelect;
export type Reversal = typeof billing_reversal.$inferSelect;

/** Our own rows about a user, read once in the transaction that changes them. */
export interface LocalState extends KnownTiers {
  customer: typeof customers.$inferSelect | null;
  memberships: Membership[];
  /** Oldest first. */
  periods: StoredPeriod[];
  subscriptions: StoredSubscription[];
  reversals: Reversal[];
  /** Stored payments by invoice id. */
  payments: Map<string, typeof billing_payment.$inferSelect>;
  applications: Map<string, string>;
  /** New prices of the user's moves, which may be on a schedule at Stripe. */
  movedTo: Set<string>;
}

/**
 * Reads the user's rows, and locks their `customers` row against pours and approvals. The locks have statements of their own,
 * because a statement that waits for a lock sees other rows as they were before the wait.
 */
export async function readLocalState(tx: Tx, userId: string, snapshot: StripeSnapshot): Promise<LocalState> {
  // Lock order as in reviews: a payment approves the application that is pending.
  await tx
    .select({ id: membership_applications.id })
    .from(membership_applications)
    .where(and(eq(membership_applications.user_id, userId), eq(membership_applications.status, 'pending')))
    .for('no key update');
  const [customer = null] = await tx
    .select()
    .from(customers)
    .where(eq(customers.user_id, userId))
    .for('update');
  const applications = await tx
    .select({ id: membership_applications.id, status: membership_applications.status })
    .from(membership_applications)
    .where(eq(membership_applications.user_id, userId));
  const payments = await tx.select().from(billing_payment).where(eq(billing_payment.user_id, userId));
  return {
    customer,
    memberships: customer
      ? await tx.select().from(memberships).where(eq(memberships.customer_id, customer.id))
      : [],
    periods: customer ? await readCardPeriods(tx, customer.id) : [],
    subscriptions: await tx
      .select()
      .from(billing_subscription)
      .where(eq(billing_subscription.user_id, userId)),
    reversals: await tx.select().from(billing_reversal).where(eq(billing_reversal.user_id, userId)),
    payments: new Map(payments.map((it) => [it.stripe_invoice_id, it])),
    applications: new Map(applications.map(({ id, status }) => [id, status])),
    movedTo: await readMoves(tx, userId, snapshot),
    ...(await readTiers(tx, { locked: true })),
  };
}

/** The new prices of the user's open moves; only read if Stripe has a scheduled change. */
async function readMoves(
  tx: Tx,
  userId: string,
  { subscriptions }: StripeSnapshot,
): Promise<LocalState['movedTo']> {
  if (!subscriptions.some(({ schedule }) => schedule?.next)) return new Set();
  const { user_id, kind, state } = billing_act;
  const moves = await tx
    .select()
    .from(billing_act)
    .where(and(eq(user_id, userId), eq(kind, 'price_move'), inArray(state, OPEN_ACTS)));
  return new Set((moves as MoveAct[]).flatMap(({ terms }) => terms.to_price_id ?? []));
}

/** The user's active membership, however it is paid. */
export async function activeMembership(db: Db | Tx, user_id: string): Promise<Membership | undefined> {
  const [row] = await db
    .select({ membership: memberships })
    .from(memberships)
    .innerJoin(customers, eq(customers.id, memberships.customer_id))
    .where(and(eq(customers.user_id, user_id), eq(memberships.status, 'active')));
  return row?.membership;
}

/** The status of the user's `customers` row; 'none' if there is no row. */
export async function localStatusOf({ db }: BillingDeps, userId: string): Promise<LocalStatus> {
  const [row] = await db
    .select({ status: customers.status })
    .from(customers)
    .where(eq(customers.user_id, userId));
  return row?.status ?? 'none';
}
