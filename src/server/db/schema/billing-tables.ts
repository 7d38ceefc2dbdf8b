import type { StoredPreview } from '../../../domain/membership/upcoming-charges.ts';
import { TAX_BEHAVIORS } from '../../../domain/money.ts';
import { TIER_CHANGE_KINDS } from '../../../domain/tier-change.ts';
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  smallint,
  sql,
  text,
  uniqueIndex,
  uuid,
} from '../orm.ts';
import { userId } from './auth-tables.ts';
import { instant } from './columns.ts';
import { membership_applications, tier_definitions, tierName } from './membership-tables.ts';
import { ACTOR, ownRows } from './row-policies.ts';

export const billing_customer = pgTable('billing_customer', {
  user_id: userId('user_id').primaryKey(),
  stripe_customer_id: text('stripe_customer_id').notNull().unique(),
  created_at: instant('created_at').notNull(),
  /**
   * Raised by each reconciliation and refund by staff: a snapshot fetched under an older number is not written
   * (billing/sync).
   */
  sync_version: integer('sync_version').notNull().default(0),
  synced_at: instant('synced_at'),
  /** When the sweeper last tried this user; it takes the least recently tried first. */
  tried_at: instant('tried_at'),
  /** The profile's `updated_at` when its name and email were last sent to Stripe; null if never. */
  profile_sent_at: instant('profile_sent_at'),
});

/**
 * A tier's Stripe price at an amount; a changed amount is a new row. Archived ones stay, because subscriptions may still
 * pay them.
 */
export const tier_price = pgTable(
  'tier_price',
  {
    stripe_price_id: text('stripe_price_id').primaryKey(),
    stripe_product_id: text('stripe_product_id').notNull(),
    tier_name: tierName('tier_name'),
    amount_cents: integer('amount_cents').notNull(),
    currency: text('currency').notNull(),
    /** Stripe never lets it change, so another value needs another price. */
    tax_behavior: text('tax_behavior', { enum: TAX_BEHAVIORS }).notNull().default('unspecified'),
    created_at: instant('created_at').notNull(),
    /** When we found it archived or deleted at Stripe; null while it can be sold. */
    archived_at: instant('archived_at'),
  },
  (t) => [
    uniqueIndex('tier_price_of_amount')
      .on(t.tier_name, t.amount_cents, t.currency, t.tax_behavior)
      .where(sql`${t.archived_at} is null`),
  ],
);

/** One checkout attempt. Committed before the request to Stripe, so its id can be the idempotency key. */
export const checkout_attempt = pgTable(
  'checkout_attempt',
  {
    id: uuid('id').primaryKey(),
    user_id: userId('user_id'),
    /** Null for a member: another year, or from the venue to a card. */
    application_id: uuid('application_id').references(() => membership_applications.id, {
      onDelete: 'cascade',
    }),
    tier_name: tierName('tier_name'),
    amount_cents: integer('amount_cents').notNull(),
    /** Twelve for a year, paid once; those that are left of one, for a dearer tier; null for a subscription, by the month. */
    months: smallint('months'),
    /** The tier that a member leaves within their year; null for anything else. */
    from_tier: text('from_tier').references(() => tier_definitions.tier_name),
    /** From the venue to a card: when Stripe charges first. Null if that is at once, and otherwise. */
    first_charge_at: instant('first_charge_at'),
    stripe_session_id: text('stripe_session_id').unique(),
    url: text('url'),
    status: text('status', { enum: ['creating', 'open', 'completed', 'expired'] }).notNull(),
    created_at: instant('created_at').notNull(),
    expires_at: instant('expires_at').notNull(),
    /** When we saw that a year's page was submitted and the bank had not answered, as for a debit; null otherwise. */
    submitted_at: instant('submitted_at'),
    /** Opened with a code at the bar: the payer is not signed in, so the page leads back to /join. */
    by_link: boolean('by_link').notNull().default(false),
    tried_at: instant('tried_at'),
  },
  (t) => [
    index('checkout_attempt_unsettled').on(t.created_at).where(sql`${t.status} in ('creating', 'open')`),
    uniqueIndex('checkout_attempt_one_open').on(t.user_id).where(sql`${t.status} in ('creating', 'open')`),
    check('checkout_attempt_months', sql`${t.months} between 1 and 12`),
    check(
      'checkout_attempt_from_tier',
      sql`(${t.from_tier} is not null) = coalesce(${t.months} < 12, false) and (${t.from_tier} is null or ${t.application_id} is null)`,
    ),
    check(
      'checkout_attempt_first_charge',
      sql`${t.first_charge_at} is null or ${t.application_id} is null and ${t.months} is null`,
    ),
    check('checkout_attempt_status_known', sql`${t.status} in ('creating', 'open', 'completed', 'expired')`),
  ],
);

/** Our copy of a Stripe subscription, written by billing/sync; deleting an account closes it. */
export const billing_subscription = pgTable(
  'billing_subscription',
  {
    stripe_subscription_id: text('stripe_subscription_id').primaryKey(),
    user_id: userId('user_id'),
    tier: tierName('tier'),
    /** Stripe's status, except for Stripe's own pause (readStop in domain/membership/pause.ts). */
    status: text('status').notNull(),
    cancel_at_period_end: boolean('cancel_at_period_end').notNull(),
    /** When it ends, if Stripe names an instant; cancel_at_period_end alone ends it too. */
    cancel_at: instant('cancel_at'),
    /** When the end was decided, according to Stripe; null while it renews, or if not recorded. */
    canceled_at: instant('canceled_at'),
    current_period_start: instant('current_period_start').notNull(),
    current_period_end: instant('current_period_end').notNull(),
    grace_until: instant('grace_until'),
    /** The span of its pause (pausedSpan in domain/membership/pause.ts): no start if not paused, no end if open. */
    paused_from: instant('paused_from'),
    paused_until: instant('paused_until'),
    /** The end of access to pours (accessUntil in domain/standing.ts); null if there was none. */
    access_until: instant('access_until'),
    /** The monthly cost: the tier's price and the add-ons. */
    amount_cents: integer('amount_cents').notNull(),
    /** The add-ons' part of it: items added by hand at Stripe. */
    add_ons_cents: integer('add_ons_cents').notNull().default(0),
    /** Stripe's preview of coming charges; null if none was needed. */
    preview: jsonb('preview').$type<StoredPreview>(),
    /** What an automatic invoice of the running period is about to charge, as a draft or open; null for none. */
    charging_cents: integer('charging_cents'),
    currency: text('currency').notNull(),
    /** Whether amount_cents includes the tax that Stripe calculates; 'unspecified' if it calculates none. */
    tax_behavior: text('tax_behavior', { enum: TAX_BEHAVIORS }).notNull().default('unspecified'),
    stripe_price_id: text('stripe_price_id').notNull(),
    /** The Stripe schedule that changes the tier or price later, if any. */
    stripe_schedule_id: text('stripe_schedule_id'),
    pending_tier: text('pending_tier').references(() => tier_definitions.tier_name),
    /** When pending_tier takes effect, even if Stripe has not notified us. */
    pending_from: instant('pending_from'),
    pending_amount_cents: integer('pending_amount_cents'),
    /** A change to a larger tier that waits for the bank's approval of its payment, and the deadline. */
    approval_tier: text('approval_tier').references(() => tier_definitions.tier_name),
    approval_until: instant('approval_until'),
    payment_method_type: text('payment_method_type'),
    /** The wallet holding the card, such as 'apple_pay'. */
    card_wallet: text('card_wallet'),
    card_brand: text('card_brand'),
    card_last4: text('card_last4'),
    card_exp_month: integer('card_exp_month'),
    card_exp_year: integer('card_exp_year'),
    /** Stripe's time of creation: the newest subscription that has not ended is the current one. */
    created_at: instant('created_at').notNull(),
    synced_at: instant('synced_at').notNull(),
    /** When the sweeper looks again (lookAgainAt in domain/membership/look-again.ts); null once it has ended. */
    look_again_at: instant('look_again_at'),
  },
  (t) => [
    index('billing_subscription_user').on(t.user_id, t.created_at.desc()),
    index('billing_subscription_due').on(t.look_again_at).where(sql`${t.look_again_at} is not null`),
    check(
      'billing_subscription_pending',
      sql`num_nulls(${t.pending_tier}, ${t.pending_from}, ${t.pending_amount_cents}) in (0, 3)`,
    ),
    check('billing_subscription_approval', sql`num_nulls(${t.approval_tier}, ${t.approval_until}) in (0, 2)`),
    check(
      'billing_subscription_pause',
      sql`${t.paused_until} is null or ${t.paused_until} > ${t.paused_from}`,
    ),
    check('billing_subscription_period', sql`${t.current_period_start} < ${t.current_period_end}`),
    ownRows(`user_id = ${ACTOR}`),
  ],
);

/**
 * A tier change as shown to a member, and whether they agreed. Committed before the request to Stripe, so its id can be the
 * idempotency key: agreeing twice charges once.
 */
export const tier_change = pgTable(
  'tier_change',
  {
    id: uuid('id').primaryKey(),
    user_id: userId('user_id'),
    stripe_subscription_id: text('stripe_subscription_id').notNull(),
    /** The price at the time of the preview; a different price voids the offer. */
    from_price_id: text('from_price_id').notNull(),
    to_tier: tierName('to_tier'),
    to_price_id: text('to_price_id').notNull(),
    kind: text('kind', { enum: TIER_CHANGE_KINDS }).notNull(),
    /** Stripe prorates from this moment, so the charge is exactly the amount shown. */
    prorated_at: instant('prorated_at').notNull(),
    charged_now_cents: integer('charged_now_cents').notNull(),
    /** approval: Stripe waits until the member's bank approves the payment. */
    status: text('status', { enum: ['shown', 'asked', 'approval', 'done', 'refused'] }).notNull(),
    created_at: instant('created_at').notNull(),
    asked_at: instant('asked_at'),
  },
  (t) => [
    index('tier_change_user').on(t.user_id, t.created_at.desc()),
    uniqueIndex('tier_change_one_asked').on(t.user_id).where(sql`${t.status} = 'asked'`),
    check('tier_change_status_known', sql`${t.status} in ('shown', 'asked', 'approval', 'done', 'refused')`),
  ],
);

/** Webhook events by id: hints that something changed, stored so that each is processed once. */
export const stripe_event = pgTable(
  'stripe_event',
  {
    id: text('id').primaryKey(),
    type: text('type').notNull(),
    stripe_customer_id: text('stripe_customer_id'),
    /** Finds the gift that it paid for: the buyer may be gone, or have another customer by now. */
    stripe_payment_intent_id: text('stripe_payment_intent_id'),
    created_at: instant('created_at').notNull(),
    received_at: instant('received_at').notNull(),
    processed_at: instant('processed_at'),
    tried_at: instant('tried_at'),
  },
  (t) => [
    index('stripe_event_open').on(t.received_at).where(sql`${t.processed_at} is null`),
    index('stripe_event_received').on(t.received_at),
  ],
);
