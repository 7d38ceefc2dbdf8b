import { GIFT_DELIVERIES, GIFT_STATUSES } from '../../../../domain/membership/gift.ts';
import { TAX_BEHAVIORS } from '../../../../domain/money.ts';
import {
  boolean,
  check,
  date,
  index,
  integer,
  pgTable,
  smallint,
  sql,
  text,
  uniqueIndex,
  uuid,
} from '../../orm.ts';
import { profiles } from '../auth-tables.ts';
import { instant } from '../columns.ts';
import { memberships, tierName } from '../membership-tables.ts';

/**
 * A membership bought for another person. Committed before anything is asked of Stripe; one that is never paid is deleted.
 * docs/rules/gifts.md, "Gifts".
 */
export const gift_membership = pgTable(
  'gift_membership',
  {
    id: uuid('id').primaryKey(),
    /** Null once the buyer has deleted their account. */
    buyer_id: uuid('buyer_id').references(() => profiles.id),
    tier: tierName('tier'),
    months: smallint('months').notNull(),
    /** The price of one month, and the total; before tax. */
    monthly_price_cents: integer('monthly_price_cents').notNull(),
    amount_cents: integer('amount_cents').notNull(),
    currency: text('currency').notNull(),
    tax_behavior: text('tax_behavior', { enum: TAX_BEHAVIORS }).notNull(),
    /** Null once erased. */
    from_name: text('from_name'),
    /** Cleared, like message and address, when it is redeemed or its code ends. */
    to_name: text('to_name'),
    message: text('message'),
    delivery: text('delivery', { enum: GIFT_DELIVERIES }).notNull(),
    recipient_email: text('recipient_email'),
    /** The venue's day for the email; null for a card. */
    send_on: date('send_on', { mode: 'string' }),
    sent_at: instant('sent_at'),
    status: text('status', { enum: GIFT_STATUSES }).notNull(),
    /** SHA-256 of the code, in hexadecimal; null while there is no valid code. */
    code_hash: text('code_hash').unique(),
    /** The key that can make the code again, and the code's number. */
    code_key_id: text('code_key_id'),
    code_version: integer('code_version').notNull().default(0),
    stripe_session_id: text('stripe_session_id').unique(),
    url: text('url'),
    stripe_payment_intent_id: text('stripe_payment_intent_id').unique(),
    /** With tax, in cents; null before payment. */
    paid_cents: integer('paid_cents'),
    refunded_cents: integer('refunded_cents').notNull().default(0),
    disputed: boolean('disputed').notNull().default(false),
    /** The staff member who requested the refund; null for the buyer, or a refund made at Stripe. */
    refunded_by_staff_id: uuid('refunded_by_staff_id').references(() => profiles.id),
    membership_id: uuid('membership_id')
      .unique()
      .references(() => memberships.id),
    created_at: instant('created_at').notNull(),
    expires_at: instant('expires_at').notNull(),
    paid_at: instant('paid_at'),
    redeemed_at: instant('redeemed_at'),
    refund_asked_at: instant('refund_asked_at'),
    refunded_at: instant('refunded_at'),
    /** Counts changes of the payment: without a buyer, what was fetched from Stripe under an older number is not written. */
    sync_version: integer('sync_version').notNull().default(0),
  },
  (t) => [
    uniqueIndex('gift_membership_one_ordered').on(t.buyer_id).where(sql`${t.status} = 'ordered'`),
    index('gift_membership_of_buyer').on(t.buyer_id, t.created_at),
    index('gift_membership_open').on(t.created_at).where(sql`${t.status} in ('ordered', 'refunding')`),
    index('gift_membership_to_send')
      .on(t.send_on)
      .where(sql`${t.status} = 'paid' and ${t.delivery} = 'email' and ${t.sent_at} is null`),
    check('gift_membership_months', sql`${t.months} in (3, 6, 12)`),
    check(
      'gift_membership_status_known',
      sql`${t.status} in ('ordered', 'paid', 'redeemed', 'refunding', 'refunded', 'kept')`,
    ),
    check('gift_membership_amount', sql`${t.amount_cents} = ${t.monthly_price_cents} * ${t.months}`),
    check(
      'gift_membership_delivery',
      sql`${t.delivery} in ('card', 'email') and (${t.delivery} = 'email') = (${t.send_on} is not null)`,
    ),
    check(
      'gift_membership_paid',
      sql`(${t.status} = 'ordered') = (${t.paid_at} is null) and (${t.paid_at} is null) = (${t.paid_cents} is null)
        and (${t.paid_at} is null) = (${t.stripe_payment_intent_id} is null)`,
    ),
    check(
      'gift_membership_redeemed',
      sql`(${t.status} = 'redeemed') = (${t.redeemed_at} is not null)
        and (${t.status} = 'redeemed') = (${t.membership_id} is not null)`,
    ),
    check(
      'gift_membership_code',
      sql`(${t.status} = 'paid') or ${t.code_hash} is null or ${t.status} = 'redeemed'`,
    ),
    check('gift_membership_refunded', sql`(${t.status} = 'refunded') = (${t.refunded_at} is not null)`),
  ],
).enableRLS();
