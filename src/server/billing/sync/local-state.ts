import { and, desc, eq, getTableColumns, ne, sql } from 'drizzle-orm';
import type { Tx } from '../../db/client.ts';
import {
  allowance_change,
  allowance_period,
  billing_reversal,
  billing_subscription,
  customers,
  membership_applications,
  memberships,
  price_move,
  tier_definitions,
  tier_price,
} from '../../db/schema.ts';
import type { StripeSnapshot } from './stripe-snapshot.ts';
import { type KnownTiers, tiersByProduct } from './tier-matching.ts';

export type StoredSubscription = typeof billing_subscription.$inferSelect;
export type Membership = typeof memberships.$inferSelect;
export type Reversal = typeof billing_reversal.$inferSelect;
/** `changed_to`, `changed_at`: the tier of the last change within it, and from when it counts; null without one. */
export type StoredPeriod = typeof allowance_period.$inferSelect & {
  changed_to: string | null;
  changed_at: Date | null;
};

/** Our own rows about a user, read once, inside the transaction that changes them. */
export interface LocalState extends KnownTiers {
  customer: typeof customers.$inferSelect | null;
  memberships: Membership[];
  periods: StoredPeriod[];
  subscriptions: StoredSubscription[];
  reversals: Reversal[];
  /** The status of each application, by id. */
  applications: Map<string, string>;
  /** Prices that the venue moves the user to, and that Stripe may have on a schedule. */
  movedTo: Set<string>;
}

/**
 * Reads the user's rows, and locks their `customers` row against pours and approvals. The lock has a statement of its own:
 * one that waits for a lock sees all other rows as they were before it waited.
 */
export async function readLocalState(tx: Tx, userId: string, snapshot: StripeSnapshot): Promise<LocalState> {
  const [customer = null] = await tx
    .select()
    .from(customers)
    .where(eq(customers.user_id, userId))
    .for('update');
  const applications = await tx
    .select({ id: membership_applications.id, status: membership_applications.status })
    .from(membership_applications)
    .where(eq(membership_applications.user_id, userId));
  return {
    customer,
    memberships: customer
      ? await tx.select().from(memberships).where(eq(memberships.customer_id, customer.id))
      : [],
    periods: customer ? await readPeriods(tx, customer.id) : [],
    subscriptions: await tx
      .select()
      .from(billing_subscription)
      .where(eq(billing_subscription.user_id, userId)),
    reversals: await tx.select().from(billing_reversal).where(eq(billing_reversal.user_id, userId)),
    applications: new Map(applications.map(({ id, status }) => [id, status])),
    movedTo: await readMoves(tx, userId, snapshot),
    ...(await readTiers(tx)),
  };
}

function readPeriods(tx: Tx, customer_id: string): Promise<StoredPeriod[]> {
  const lastChange = tx
    .select({ changed_to: allowance_change.to_tier, changed_at: allowance_change.prorated_at })
    .from(allowance_change)
    .where(
      and(
        eq(allowance_change.customer_id, allowance_period.customer_id),
        eq(allowance_change.period_starts_at, allowance_period.starts_at),
      ),
    )
    .orderBy(desc(allowance_change.created_at), desc(allowance_change.id))
    .limit(1)
    .as('last_change');
  const { changed_to, changed_at } = lastChange;
  return tx
    .select({ ...getTableColumns(allowance_period), changed_to, changed_at })
    .from(allowance_period)
    .leftJoinLateral(lastChange, sql`true`)
    .where(eq(allowance_period.customer_id, customer_id));
}

/** Asked only where Stripe has a change on a schedule. */
async function readMoves(
  tx: Tx,
  userId: string,
  { subscriptions }: StripeSnapshot,
): Promise<LocalState['movedTo']> {
  if (!subscriptions.some(({ schedule }) => schedule?.next)) return new Set();
  const moves = await tx
    .select({
      price: price_move.to_price_id,
      status: price_move.status,
      schedule: price_move.stripe_schedule_id,
    })
    .from(price_move)
    .where(and(eq(price_move.user_id, userId), ne(price_move.status, 'done')));
  return new Set(
    moves
      .filter(({ status, schedule }) => status !== 'canceled' || schedule !== null)
      .flatMap(({ price }) => price ?? []),
  );
}

async function readTiers(tx: Tx): Promise<KnownTiers> {
  const rows = await tx
    .select({
      name: tier_definitions.tier_name,
      monthly_pours: tier_definitions.monthly_pours,
      price: tier_price,
    })
    .from(tier_definitions)
    .leftJoin(tier_price, eq(tier_price.tier_name, tier_definitions.tier_name));
  const monthlyPours = new Map(rows.map(({ name, monthly_pours }) => [name, monthly_pours]));
  const prices = rows.flatMap(({ price }) => price ?? []);
  return {
    monthlyPours,
    tierOfPrice: new Map(prices.map((it) => [it.stripe_price_id, it])),
    tierOfProduct: tiersByProduct(monthlyPours.keys(), prices),
  };
}
