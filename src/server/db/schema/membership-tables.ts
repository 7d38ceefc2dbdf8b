import type { StoredPreferences } from '../../../contract/applications.ts';
import { RATING_MAX, RATING_MIN, SURVEY_RATINGS, type SurveyRating } from '../../../domain/application.ts';
import {
  boolean,
  check,
  date,
  index,
  integer,
  isNotNull,
  jsonb,
  pgPolicy,
  pgTable,
  smallint,
  sql,
  text,
  uniqueIndex,
  uuid,
} from '../orm.ts';
import { ownedBy, profiles, userId } from './auth-tables.ts';
import { instant } from './columns.ts';
import { ACTOR, ACTORS_CUSTOMER, ownRows } from './row-policies.ts';
import { bar_device } from './staff-tables.ts';
import { bottle, wine } from './wine-tables.ts';

export const tier_definitions = pgTable(
  'tier_definitions',
  {
    tier_name: text('tier_name').primaryKey(),
    display_name: text('display_name').notNull(),
    monthly_price_cents: integer('monthly_price_cents').notNull(),
    /** The price of twelve months paid at once; null if the tier is sold by the month only. */
    yearly_price_cents: integer('yearly_price_cents'),
    monthly_pours: integer('monthly_pours').notNull(),
    description: text('description').notNull(),
    /** False for a retired tier, which stays for its members. */
    is_active: boolean('is_active').notNull().default(true),
    /** Lower ones are shown first; ties by price, cheaper first. */
    sort_order: integer('sort_order').notNull().default(0),
    /** The one tier that the venue recommends, if any. */
    is_featured: boolean('is_featured').notNull().default(false),
    /** Adults sharing one membership: the holder, and a partner if it is 2. */
    people: smallint('people').notNull().default(1),
    /** Glasses per period that a member may give to guests. */
    guest_glasses: smallint('guest_glasses').notNull().default(1),
  },
  (t) => [
    uniqueIndex('tier_definitions_one_featured').on(t.is_featured).where(sql`${t.is_featured}`),
    check('tier_definitions_price', sql`${t.monthly_price_cents} >= 0`),
    check(
      'tier_definitions_yearly_price',
      sql`${t.yearly_price_cents} between 1 and 12 * ${t.monthly_price_cents}`,
    ),
    check('tier_definitions_pours', sql`${t.monthly_pours} >= 0`),
    check('tier_definitions_people', sql`${t.people} between 1 and 2`),
    check('tier_definitions_guest_glasses', sql`${t.guest_glasses} between 0 and 20`),
  ],
);

/** The tier of a row, which may have been retired since. */
export const tierName = (name: string) =>
  text(name)
    .notNull()
    .references(() => tier_definitions.tier_name);

export const customers = pgTable(
  'customers',
  {
    id: uuid('id').primaryKey(),
    user_id: userId('user_id'),
    tier: tierName('tier'),
    status: text('status', { enum: ['active', 'inactive'] }).notNull(),
    member_since: date('member_since', { mode: 'string' }).notNull(),
    total_pours_lifetime: integer('total_pours_lifetime').notNull().default(0),
    activation_key: text('activation_key'),
    last_activity: instant('last_activity'),
    signed_up_by_staff_id: uuid('signed_up_by_staff_id').references(() => profiles.id),
    created_at: instant('created_at').notNull(),
  },
  (t) => [
    index('customers_signed_up_by').on(t.signed_up_by_staff_id).where(isNotNull(t.signed_up_by_staff_id)),
    uniqueIndex('customers_one_per_user').on(t.user_id),
    index('customers_newest').on(t.member_since.desc(), t.id.desc()).where(sql`${t.status} = 'active'`),
    check('customers_status_known', sql`${t.status} in ('active', 'inactive')`),
    check('customers_lifetime', sql`${t.total_pours_lifetime} >= 0`),
    ownRows(`user_id = ${ACTOR}`),
  ],
);

/** References a member, whose record cannot be deleted while the row exists. */
export const customerId = (name: string) =>
  uuid(name)
    .notNull()
    .references(() => customers.id);

/** References a member; deleting the record deletes the row. */
export const ownedByCustomer = (name: string) =>
  uuid(name)
    .notNull()
    .references(() => customers.id, { onDelete: 'cascade' });

export const memberships = pgTable(
  'memberships',
  {
    id: uuid('id').primaryKey(),
    customer_id: customerId('customer_id'),
    tier: tierName('tier'),
    start_date: date('start_date', { mode: 'string' }).notNull(),
    end_date: date('end_date', { mode: 'string' }),
    /** The instant from which its glasses count; null for an imported one, which counts whole days. */
    began_at: instant('began_at'),
    /**
     * The first day of the billing period in which an import brought this membership. What it gave before was counted
     * elsewhere.
     */
    counted_from: date('counted_from', { mode: 'string' }),
    /**
     * The first day without membership, if paid at the venue or a gift (set from the start). For subscriptions, see
     * billing_subscription.
     */
    ends_on: date('ends_on', { mode: 'string' }),
    /** When the member canceled it, at the venue; null if staff set the end, and for a gift. */
    canceled_at: instant('canceled_at'),
    /** The card subscription that pays from `ends_on` on, waiting for that day; null without one. */
    next_subscription_id: text('next_subscription_id'),
    /** The first day that is not paid, as dues say; null if they are not counted. docs/rules/dues.md. */
    paid_until: date('paid_until', { mode: 'string' }),
    /** The first day without access while `paid_until` is not paid. */
    grace_until: date('grace_until', { mode: 'string' }),
    /** The months of the payment for its last paid days: twelve for a year. Null without one. */
    paid_months: smallint('paid_months'),
    /** The last pause at the venue, also once it is over; for subscriptions, see billing_subscription. */
    paused_from: instant('paused_from'),
    paused_until: instant('paused_until'),
    /** Another tier that staff scheduled at the venue, its first day, and its price; for subscriptions, see billing_subscription. */
    pending_tier: text('pending_tier').references(() => tier_definitions.tier_name),
    pending_from: date('pending_from', { mode: 'string' }),
    pending_price_cents: integer('pending_price_cents'),
    is_gift: boolean('is_gift').notNull().default(false),
    /** The club gives it: no receipt, no revenue. The reason is null once erased. */
    on_the_house: boolean('on_the_house').notNull().default(false),
    house_reason: text('house_reason'),
    status: text('status', { enum: ['active', 'ended'] }).notNull(),
    monthly_price_cents: integer('monthly_price_cents').notNull(),
    recorded_by_staff_id: uuid('recorded_by_staff_id').references(() => profiles.id),
    toast_reference_number: text('toast_reference_number'),
    /** The card subscription that pays for it; null when billed at the venue. */
    stripe_subscription_id: text('stripe_subscription_id').unique(),
  },
  (t) => [
    index('memberships_recorded_by').on(t.recorded_by_staff_id).where(isNotNull(t.recorded_by_staff_id)),
    index('memberships_unpaid')
      .on(t.paid_until)
      .where(sql`${t.status} = 'active' and ${t.paid_until} is not null`),
    uniqueIndex('memberships_one_active').on(t.customer_id).where(sql`${t.status} = 'active'`),
    index('memberships_customer').on(t.customer_id),
    check('memberships_status_known', sql`${t.status} in ('active', 'ended')`),
    check(
      'memberships_canceled',
      sql`${t.canceled_at} is null or ${t.ends_on} is not null and not ${t.is_gift}`,
    ),
    check('memberships_ends_at_venue', sql`${t.ends_on} is null or ${t.stripe_subscription_id} is null`),
    check('memberships_dues', sql`(${t.paid_until} is null) = (${t.grace_until} is null)`),
    check(
      'memberships_dues_at_venue',
      sql`${t.paid_until} is null or ${t.stripe_subscription_id} is null and not ${t.is_gift} and not ${t.on_the_house}`,
    ),
    index('memberships_pending').on(t.pending_from).where(isNotNull(t.pending_from)),
    check(
      'memberships_pending',
      sql`num_nulls(${t.pending_tier}, ${t.pending_from}, ${t.pending_price_cents}) in (0, 3)`,
    ),
    check(
      'memberships_paused',
      sql`num_nulls(${t.paused_from}, ${t.paused_until}) = 2
        or num_nulls(${t.paused_from}, ${t.paused_until}) = 0 and ${t.paused_from} < ${t.paused_until}
          and ${t.stripe_subscription_id} is null`,
    ),
    check('memberships_counted', sql`${t.counted_from} >= ${t.start_date}`),
    check(
      'memberships_house',
      sql`not ${t.on_the_house} or ${t.ends_on} is not null and ${t.monthly_price_cents} = 0`,
    ),
    check('memberships_gift', sql`not ${t.is_gift} or ${t.ends_on} is not null`),
    check('memberships_price', sql`${t.monthly_price_cents} >= 0`),
    ownRows(`customer_id = ${ACTORS_CUSTOMER}`),
  ],
);

const ratingsInRange = sql.raw(
  SURVEY_RATINGS.map((key) => `coalesce((preferences->>'${key}')::numeric between 1 and 10, true)`).join(
    ' and ',
  ),
);

export const membership_applications = pgTable(
  'membership_applications',
  {
    id: uuid('id').primaryKey(),
    user_id: ownedBy('user_id'),
    status: text('status', { enum: ['pending', 'approved', 'rejected'] }).notNull(),
    is_complete: boolean('is_complete').notNull().default(false),
    selected_tier: text('selected_tier').references(() => tier_definitions.tier_name),
    current_step: smallint('current_step').notNull().default(1),
    preferences: jsonb('preferences').$type<StoredPreferences>(),
    /** The ratings the applicant gave; others kept their default. Null if not recorded. */
    rated: jsonb('rated').$type<SurveyRating[]>(),
    stripe_session_id: text('stripe_session_id'),
    notes: text('notes'),
    created_at: instant('created_at').notNull(),
    updated_at: instant('updated_at').notNull(),
    reviewed_at: instant('reviewed_at'),
    /** Null if a payment approved it. */
    reviewed_by_staff_id: uuid('reviewed_by_staff_id').references(() => profiles.id),
  },
  (t) => [
    uniqueIndex('applications_one_pending').on(t.user_id).where(sql`${t.status} = 'pending'`),
    // Ascending, read backward: drizzle's desc() puts nulls last, an order that no statement uses.
    index('applications_newest').on(t.created_at, t.id),
    index('applications_of_status').on(t.status, t.created_at, t.id),
    index('applications_of_tier').on(sql`coalesce(${t.selected_tier}, 'select')`, t.created_at, t.id),
    index('applications_of_status_and_tier').on(
      t.status,
      sql`coalesce(${t.selected_tier}, 'select')`,
      t.created_at,
      t.id,
    ),
    index('applications_of_user').on(t.user_id, t.created_at),
    check('applications_status_known', sql`${t.status} in ('pending', 'approved', 'rejected')`),
    check('applications_step', sql`${t.current_step} between 1 and 2`),
    check('applications_ratings', ratingsInRange),
    ownRows(`user_id = ${ACTOR}`),
    // Members never review, not even their own application.
    pgPolicy('pending_only', {
      as: 'restrictive',
      using: sql`true`,
      withCheck: sql.raw(`status = 'pending' AND reviewed_at IS NULL AND reviewed_by_staff_id IS NULL`),
    }),
  ],
);

/** Codes for paper, which never expire. A replaced one stays, so that staff see whose it was and since when. */
export const paper_card = pgTable(
  'paper_card',
  {
    id: uuid('id').primaryKey(),
    customer_id: customerId('customer_id'),
    /** SHA-256 of the code's proof, in hexadecimal: enough to verify a code, not to make one. Null once erased. */
    proof_hash: text('proof_hash'),
    /** The id of the key that can make the code again. Null once erased. */
    key_id: text('key_id'),
    issued_at: instant('issued_at').notNull(),
    replaced_at: instant('replaced_at'),
  },
  (t) => [
    // One per key, so that two simultaneous clicks make one card.
    uniqueIndex('paper_card_one_current').on(t.customer_id, t.key_id).where(sql`${t.replaced_at} is null`),
    index('paper_card_customer').on(t.customer_id, t.issued_at),
    ownRows(`customer_id = ${ACTORS_CUSTOMER}`),
  ],
);

const rating = (name: SurveyRating) => smallint(name).notNull();

/**
 * A member's taste, as last changed on its page. Answers in an application stay unchanged; the newer of both counts
 * (server/membership/taste.ts).
 */
export const member_taste = pgTable(
  'member_taste',
  {
    user_id: ownedBy('user_id').primaryKey(),
    wine_knowledge: rating('wine_knowledge'),
    drinking_frequency: rating('drinking_frequency'),
    red_wine_preference: rating('red_wine_preference'),
    white_wine_preference: rating('white_wine_preference'),
    adventurousness: rating('adventurousness'),
    changed_at: instant('changed_at').notNull(),
  },
  () => [
    check(
      'member_taste_ratings',
      sql.raw(SURVEY_RATINGS.map((key) => `${key} between ${RATING_MIN} and ${RATING_MAX}`).join(' and ')),
    ),
    ownRows(`user_id = ${ACTOR}`),
  ],
);

/**
 * The ledger: rows are added and never deleted, and only erasing an account changes them. Voiding adds a row to pour_voids.
 */
export const pours = pgTable(
  'pours',
  {
    id: uuid('id').primaryKey(),
    /** Made by the client when the form opens: a repeated id is the same pour. */
    request_id: uuid('request_id').notNull().unique(),
    customer_id: customerId('customer_id'),
    quantity: integer('quantity').notNull(),
    /** main_bar, private_event or tasting_room, from the place's id by storedLocation. */
    location: text('location').notNull(),
    notes: text('notes'),
    toast_reference_number: text('toast_reference_number').notNull(),
    status: text('status', { enum: ['redeemed'] }).notNull(),
    recorded_by_staff_id: userId('recorded_by_staff_id'),
    /** The scanned printed card; null if the member was found another way. */
    paper_card_id: uuid('paper_card_id').references(() => paper_card.id),
    /** The shared tablet that recorded it; null for any other device. */
    bar_device_id: uuid('bar_device_id').references(() => bar_device.id),
    /** When it was poured. */
    created_at: instant('created_at').notNull(),
    /** Null if no wine was chosen. */
    wine_id: uuid('wine_id').references(() => wine.id),
    /** The wine's latest bottle at that moment; null if none was ever opened. */
    bottle_id: uuid('bottle_id').references(() => bottle.id),
    /** Whether staff recorded offering water; null if they did not say. */
    offered_water: boolean('offered_water'),
    /** The place's id in the club's settings; null in rows from before places could be changed. */
    place: text('place'),
    /** The venue's name for the place at that time; null for a new club's default names, and in older rows. */
    place_name: text('place_name'),
    /** The holder, if a partner poured from their glasses; null otherwise. */
    pool_id: uuid('pool_id').references(() => customers.id),
    /** When it was recorded, if it waited for a network; null if that was at once. */
    recorded_at: instant('recorded_at'),
  },
  (t) => [
    index('pours_of_customer').on(t.customer_id, t.created_at),
    index('pours_of_pool').on(t.pool_id, t.created_at).where(sql`${t.pool_id} is not null`),
    // For reports: pours are stored in order of time, so a few bytes per range are enough.
    index('pours_by_time').using('brin', t.created_at),
    index('pours_of_bottle').on(t.bottle_id).where(sql`${t.bottle_id} is not null`),
    check('pours_bottle_of_wine', sql`${t.bottle_id} is null or ${t.wine_id} is not null`),
    check('pours_quantity', sql`${t.quantity} > 0`),
    check('pours_location_words', sql`${t.location} ~ '^[^[:space:][:cntrl:]]{1,60}$'`),
    check('pours_status_known', sql`${t.status} in ('redeemed')`),
    // A holder's balance includes the partner's pours.
    ownRows(`customer_id = ${ACTORS_CUSTOMER} OR pool_id = ${ACTORS_CUSTOMER}`),
  ],
);

export const pour_voids = pgTable(
  'pour_voids',
  {
    pour_id: uuid('pour_id')
      .primaryKey()
      .references(() => pours.id),
    reason: text('reason'),
    voided_by_staff_id: userId('voided_by_staff_id'),
    /** The shared tablet where it was voided; null for any other device. */
    bar_device_id: uuid('bar_device_id').references(() => bar_device.id),
    created_at: instant('created_at').notNull(),
  },
  () => [
    // The policy on pours applies to the subquery: it only finds the actor's own.
    ownRows(`EXISTS (SELECT 1 FROM pours p WHERE p.id = pour_id)`),
  ],
);
