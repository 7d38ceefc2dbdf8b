import { REVERSAL_REASONS, UNREFUNDABLE_REASONS } from '../../../../domain/billing.ts';
import { DISPUTE_STATES } from '../../../../domain/staff/dispute.ts';
import { REFUND_OBSTACLES, REFUND_STATUSES } from '../../../../domain/staff/refund.ts';
import {
  check,
  foreignKey,
  index,
  integer,
  pgTable,
  smallint,
  sql,
  text,
  uniqueIndex,
  uuid,
} from '../../orm.ts';
import { ownedBy, profiles, userId } from '../auth-tables.ts';
import { instant } from '../columns.ts';
import { dues } from '../dues-tables.ts';
import { membership_applications } from '../membership-tables.ts';

/** Paid invoices, with their refunds and disputes. */
export const billing_payment = pgTable(
  'billing_payment',
  {
    stripe_invoice_id: text('stripe_invoice_id').primaryKey(),
    user_id: userId('user_id'),
    /** Null for a year, which is paid once. */
    stripe_subscription_id: text('stripe_subscription_id'),
    /** The dues that a year counts as; null for a subscription, and for a year that is not counted. */
    dues_id: uuid('dues_id')
      .unique()
      .references(() => dues.id),
    status: text('status').notNull(),
    amount_paid_cents: integer('amount_paid_cents').notNull(),
    amount_refunded_cents: integer('amount_refunded_cents').notNull().default(0),
    /** Given back by credit notes at Stripe without a refund. */
    amount_credited_cents: integer('amount_credited_cents').notNull().default(0),
    /** The tax in the amount paid; null until Stripe was read again for a payment from before this column. */
    amount_tax_cents: integer('amount_tax_cents'),
    /** Why a reversal can never refund it: staff were notified, and it is not retried. */
    unrefundable: text('unrefundable', { enum: UNREFUNDABLE_REASONS }),
    currency: text('currency').notNull(),
    created_at: instant('created_at').notNull(),
    /** The most important dispute: an open one, else a lost one, else the newest. Null if there is none. */
    stripe_dispute_id: text('stripe_dispute_id'),
    dispute_state: text('dispute_state', { enum: DISPUTE_STATES }),
    dispute_cents: integer('dispute_cents'),
    disputed_at: instant('disputed_at'),
    /** When we saw the bank's decision. */
    dispute_settled_at: instant('dispute_settled_at'),
  },
  (t) => [
    index('billing_payment_user').on(t.user_id, t.created_at.desc()),
    check('billing_payment_year', sql`${t.dues_id} is null or ${t.stripe_subscription_id} is null`),
    check('billing_payment_dispute_known', sql`${t.dispute_state} in ('open', 'won', 'lost')`),
    check(
      'billing_payment_dispute',
      sql`num_nulls(${t.stripe_dispute_id}, ${t.dispute_state}, ${t.dispute_cents}, ${t.disputed_at}) in (0, 4)
          and (${t.dispute_settled_at} is not null) = coalesce(${t.dispute_state} <> 'open', false)`,
    ),
  ],
);

/**
 * A subscription that may not be a membership, such as a second one: it is canceled at Stripe, and its payments are
 * refunded (billing_refund). Committed before the request to Stripe, and never undone.
 */
export const billing_reversal = pgTable(
  'billing_reversal',
  {
    stripe_subscription_id: text('stripe_subscription_id').primaryKey(),
    user_id: userId('user_id'),
    reason: text('reason', { enum: REVERSAL_REASONS }).notNull(),
    /** Payments from this instant on are refunded; earlier ones paid for a membership the member had. */
    refund_from: instant('refund_from').notNull(),
    created_at: instant('created_at').notNull(),
    /** Since when nothing more can be charged. */
    done_at: instant('done_at'),
  },
  (t) => [
    index('billing_reversal_user').on(t.user_id),
    index('billing_reversal_open').on(t.created_at).where(sql`${t.done_at} is null`),
  ],
);

/**
 * A refund of a payment, by a staff member or because the subscription is reversed. Committed before the request to Stripe,
 * so that its id can be the idempotency key, and carried out by the user's reconciliation.
 */
export const billing_refund = pgTable(
  'billing_refund',
  {
    id: uuid('id').primaryKey(),
    user_id: userId('user_id'),
    stripe_invoice_id: text('stripe_invoice_id').notNull(),
    amount_cents: integer('amount_cents').notNull(),
    currency: text('currency').notNull(),
    /** Why staff refund it; null once erased. Not sent to Stripe. */
    reason: text('reason'),
    /** Why the payment of a year goes back by itself; null for a refund by staff, and for the reversal of a subscription. */
    returned_because: text('returned_because', { enum: REVERSAL_REASONS }),
    /** The months of a year that are given back with it; null for any other refund. */
    unused_months: smallint('unused_months'),
    /** Null for a reversal. */
    asked_by_staff_id: uuid('asked_by_staff_id').references(() => profiles.id),
    status: text('status', { enum: REFUND_STATUSES }).notNull(),
    /** Cents refunded at Stripe; null unless done. */
    refunded_cents: integer('refunded_cents'),
    obstacle: text('obstacle', { enum: REFUND_OBSTACLES }),
    created_at: instant('created_at').notNull(),
    settled_at: instant('settled_at'),
  },
  (t) => [
    foreignKey({
      name: 'billing_refund_of_payment',
      columns: [t.stripe_invoice_id],
      foreignColumns: [billing_payment.stripe_invoice_id],
    }),
    index('billing_refund_user').on(t.user_id, t.created_at.desc()),
    uniqueIndex('billing_refund_one_asked').on(t.stripe_invoice_id).where(sql`${t.status} = 'asked'`),
    index('billing_refund_open').on(t.created_at).where(sql`${t.status} = 'asked'`),
    check('billing_refund_months', sql`${t.unused_months} between 1 and 12`),
    check('billing_refund_amount', sql`${t.amount_cents} > 0`),
    check('billing_refund_status_known', sql`${t.status} in ('asked', 'done', 'refused', 'failed')`),
    check(
      'billing_refund_settled',
      sql`(${t.status} = 'asked') = (${t.settled_at} is null) and (${t.status} = 'done') = (${t.refunded_cents} is not null)
        and (${t.status} = 'refused') = (${t.obstacle} is not null)`,
    ),
  ],
);

/**
 * A code for paying a sign-up at the bar on the applicant's own phone; one per application. It opens that payment alone.
 */
export const payment_link = pgTable('payment_link', {
  application_id: uuid('application_id')
    .primaryKey()
    .references(() => membership_applications.id, { onDelete: 'cascade' }),
  user_id: ownedBy('user_id'),
  token_hash: text('token_hash').notNull().unique(),
  /** SHA-256 of the secret of the browser that went on to payment; null until then. */
  browser_hash: text('browser_hash'),
  created_by_staff_id: userId('created_by_staff_id'),
  created_at: instant('created_at').notNull(),
  expires_at: instant('expires_at').notNull(),
  opened_at: instant('opened_at'),
  continued_at: instant('continued_at'),
}).enableRLS();
