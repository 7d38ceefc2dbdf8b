import { and, eq, inArray, notInArray, sql } from 'drizzle-orm';
import { localDate } from '../../domain/calendar.ts';
import { Refusal } from '../../domain/refusal.ts';
import { isEnded } from '../../domain/standing.ts';
import type { Tx } from '../db/client.ts';
import {
  billing_customer,
  billing_subscription,
  customers,
  membership_applications,
  memberships,
  profiles,
} from '../db/schema.ts';
import { closeAttempt, unsettledAttempt } from './checkout/checkout-attempts.ts';
import type { BillingContext, BillingDeps } from './context.ts';
import { stripeCustomerOf } from './customer.ts';
import { isMissing, orUnavailable } from './stripe-errors.ts';

const EVERYTHING = { limit: 10_000 };

/** What was ended at Stripe: the customer that is gone there, null for a user whom Stripe never knew. */
export interface CanceledBilling {
  stripe_customer_id: string | null;
}

/**
 * Makes sure that nothing can be charged to this user any more, before their account goes: closes an open
 * payment page, ends every subscription at once, brings our copy up to date a last time, and deletes the
 * customer at Stripe, cards included. Each step is skipped when it was done before, so that asking again after
 * a crash goes on. Nothing is paid back. Throws Refusal PAYMENTS_UNAVAILABLE.
 */
export async function cancelEverything(context: BillingContext, userId: string): Promise<CanceledBilling> {
  const { log, stripe } = context;
  return context.inCheckoutOrder(userId, () =>
    orUnavailable(log, 'end everything', async () => {
      const open = await unsettledAttempt(context, userId);
      if (open) await closeAttempt(context, open);
      const stripe_customer_id = await stripeCustomerOf(context, userId);
      if (!stripe_customer_id) return { stripe_customer_id };
      try {
        if ((await stripe.customers.retrieve(stripe_customer_id)).deleted) return { stripe_customer_id };
        const { reversalsOpen } = await context.converge(userId);
        if (reversalsOpen) throw new Refusal('PAYMENTS_UNAVAILABLE');
        if (await cancelAll(context, stripe_customer_id)) await context.converge(userId);
        await stripe.customers.del(stripe_customer_id);
      } catch (error) {
        if (!isMissing(error)) throw error;
        // Deleted there before: with the customer, Stripe ended all that it had.
        log.warn({ user_id: userId }, 'Stripe does not know this customer any more');
      }
      return { stripe_customer_id };
    }),
  );
}

/** True when there was something to end. */
async function cancelAll({ stripe }: BillingContext, customer: string): Promise<boolean> {
  const all = await stripe.subscriptions
    .list({ customer, status: 'all', limit: 100 })
    .autoPagingToArray(EVERYTHING);
  const living = all.filter(({ status }) => !isEnded(status));
  for (const { id } of living) {
    try {
      await stripe.subscriptions.cancel(id, { prorate: false, invoice_now: false });
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }
  return living.length > 0;
}

/**
 * Our side of it, inside the transaction that erases the person: the membership is over today, whoever billed
 * it, and no row keeps the sweeper busy. False, with nothing written, when a payment was begun since `ended`.
 */
export async function closeBillingRows(
  { now, timeZone }: Pick<BillingDeps, 'now' | 'timeZone'>,
  tx: Tx,
  userId: string,
  ended: CanceledBilling,
): Promise<boolean> {
  // In the order in which convergence and the decisions of staff lock.
  const [account] = await tx
    .select({ id: billing_customer.stripe_customer_id })
    .from(billing_customer)
    .where(eq(billing_customer.user_id, userId))
    .for('update');
  for (const [table, whose] of [
    [membership_applications, membership_applications.user_id],
    [customers, customers.user_id],
    [profiles, profiles.id],
  ] as const) {
    await tx.select({ whose }).from(table).where(eq(whose, userId)).for('update');
  }
  // Nothing is begun from here on: every row of a payment needs the profile.
  const begun = await unsettledAttempt({ db: tx }, userId);
  if (begun || (account?.id ?? null) !== ended.stripe_customer_id) return false;

  const own = tx.select({ id: customers.id }).from(customers).where(eq(customers.user_id, userId));
  await tx.update(customers).set({ status: 'inactive' }).where(eq(customers.user_id, userId));
  await tx
    .update(memberships)
    .set({
      status: 'ended',
      end_date: sql`greatest(${memberships.start_date}, ${localDate(now(), timeZone)}::date)`,
    })
    .where(and(inArray(memberships.customer_id, own), eq(memberships.status, 'active')));
  await tx
    .update(billing_subscription)
    .set({ status: 'canceled', access_until: null })
    .where(
      and(
        eq(billing_subscription.user_id, userId),
        notInArray(billing_subscription.status, ['canceled', 'incomplete_expired']),
      ),
    );
  return true;
}
