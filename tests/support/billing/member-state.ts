import { eq, sql } from 'drizzle-orm';
import { v7 } from 'uuid';
import type { Db, Tx } from '../../../src/server/db/client.ts';
import { rowsOf } from '../../../src/server/db/results.ts';
import {
  billing_customer,
  billing_payment,
  billing_reversal,
  billing_subscription,
  checkout_attempt,
  customers,
  membership_applications,
  memberships,
} from '../../../src/server/db/schema.ts';

/** A user's data in our database. Amounts in cents. */
export interface MemberState {
  customer: { status: string; tier: string; member_since: string } | null;
  active: { tier: string; subscription: string | null; price: number } | null;
  memberships: number;
  /** Subscriptions that are or were a membership. */
  membershipSubscriptions: string[];
  application: string | null;
  attempts: string[];
  subscriptions: (typeof billing_subscription.$inferSelect)[];
  reversals: string[];
  payments: { status: string; paid: number; refunded: number }[];
}

export async function stripeCustomerId(db: Db, user: string): Promise<string> {
  const [row] = await db.select().from(billing_customer).where(eq(billing_customer.user_id, user));
  if (!row) throw new Error('This user has no customer at Stripe');
  return row.stripe_customer_id;
}

export async function memberState(db: Db, user: string): Promise<MemberState> {
  const [customer] = await db.select().from(customers).where(eq(customers.user_id, user));
  const membershipRows = customer
    ? await db.select().from(memberships).where(eq(memberships.customer_id, customer.id))
    : [];
  const active = membershipRows.find(({ status }) => status === 'active');
  const applications = await db
    .select()
    .from(membership_applications)
    .where(eq(membership_applications.user_id, user))
    .orderBy(membership_applications.id);
  const attempts = await db
    .select()
    .from(checkout_attempt)
    .where(eq(checkout_attempt.user_id, user))
    .orderBy(checkout_attempt.id);
  const payments = await db
    .select()
    .from(billing_payment)
    .where(eq(billing_payment.user_id, user))
    .orderBy(billing_payment.created_at);
  const reversals = await db.select().from(billing_reversal).where(eq(billing_reversal.user_id, user));
  return {
    customer: customer
      ? { status: customer.status, tier: customer.tier, member_since: customer.member_since }
      : null,
    active: active
      ? { tier: active.tier, subscription: active.stripe_subscription_id, price: active.monthly_price_cents }
      : null,
    memberships: membershipRows.length,
    membershipSubscriptions: membershipRows
      .map((it) => it.stripe_subscription_id)
      .filter((it) => it !== null),
    application: applications.at(-1)?.status ?? null,
    attempts: attempts.map(({ status }) => status),
    subscriptions: await db
      .select()
      .from(billing_subscription)
      .where(eq(billing_subscription.user_id, user))
      .orderBy(billing_subscription.created_at),
    reversals: reversals.map(({ reason, done_at }) => (done_at ? reason : `${reason} (open)`)),
    payments: payments.map(({ status, amount_paid_cents, amount_refunded_cents }) => ({
      status,
      paid: amount_paid_cents,
      refunded: amount_refunded_cents,
    })),
  };
}

/** Writes the same rows as an approval by staff of a member who pays at the venue. */
export async function approveAtVenue(tx: Tx, user: string, at: Date): Promise<void> {
  const [existing] = await tx.select().from(customers).where(eq(customers.user_id, user));
  const id = existing?.id ?? v7();
  const terms = { tier: 'select', status: 'active' as const, member_since: '2026-06-15' };
  if (existing) await tx.update(customers).set(terms).where(eq(customers.id, id));
  else await tx.insert(customers).values({ id, user_id: user, ...terms, created_at: at });
  await tx.insert(memberships).values({
    id: v7(),
    customer_id: id,
    tier: 'select',
    start_date: terms.member_since,
    status: 'active',
    monthly_price_cents: 3900,
  });
  await tx
    .update(membership_applications)
    .set({ status: 'approved' })
    .where(eq(membership_applications.user_id, user));
}

/** Whether a pour would be allowed at an instant. */
export async function hasAccess(db: Db, user: string, now: Date): Promise<boolean> {
  const customer = sql`(select id from customers where user_id = ${user})`;
  const allowance = sql`select access from member_allowance(${customer}, ${now.toISOString()}, 'UTC')`;
  const [row] = await rowsOf<{ access: boolean }>(db, allowance);
  return row?.access ?? false;
}
