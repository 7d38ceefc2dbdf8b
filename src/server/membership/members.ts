import type {
  Customer,
  DuesNow,
  FormerHousehold,
  MemberDetail,
  OwnEnd,
  OwnHousehold,
  OwnMembership,
  Profile,
} from '../../contract/members.ts';
import { Refusal } from '../../contract/refusals.ts';
import { showsDecision } from '../../domain/application.ts';
import { localDate, startOfDay } from '../../domain/calendar.ts';
import { type ConsentWords, importedConsent } from '../../domain/consent.ts';
import { duesState, YEAR_MONTHS } from '../../domain/membership/dues.ts';
import { venueEndIfCanceled } from '../../domain/membership/end.ts';
import { giftLastDay } from '../../domain/membership/gift.ts';
import { MIN_PEOPLE } from '../../domain/membership/household.ts';
import { upcomingCharges } from '../../domain/membership/upcoming-charges.ts';
import { endsAt, endsWithPeriod } from '../../domain/standing.ts';
import { tierLabel } from '../../domain/tiers.ts';
import { and, eq, type SQL, sql } from '../db/orm.ts';
import { rowsOf } from '../db/results.ts';
import {
  billing_subscription,
  customers,
  imported_account,
  member_photo,
  memberships,
  profiles,
  tier_definitions,
} from '../db/schema.ts';
import { isoInstant } from '../platform/sql-text.ts';
import { getBarCard } from '../pours/bar-card.ts';
import { listOwnBenefits } from '../pours/benefits.ts';
import { listCelebrations } from '../pours/celebrations.ts';
import { getAvailablePours } from '../pours/pours.ts';
import { getOwnApplication, getOwnDecision } from './applications.ts';
import { duesPricesOf, pendingTierOf } from './dues/dues.ts';
import { offerTiersUp } from './dues/tiers-up.ts';
import type { MembershipContext } from './membership-context.ts';
import { preferencesOf } from './taste.ts';

type CustomerRow = typeof customers.$inferSelect;
type ProfileRow = typeof profiles.$inferSelect;
type MembershipRow = typeof memberships.$inferSelect;

function toCustomer(row: CustomerRow, pours_balance: number): Customer {
  const { id, user_id, tier, status, member_since, total_pours_lifetime, last_activity } = row;
  return {
    ...{ id, user_id, tier, status, member_since, pours_balance, total_pours_lifetime },
    last_activity: last_activity?.toISOString() ?? null,
  };
}

function toProfile({ id, email, first_name, last_name, phone }: ProfileRow): Profile {
  return { id, email, first_name, last_name, phone };
}

/** The data of the actor's dashboard. Throws Refusal NOT_SIGNED_IN for a deleted account. */
export async function getOwnMembership(ctx: MembershipContext) {
  const { db, actor } = ctx;
  const [row] = await db
    .select({
      profile: profiles,
      customer: customers,
      photo: member_photo.version,
      people: tier_definitions.people,
    })
    .from(profiles)
    .leftJoin(member_photo, eq(member_photo.user_id, profiles.id))
    .leftJoin(customers, eq(customers.user_id, profiles.id))
    .leftJoin(tier_definitions, eq(tier_definitions.tier_name, customers.tier))
    .where(eq(profiles.id, actor.user_id));
  if (!row || row.profile.erased_at) throw new Refusal('NOT_SIGNED_IN');
  const { profile, customer, photo, people } = row;
  const pours = customer ? await getAvailablePours(ctx, { customer_id: customer.id }) : null;
  const history = customer
    ? await db.select().from(memberships).where(eq(memberships.customer_id, customer.id))
    : [];
  const membership = history.find(({ status }) => status === 'active');
  const application = await getOwnApplication(ctx);
  const decision = await getOwnDecision(ctx);
  const isMember = customer?.status === 'active';
  const user = { isMember, isApplying: application !== null };
  const household = customer ? await ownHousehold(ctx, customer.id) : null;
  return {
    profile: toProfile(profile),
    photo,
    customer: customer ? toCustomer(customer, pours?.available_pours ?? 0) : null,
    pours,
    benefits: customer && isMember ? await listOwnBenefits(ctx, customer.id) : [],
    celebrations: customer ? await listCelebrations(ctx, customer.id) : [],
    membership_ever: history.length > 0,
    household,
    has_free_seat: isMember && !household && (people ?? MIN_PEOPLE) > MIN_PEOPLE,
    former_household: customer && !isMember && !household ? await formerHousehold(ctx, customer.id) : null,
    dues: await ownDues(ctx, membership),
    tiers_up: membership ? await offerTiersUp(ctx, membership) : [],
    ends: ownEnd(membership, ctx.venue.time_zone),
    if_canceled: ifCanceled(ctx, membership),
    consent_due: await consentDue(ctx),
    application,
    decision:
      decision && showsDecision(decision, user, ctx.now())
        ? { ...decision, reviewed_at: decision.reviewed_at.toISOString() }
        : null,
  };
}

async function ownDues(
  { db, now, venue }: MembershipContext,
  membership: MembershipRow | undefined,
): Promise<DuesNow | null> {
  const { paid_until = null, grace_until = null } = membership ?? {};
  if (!membership || paid_until === null || grace_until === null) return null;
  const state = duesState(membership, localDate(now(), venue.time_zone));
  return {
    ...{ state, paid_until, grace_until, ...(await duesPricesOf(db, membership)) },
    ...{ pause: pauseOf(membership, now()), pending_tier: pendingTierOf(membership) },
    is_year: membership.paid_months === YEAR_MONTHS,
  };
}

function ownEnd(membership: MembershipRow | undefined, timeZone: string): OwnEnd | null {
  if (!membership?.ends_on) return null;
  const { ends_on, is_gift, on_the_house, canceled_at, next_subscription_id } = membership;
  const ends_at = startOfDay(ends_on, timeZone).toISOString();
  const then_by_card = next_subscription_id !== null;
  const by_member = canceled_at !== null;
  return { last_day: giftLastDay(ends_on), ends_at, is_gift, on_the_house, by_member, then_by_card };
}

function ifCanceled(
  { now, venue }: MembershipContext,
  membership: MembershipRow | undefined,
): OwnMembership['if_canceled'] {
  if (!membership || membership.stripe_subscription_id) return null;
  // Going on by card is no end of the membership.
  if (membership.ends_on && !membership.next_subscription_id) return null;
  const { at, overdue } = venueEndIfCanceled(membership, now(), venue.time_zone);
  return { ends_at: at.toISOString(), overdue };
}

/** When an active membership ends; null if it is not decided. */
function endOf(
  membership: typeof memberships.$inferSelect | null,
  subscription: typeof billing_subscription.$inferSelect | null,
  timeZone: string,
): Date | null {
  if (subscription) return endsAt(subscription);
  if (membership?.next_subscription_id) return null;
  return membership?.ends_on ? startOfDay(membership.ends_on, timeZone) : null;
}

/** A price move changes the amount, but no day. A last charge bills no further month. */
function nextBillingOf(subscription: typeof billing_subscription.$inferSelect | null, now: Date) {
  if (!subscription || endsWithPeriod(subscription)) return null;
  return upcomingCharges(subscription, null, now).next?.at.toISOString() ?? null;
}

/** The consent that the actor still owes, as an imported member; null if none. */
async function consentDue({ db, actor, venue }: MembershipContext): Promise<ConsentWords | null> {
  const count = await db.$count(imported_account, eq(imported_account.user_id, actor.user_id));
  return count > 0 ? importedConsent(venue) : null;
}

/** One member for staff, by customer id or user id. Throws Refusal NOT_FOUND. */
export async function getMember(ctx: MembershipContext, { id }: { id: string }): Promise<MemberDetail> {
  const { db } = ctx;
  const find = (key: SQL) =>
    db
      .select({
        customer: customers,
        profile: profiles,
        tier_display_name: tier_definitions.display_name,
        membership: memberships,
        subscription: billing_subscription,
      })
      .from(customers)
      .innerJoin(profiles, eq(profiles.id, customers.user_id))
      .leftJoin(tier_definitions, eq(tier_definitions.tier_name, customers.tier))
      .leftJoin(memberships, and(eq(memberships.customer_id, customers.id), eq(memberships.status, 'active')))
      .leftJoin(
        billing_subscription,
        eq(billing_subscription.stripe_subscription_id, memberships.stripe_subscription_id),
      )
      .where(key);
  const [row] = [...(await find(eq(customers.user_id, id))), ...(await find(eq(customers.id, id)))];
  if (!row) throw new Refusal('NOT_FOUND', { what: 'customer' });
  const { customer, profile, membership, subscription } = row;
  const bar = await getBarCard(ctx, { id: customer.id });
  const { standing, no_access_since, pours_return_on, period_pours, pours_balance } = bar;
  return {
    customer: toCustomer(customer, pours_balance),
    profile: toProfile(profile),
    photo: bar.photo,
    former: profile.erased_at !== null,
    tier_display_name: row.tier_display_name ?? tierLabel(customer.tier),
    has_active_membership: membership !== null,
    household: bar.household,
    standing,
    no_access_since,
    next_billing_date: nextBillingOf(subscription, ctx.now()),
    ends_at: endOf(membership, subscription, ctx.venue.time_zone)?.toISOString() ?? null,
    pause: pauseOf(subscription ?? membership, ctx.now()),
    bank_payment: bar.bank_payment,
    available_pours: pours_balance,
    grants: bar.grants,
    pours_return_on,
    period_pours,
    has_preferences: (await preferencesOf(ctx, customer.user_id)) !== null,
  };
}

/** Instants are text in UTC, because the two drivers parse them differently. */
interface Row {
  role: OwnHousehold['role'];
  first_name: string;
  paused_from: string | null;
  paused_until: string | null;
  cancel_at_period_end: boolean | null;
  current_period_end: string | null;
  cancel_at: string | null;
  ends_on: string | null;
}

const dateOf = (text: string | null) => (text === null ? null : new Date(text));

/**
 * The other member of a household; null if there is none. A partner sees when the holder's membership pauses and ends, but
 * nothing about its price (docs/rules/households.md, "Household").
 */
async function ownHousehold(
  { db, now, venue }: Pick<MembershipContext, 'db' | 'now' | 'venue'>,
  customer_id: string,
): Promise<OwnHousehold | null> {
  const [row] = await rowsOf<Row>(
    db,
    sql`select role, first_name, ${isoInstant(sql`paused_from`)} as paused_from, ${isoInstant(sql`paused_until`)} as paused_until,
               cancel_at_period_end, ${isoInstant(sql`current_period_end`)} as current_period_end,
               ${isoInstant(sql`cancel_at`)} as cancel_at, ends_on
          from household_of(${customer_id}::uuid)`,
  );
  if (!row) return null;
  const { role, first_name, ends_on } = row;
  const current_period_end = dateOf(row.current_period_end);
  const ends = current_period_end
    ? endsAt({
        cancel_at_period_end: row.cancel_at_period_end ?? false,
        cancel_at: dateOf(row.cancel_at),
        current_period_end,
      })
    : ends_on && startOfDay(ends_on, venue.time_zone);
  const pause = { paused_from: dateOf(row.paused_from), paused_until: dateOf(row.paused_until) };
  return { role, first_name, pause: pauseOf(pause, now()), ends_at: ends ? ends.toISOString() : null };
}

async function formerHousehold(
  { db }: Pick<MembershipContext, 'db'>,
  customer_id: string,
): Promise<FormerHousehold | null> {
  const [row] = await rowsOf<FormerHousehold>(
    db,
    sql`select ended_by, first_name from former_household(${customer_id}::uuid) where ended_by <> 'own_membership'`,
  );
  return row ?? null;
}

/** A coming or running pause. */
function pauseOf(
  membership: { paused_from: Date | null; paused_until: Date | null } | null,
  now: Date,
): MemberDetail['pause'] {
  const { paused_from: from = null, paused_until: until = null } = membership ?? {};
  if (!from || (until && until <= now)) return null;
  return { from: from.toISOString(), until: until?.toISOString() ?? null, begun: from <= now };
}
