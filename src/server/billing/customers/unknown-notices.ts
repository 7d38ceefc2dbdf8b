import type { StaffNoticeFacts } from '../../../contract/staff-notices.ts';
import type { Db, Tx } from '../../db/client.ts';
import { and, eq, sql } from '../../db/orm.ts';
import { staff_notice } from '../../db/schema.ts';
import { postStaffNotice } from '../../membership/staff-notices.ts';
import type { BillingContext, BillingDeps } from '../billing-context.ts';
import { type UnknownSubscription, unknownOfCustomer } from './unknown-subscriptions.ts';

type Facts = StaffNoticeFacts['unknown_subscription'];

const isRunning = and(
  eq(staff_notice.kind, 'unknown_subscription'),
  sql`${staff_notice.facts}->>'state' = 'running'`,
);
const isOf = (customer: string) =>
  and(isRunning, sql`${staff_notice.facts}->>'stripe_customer_id' = ${customer}`);

/** Notifies staff of unknown subscriptions, once each. */
export async function reportUnknown(
  { now, log }: Pick<BillingDeps, 'now' | 'log'>,
  tx: Db | Tx,
  unknown: UnknownSubscription[],
): Promise<void> {
  for (const { user_id: _, ...facts } of unknown) {
    const { stripe_subscription_id: subscription, stripe_customer_id: customer } = facts;
    log.info({ subscription, customer }, 'Subscription on our price belongs to no account here');
    await postStaffNotice(tx, {
      kind: 'unknown_subscription',
      cause: `unknown:${subscription}`,
      user_id: null,
      facts: { state: 'running', ...facts },
      at: now(),
    });
  }
}

/**
 * Looks at a customer whom no account here has: notifies staff of subscriptions on our prices, and notes in their notices
 * that others have ended. Throws Stripe's errors.
 */
export async function lookAtUnknownCustomer(ctx: BillingContext, customer: string): Promise<void> {
  const unknown = await unknownOfCustomer(ctx, customer);
  await reportUnknown(ctx, ctx.db, unknown);
  const running = unknown.map((it) => it.stripe_subscription_id);
  const rows = await ctx.db.select().from(staff_notice).where(isOf(customer));
  for (const { id, facts } of rows as { id: string; facts: Facts }[])
    if (!running.includes(facts.stripe_subscription_id)) await noteEnd(ctx.db, id, facts);
}

/** The customers at Stripe whom open notices name with this email, given in lowercase. */
export async function subscribersWith(db: Db, email: string): Promise<string[]> {
  const rows = await db
    .select({ customer: sql<string>`${staff_notice.facts}->>'stripe_customer_id'` })
    .from(staff_notice)
    .where(and(isRunning, sql`${staff_notice.facts}->>'email' = ${email}`));
  return rows.map(({ customer }) => customer);
}

/** Deletes the notices about a customer whose subscriptions an account here has now. */
export async function removeConnected(tx: Db | Tx, customer: string): Promise<void> {
  await tx.delete(staff_notice).where(isOf(customer));
}

/** The name and email are only kept while staff have to find the person. */
async function noteEnd(db: Db, id: string, before: Facts): Promise<void> {
  const facts: Facts = { ...before, state: 'ended', name: null, email: null };
  await db.update(staff_notice).set({ facts }).where(eq(staff_notice.id, id));
}
