import { monthlyCents } from '../../../domain/membership/upcoming-charges.ts';
import type { MembershipEmail } from '../../../domain/staff/access-email.ts';
import type { Db, Tx } from '../../db/client.ts';
import { and, desc, eq, gt, inArray, ne, notExists, sql } from '../../db/orm.ts';
import {
  billing_act,
  billing_payment,
  billing_reversal,
  billing_subscription,
  customers,
  deliveries,
  memberships,
  tier_definitions,
} from '../../db/schema.ts';
import { isOpenMove } from '../acts/acts.ts';
import type { BillingNotice } from '../billing-context.ts';
import { periodOfPayment, readCardPeriods } from '../sync/card-periods.ts';

type NoticeOf<Type extends BillingNotice['type']> = Extract<BillingNotice, { type: Type }>;

export interface StoredNotice {
  notice: NoticeOf<'payment_received'> | NoticeOf<'membership_started'>;
  /** When it, or a similar one, was last written; null if unknown. */
  sent_at: Date | null;
}

/**
 * The user's last receipt or welcome email; null if none would still be true today. Stripe is not asked: amounts come from
 * our rows.
 */
export async function storedNotice(
  db: Db | Tx,
  user_id: string,
  letter: MembershipEmail,
): Promise<StoredNotice | null> {
  const notice = letter === 'receipt' ? await lastReceipt(db, user_id) : await welcome(db, user_id);
  return notice && { notice, sent_at: await lastSent(db, notice) };
}

/** The cause for resending the same email. */
export const causeAgain = ({ cause }: BillingNotice, id: string) => `again:${cause}:${id}`;

async function lastSent(db: Db | Tx, { user_id, cause }: BillingNotice): Promise<Date | null> {
  const isThis = sql`(${deliveries.cause} = ${cause} or starts_with(${deliveries.cause}, ${`again:${cause}:`}))`;
  const [row] = await db
    .select({ at: deliveries.created_at })
    .from(deliveries)
    .where(and(eq(deliveries.user_id, user_id), eq(deliveries.kind, 'email'), isThis))
    .orderBy(desc(deliveries.created_at))
    .limit(1);
  return row?.at ?? null;
}

/** Excludes disputed payments and reversed subscriptions: those had no receipt, or need no other. */
async function lastReceipt(db: Db | Tx, user_id: string): Promise<NoticeOf<'payment_received'> | null> {
  const reversed = db
    .select({ one: sql`1` })
    .from(billing_reversal)
    .where(eq(billing_reversal.stripe_subscription_id, billing_payment.stripe_subscription_id));
  const [payment] = await db
    .select()
    .from(billing_payment)
    .where(
      and(
        eq(billing_payment.user_id, user_id),
        gt(billing_payment.amount_paid_cents, 0),
        ne(billing_payment.status, 'disputed'),
        notExists(reversed),
      ),
    )
    .orderBy(desc(billing_payment.created_at))
    .limit(1);
  if (!payment) return null;
  const { stripe_invoice_id, created_at } = payment;
  const [customer] = await db
    .select({ id: customers.id })
    .from(customers)
    .where(eq(customers.user_id, user_id));
  const paidFor = customer && periodOfPayment(await readCardPeriods(db, customer.id), payment);
  return {
    type: 'payment_received',
    cause: `paid:${stripe_invoice_id}`,
    user_id,
    invoice: stripe_invoice_id,
    // Stripe's page is not stored; the email links to the account instead.
    invoice_url: null,
    tier: paidFor?.tier ?? null,
    period: paidFor ? { start: paidFor.starts_at, end: paidFor.ends_at } : null,
    amount_cents: payment.amount_paid_cents,
    currency: payment.currency,
    again: { paid_at: created_at, refunded_cents: payment.amount_refunded_cents },
  };
}

/** Only while the membership continues as the email says: it renews, at today's price and tier. */
async function welcome(db: Db | Tx, user_id: string): Promise<NoticeOf<'membership_started'> | null> {
  const [row] = await db
    .select({
      subscription: billing_subscription,
      customer_id: memberships.customer_id,
      monthly_pours: tier_definitions.monthly_pours,
    })
    .from(billing_subscription)
    .innerJoin(
      memberships,
      and(
        eq(memberships.stripe_subscription_id, billing_subscription.stripe_subscription_id),
        eq(memberships.status, 'active'),
      ),
    )
    .innerJoin(tier_definitions, eq(tier_definitions.tier_name, billing_subscription.tier))
    .where(
      and(
        eq(billing_subscription.user_id, user_id),
        inArray(billing_subscription.status, ['active', 'trialing']),
      ),
    );
  if (!row) return null;
  const { subscription: it } = row;
  const moves = and(eq(billing_act.user_id, user_id), isOpenMove);
  const changes = it.cancel_at_period_end || it.cancel_at || it.paused_from || it.pending_tier;
  if (changes || (await db.$count(billing_act, moves)) > 0) return null;
  return {
    type: 'membership_started',
    cause: `started:${it.stripe_subscription_id}`,
    user_id,
    renewed: (await db.$count(memberships, eq(memberships.customer_id, row.customer_id))) > 1,
    tier: it.tier,
    monthly_cents: monthlyCents(it),
    currency: it.currency,
    tax_behavior: it.tax_behavior,
    next_billing: it.current_period_end,
    monthly_pours: row.monthly_pours,
    // Carried-over pours only counted in the first month.
    carried_pours: 0,
  };
}
